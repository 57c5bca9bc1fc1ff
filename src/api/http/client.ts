/** Who sent a request, for limits by client. */
import type { Context } from "hono";
import { z } from "zod";
import type { ClientOf } from "./rateLimit.ts";

/** What the HTTP server hands over beside the request. */
const bindings = z.object({ incoming: z.object({ socket: z.object({ remoteAddress: z.string() }) }) });

/**
 * Tells clients apart by the address of their connection or, behind a proxy that sets one, by a header. It has to be a
 * header that the proxy overwrites: clients could name themselves in any other.
 */
export function clientByAddress(header: string | null): ClientOf {
  return (c: Context) => {
    const named = header === null ? undefined : c.req.header(header);
    if (named !== undefined) return named;
    const parsed = bindings.safeParse(c.env);
    return parsed.success ? parsed.data.incoming.socket.remoteAddress : "unknown";
  };
}
