/** Who sent a request, for limits by client. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Context } from "hono";
import { clientOfAddress } from "./address.ts";
import type { ClientOf } from "./rateLimit.ts";

/** Where the proxies in front of this process name the client. */
export interface TrustedProxies {
  /** Header to which each proxy appends the address that it was called from, or which the only one overwrites. */
  readonly header: string;
  /** How many proxies a request passes that are trusted, at least one. */
  readonly count: number;
}

/** All requests whose client cannot be told share the limits of one client. */
const UNIDENTIFIED = "unidentified";

/**
 * Tells clients apart by the address of their connection or, behind proxies, by what the outermost trusted one wrote
 * into a header. Addresses are counted from the right, where trusted proxies append: whatever stands further left was
 * sent by the client itself, who could name anybody.
 * @param proxies null where clients connect directly
 */
export function clientByAddress(proxies: TrustedProxies | null): ClientOf {
  return (c) => {
    const address =
      proxies === null
        ? exchangeOf(c)?.incoming.socket.remoteAddress
        : c.req.header(proxies.header)?.split(",").at(-proxies.count);
    return clientOfAddress(address ?? "") ?? UNIDENTIFIED;
  };
}

/** A request and its response, as the HTTP server knows them. */
export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** What the HTTP server hands over beside a request; undefined where there is no server, which is in tests. */
export function exchangeOf(c: Context): Exchange | undefined {
  const bindings = c.env as Partial<Exchange> | undefined;
  return bindings?.incoming && bindings.outgoing ? (bindings as Exchange) : undefined;
}
