/**
 * An error response of the API. With status 502, it can also be an answer that does not come from the API, but only in
 * `allTransactions` and `followHistory`: `client.GET` rejects with a `SyntaxError` if such an answer is no JSON.
 */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  /** After how many seconds to ask again; null when the API does not say. */
  readonly retryAfterSeconds: number | null;

  constructor(status: number, message: string, retryAfterSeconds: number | null = null) {
    super(`${status}: ${message}`);
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * Makes the error of a response that refuses a request. Its body may be no JSON of the API, because a proxy before the API
 * can refuse a request, too.
 */
export function apiErrorOf({ status, statusText, headers }: Response, body: unknown): ApiError {
  const isNamed = typeof body === "object" && body !== null && "error" in body;
  const retryAfter = headers.get("Retry-After");
  const isSeconds = retryAfter !== null && /^\d+$/.test(retryAfter);
  return new ApiError(status, isNamed ? String(body.error) : statusText, isSeconds ? Number(retryAfter) : null);
}

/** The status that a proxy gives a response of a server which it cannot use. */
const BAD_GATEWAY = 502;

/** Makes the error of an answer that does not come from the API, such as the maintenance page of a proxy. */
export function foreignAnswerError(description: string): ApiError {
  return new ApiError(BAD_GATEWAY, `the answer does not come from the API: ${description}`);
}
