/** The hooks that this project's patch of Ponder calls when it creates and ends the HTTP server. */
import type { Server, ServerOptions } from "node:http";
import { type ConnectionLimits, type GuardedConnections, guardConnections } from "./connections.ts";
import { readiness } from "./readiness.ts";

/** The hooks of the HTTP server. */
interface HttpServerHooks {
  readonly options: ServerOptions;
  readonly backlog: number;
  /** Watches the connections of a new server. */
  guard(server: Server): void;
  /** Returns the reason why no requests should be sent here, or an empty text when they may be. */
  notReadyReason(isIndexed: () => Promise<boolean>): Promise<string>;
  /**
   * Ends the server without losing an answer that can still be sent in time. Settles when no connection is left.
   * @param isOrderly false when the process fails; an answer made then, without its database, would be wrong
   */
  drain(isOrderly: boolean): Promise<void>;
}

declare global {
  var PONDER_HTTP_SERVER: HttpServerHooks | undefined;
}

/**
 * Timeouts of the server. A client that sends nothing is disconnected after twelve seconds, where Node.js takes up to
 * 90. Headers and whole requests, which have no body, arrive within moments.
 */
export const SERVER_OPTIONS: ServerOptions = {
  headersTimeout: 10_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 2_000,
  // The time between two requests of one connection.
  keepAliveTimeout: 5_000,
};

/**
 * Number of new connections that the kernel queues while the process is busy. A burst of thousands fills Node.js' default
 * of 511, and other clients then retry only after seconds. Linux caps it at `net.core.somaxconn`.
 */
const BACKLOG = 4_096;

/** A connection without traffic for this long is dead, because every answer takes less time. */
const INACTIVITY_TIMEOUT_MS = 60_000;

interface HookOptions {
  readonly limits: ConnectionLimits;
  readonly shutdownMs: number;
  /** Ends responses that would otherwise never end, and work that would fail when the database is gone. */
  readonly endStreamsAndWork: () => void;
  readonly logWarning: (message: string, error?: unknown) => void;
}

/** Hooks for one server. */
export function httpServerHooks({ limits, shutdownMs, endStreamsAndWork, logWarning }: HookOptions): HttpServerHooks {
  let connections: GuardedConnections | undefined;
  let drained: Promise<void> | undefined;
  const drain = async (timeoutMs: number) => {
    const cutOff = (await connections?.drain(timeoutMs)) ?? 0;
    if (cutOff > 0) logWarning(`${cutOff} connections were cut: requests did not end within ${timeoutMs / 1000} s`);
  };
  return {
    options: SERVER_OPTIONS,
    backlog: BACKLOG,
    guard(server) {
      server.timeout = INACTIVITY_TIMEOUT_MS;
      connections = guardConnections(server, { limits, logWarning });
    },
    notReadyReason: readiness({ isDraining: () => drained !== undefined, logWarning }),
    drain(isOrderly) {
      endStreamsAndWork();
      drained ??= drain(isOrderly ? shutdownMs : 0);
      return drained;
    },
  };
}
