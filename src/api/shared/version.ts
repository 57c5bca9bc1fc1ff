/**
 * Version of the API's format, by semantic versioning. It is shown at `/` and in the OpenAPI document. It is also part
 * of every ETag, so that no client mistakes a copy in an old format for a current one.
 *
 * Raise it with every change of a path, a parameter or a schema, and with every change in the meaning of an answer that
 * no schema shows: the major number when a client written for the last version may break, and otherwise the minor one.
 */
export const API_VERSION = "1.16.0";
