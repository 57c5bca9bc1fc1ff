/**
 * Version of the API's form, by semantic versioning. It is shown at `/` and in the OpenAPI document. It is
 * also part of every ETag, so that no client takes a copy in an old form for current.
 *
 * Raise it with every change of a path, a parameter or a schema, and with every change of what an answer means that no
 * schema shows: the major number when a client written for the last version may break, else the minor one.
 */
export const API_VERSION = "1.6.0";

/**
 * SHA-256 of the form that `API_VERSION` stands for: the paths and schemas of the OpenAPI document, without texts and
 * examples, and the columns of CSV files. A test compares it with the document, so that no change of the form leaves
 * the version forgotten.
 */
export const API_FORM_DIGEST = "a2ad5e40c863a40edd10f3723dbcb055881fd75057c61c13a868922879e13d79";
