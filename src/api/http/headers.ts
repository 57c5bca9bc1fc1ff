/** Headers that every answer of this app carries. */
import type { Context, MiddlewareHandler } from "hono";

/**
 * Sets headers before there is an answer, together with those of outer middleware, which is Ponder's CORS. Set on the
 * answer, they would make Hono merge two responses and read the body of one as a stream. The HTTP server sends such a
 * body in several writes and one turn of the event loop later.
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
