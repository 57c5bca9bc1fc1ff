/** Identifies the client that sent a request, for limits per client. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Context } from "hono";
import { clientOfAddress } from "./address.ts";
import type { ClientOf } from "./rateLimit.ts";

/** How the proxies in front of this process identify the client. */
export interface TrustedProxies {
  /** The header to which each proxy appends the address of its caller, or which a single proxy overwrites. */
  readonly header: string;
  /** Number of trusted proxies through which a request passes, at least one. */
  readonly count: number;
}

/** All requests from unknown clients share the limits of one client. */
const UNIDENTIFIED = "unidentified";

/**
 * Distinguishes clients by the address of their connection or, behind proxies, by what the outermost trusted proxy
 * wrote into a header. Addresses are counted from the right, where trusted proxies append. Everything further left was
 * sent by the client, who could write any address.
 * @param proxies null when clients connect directly
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

/** A request and its response, as the HTTP server represents them. */
export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** Returns what the HTTP server passes along with a request. Undefined without a server, as in tests. */
export function exchangeOf(c: Context): Exchange | undefined {
  const bindings = c.env as Partial<Exchange> | undefined;
  return bindings?.incoming && bindings.outgoing ? (bindings as Exchange) : undefined;
}
