/** Headers that every answer of this app carries. */
import type { Context, MiddlewareHandler } from "hono";

/**
 * Sets headers ahead of the answer instead of on it, and moves there what outer middleware has set: Ponder's CORS. Hono would
 * otherwise merge two responses and read the body of one as a stream, which the HTTP server then sends in several
 * writes and a turn of the event loop later.
 */
export function commonHeaders(headers: Readonly<Record<string, string>>): MiddlewareHandler {
  return async (c, next) => {
    const inherited = [...c.res.headers];
    discardResponse(c);
    for (const [name, value] of inherited) c.header(name, value);
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
    await next();
  };
}

/** Drops the empty response that holds nothing but the headers set so far. */
function discardResponse(c: Context): void {
  c.res = undefined;
  // Assigning a response, even none, has marked the request as answered.
  c.finalized = false;
}
