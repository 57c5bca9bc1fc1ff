/** Errors of the API: a JSON body with `error` and `status`, which reveals no internal details. */
import { z } from "@hono/zod-openapi";

/** An error whose message is for the client. */
export abstract class HttpError extends Error {
  abstract readonly status: 400 | 401 | 422 | 429 | 503;
  readonly headers: Readonly<Record<string, string>> = {};
}

/** A request that the API refuses. The message names the parameter and what it accepts. */
export class BadRequest extends HttpError {
  readonly status = 400;
}

/** A key that the operator has given to no client. */
export class Unauthorized extends HttpError {
  readonly status = 401;
  override readonly headers = { "WWW-Authenticate": "Bearer" };
}

/** A request that the contracts refuse to answer. */
export class Refused extends HttpError {
  readonly status = 422;
}

/** A client sent more requests than it may. */
export class TooManyRequests extends HttpError {
  readonly status = 429;
  override readonly headers: Readonly<Record<string, string>>;

  constructor(message: string, retryAfterSeconds: number) {
    super(message);
    this.headers = { "Retry-After": String(retryAfterSeconds) };
  }
}

/** A dependency of the answer is not available, or the index lacks the required block. */
export class Unavailable extends HttpError {
  readonly status = 503;
  override readonly headers: Readonly<Record<string, string>>;

  constructor(message: string, retryAfterSeconds?: number) {
    super(message);
    this.headers = retryAfterSeconds === undefined ? {} : { "Retry-After": String(retryAfterSeconds) };
  }
}

/** The body of an error. */
export const errorBody = z
  .strictObject({
    error: z.string().openapi({ description: "What is wrong and, if a parameter is, what it accepts" }),
    status: z.int().openapi({ description: "HTTP status of the response", example: 400 }),
  })
  .openapi("ApiError", { description: "Body of every response other than 200 and 304" });
