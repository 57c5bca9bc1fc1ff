/**
 * Version of the API's format, by semantic versioning. It is shown at `/` and in the OpenAPI document. It is also part
 * of every ETag, so that no client mistakes a copy in an old format for a current one.
 *
 * Raise it with every change of a path, a parameter or a schema, and with every change in the meaning of an answer that
 * no schema shows: the major number when a client written for the last version may break, and otherwise the minor one.
 */
export const API_VERSION = "1.13.0";

/**
 * SHA-256 of the format that `API_VERSION` stands for: the paths and schemas of the OpenAPI document, without texts and
 * examples, and the columns of CSV files. A test compares it with the document, so that the format cannot change
 * without a new version.
 */
export const API_FORM_DIGEST = "d3e8b04d31a8434c401c9c5b3ec549cf167be6f1425369055b15becb4deac4fd";
