/**
 * Version of the API's format, by semantic versioning. It is shown at `/` and in the OpenAPI document. It is also part
 * of every ETag, so that no client mistakes a copy in an old format for a current one.
 *
 * Raise it with every change of a path, a parameter or a schema, and with every change in the meaning of an answer that
 * no schema shows: the major number when a client written for the last version may break, else the minor one.
 */
export const API_VERSION = "1.7.0";

/**
 * SHA-256 of the format that `API_VERSION` stands for: the paths and schemas of the OpenAPI document, without texts and
 * examples, and the columns of CSV files. A test compares it with the document, so that nobody changes the format
 * without a new version.
 */
export const API_FORM_DIGEST = "40c48c02a173e8c50d7564df0988108df9dd8ce3dea1a238b3b6b4d61aaa26c9";
