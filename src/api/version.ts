/** Version of the API's answers: part of every ETag, so raise it with any change of an answer's form. */
export const API_VERSION = "1.1.0";
