/** Identifies the client that sent a request, for limits per client. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Context } from "hono";
import { clientOfAddress, isLocal } from "./address.ts";
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

/** Whether the connection of a request comes from this machine or a private network, and may be that of a proxy. */
export function isFromLocalAddress(c: Context): boolean {
  return isLocal(exchangeOf(c)?.incoming.socket.remoteAddress ?? "");
}

/** Headers in which proxies name the client. */
const FORWARDING_HEADERS = ["X-Forwarded-For", "X-Real-IP"];

/**
 * Warns once if a request names its client in a header although no header is configured: all clients of that proxy share
 * the limits of one.
 */
export function warnOfUnreadHeader(logWarning: (message: string) => void): (c: Context) => void {
  let hasWarned = false;
  return (c) => {
    if (hasWarned) return;
    const header = FORWARDING_HEADERS.find((name) => c.req.header(name) !== undefined);
    if (header === undefined) return;
    hasWarned = true;
    logWarning(
      `A request has the header ${header}, and CLIENT_ADDRESS_HEADER is not set. If a proxy sends it, all its clients ` +
        `share the limits of one: set CLIENT_ADDRESS_HEADER to ${header}.`,
    );
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
