/** The client that sent a request, for per-client limits. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Context } from "hono";
import { clientOfAddress } from "./address.ts";
import type { ClientOf } from "./rateLimit.ts";

/** How the proxies in front of this process name the client. */
export interface TrustedProxies {
  /** Header to which each proxy appends the address of its caller, or which a single proxy overwrites. */
  readonly header: string;
  /** Number of trusted proxies that a request passes, at least one. */
  readonly count: number;
}

/** All requests from unknown clients share the limits of one client. */
const UNIDENTIFIED = "unidentified";

/**
 * Tells clients apart by the address of their connection or, behind proxies, by what the outermost trusted proxy wrote
 * into a header. Addresses are counted from the right, where trusted proxies append: everything further left was sent
 * by the client, who could name anybody.
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

/** A request and its response, as the HTTP server knows them. */
export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** What the HTTP server passes along with a request; undefined without a server, as in tests. */
export function exchangeOf(c: Context): Exchange | undefined {
  const bindings = c.env as Partial<Exchange> | undefined;
  return bindings?.incoming && bindings.outgoing ? (bindings as Exchange) : undefined;
}
