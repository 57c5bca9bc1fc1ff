/**
 * Manages the connections of the HTTP server: how many may be open, what each may request, and how they end without
 * losing an answer.
 */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { type DropArgument, Server as NetServer, type Socket } from "node:net";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { clientOfAddress } from "../http/address.ts";

/** The number of connections that may be open at once. 0 means no limit. */
export interface ConnectionLimits {
  readonly total: number;
  /** Connections from one address, or from one /64 IPv6 network. */
  readonly perAddress: number;
}

interface GuardOptions {
  readonly limits: ConnectionLimits;
  readonly logWarning: (message: string) => void;
}

/** State of an open connection. */
interface Connection {
  /**
   * Responses that are not completely sent yet, one per request, oldest first. Only the oldest request is being
   * processed.
   */
  readonly pending: Map<ServerResponse, IncomingMessage>;
  /** Number of consecutive checks of a drain that found no request. */
  quietLooks: number;
}

/** The connections of a server. */
export interface GuardedConnections {
  /**
   * Stops accepting connections, lets requests in flight finish and closes every connection.
   * @returns how many connections were cut off when the time was over
   */
  drain(timeoutMs: number): Promise<number>;
}

const LOOK_INTERVAL_MS = 20;
/**
 * Number of consecutive checks without a request after which a drain closes a connection, which takes half a second: a
 * request may be on its way. Checks are counted rather than time, because a process that is rarely scheduled can have
 * an unread request after any amount of time.
 */
const QUIET_LOOKS = 25;

/** Maximum number of requests that a connection may send without reading the answers. */
const MAXIMUM_PENDING = 100;

/** Number of event loop turns without a new connection after which none is waiting. */
const QUIET_TURNS = 3;

/**
 * Replaces the host of every request. The HTTP adapter builds a URL from host and path, and lets some hosts through that
 * end in a path, such as `\v1\info#`: a cache would then keep the answer under the requested path.
 */
const ANY_HOST = "coreswap";

/** Interval at which refusals are logged. */
const REPORT_INTERVAL_MS = 60_000;

/**
 * Watches the connections of a new server, and calls its request listener for the requests of each connection one after
 * the other: the next one when the client has received the previous answer. A client that pipelines requests thus gets
 * no larger share of this process than others, and a client that reads nothing costs the memory of one answer.
 */
export function guardConnections(server: Server, { limits, logWarning }: GuardOptions): GuardedConnections {
  const open = new Map<Socket, Connection>();
  const perAddress = new Map<string, number>();
  let arrivals = 0;
  let isDraining = false;
  const report = reportRefusals(limits, logWarning);
  const [answer] = server.listeners("request") as RequestListener[];
  if (answer === undefined) throw new Error("the server has no request listener");
  server.removeAllListeners("request");

  if (limits.total > 0) server.maxConnections = limits.total;
  server.on("drop", (dropped?: DropArgument) => {
    arrivals += 1;
    report(dropped?.remoteAddress);
  });

  server.on("connection", (socket: Socket) => {
    arrivals += 1;
    const address = clientOfAddress(socket.remoteAddress ?? "") ?? "";
    const count = (perAddress.get(address) ?? 0) + 1;
    if (limits.perAddress > 0 && count > limits.perAddress) {
      report(address);
      socket.destroy();
      return;
    }
    perAddress.set(address, count);
    open.set(socket, { pending: new Map(), quietLooks: 0 });
    socket.once("close", () => {
      open.delete(socket);
      const left = (perAddress.get(address) ?? 1) - 1;
      if (left === 0) perAddress.delete(address);
      else perAddress.set(address, left);
    });
  });

  const answerNext = (socket: Socket, { pending }: Connection) => {
    const [oldest] = pending;
    if (oldest !== undefined && !socket.destroyed) answer(oldest[1], oldest[0]);
  };

  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    request.headers.host = ANY_HOST;
    // The default of answers that do not set it, such as Ponder's /health, which some caches would keep for a day.
    response.setHeader("Cache-Control", "no-store");
    const connection = open.get(socket);
    // The connection was refused or cut off after the parser had read further requests.
    if (connection === undefined || socket.destroyed) return;
    const { pending } = connection;
    if (pending.size >= MAXIMUM_PENDING) {
      socket.destroy();
      return;
    }
    pending.set(response, request);
    response.once("close", () => {
      pending.delete(response);
      connection.quietLooks = 0;
      answerNext(socket, connection);
    });
    if (isDraining) endWithNewest(connection);
    if (pending.size === 1) answerNext(socket, connection);
  });

  return {
    async drain(timeoutMs) {
      const deadline = performance.now() + timeoutMs;
      isDraining = true;
      for (const connection of open.values()) endWithNewest(connection);
      // New connections may continue to arrive, so half of the time is reserved for answers.
      await untilNoneArrives(() => arrivals, deadline - timeoutMs / 2);
      // The `close()` of the HTTP server is not used, because it cuts connections that are about to send a request.
      NetServer.prototype.close.call(server);
      while (open.size > 0 && performance.now() < deadline) {
        for (const [socket, connection] of open) {
          if (connection.pending.size > 0) continue;
          connection.quietLooks += 1;
          if (connection.quietLooks > QUIET_LOOKS) socket.destroy();
        }
        await sleep(LOOK_INTERVAL_MS);
      }
      const cutOff = open.size;
      // A reset shows clients of HTTP/1.0, too, that their answer is incomplete.
      for (const socket of open.keys()) socket.resetAndDestroy();
      return cutOff;
    },
  };
}

/** Makes the newest response announce that it ends the connection; earlier responses keep it open. */
function endWithNewest({ pending }: Connection): void {
  let isOlder = false;
  for (const response of [...pending.keys()].reverse()) {
    if (!response.headersSent) response.shouldKeepAlive = isOlder;
    isOlder = true;
  }
}

/**
 * Waits until the server has accepted the connections that the system has queued, because those still waiting when the
 * server stops listening are cut off. One connection is accepted per event loop turn.
 */
async function untilNoneArrives(arrivals: () => number, deadline: number): Promise<void> {
  for (let quietTurns = 0; quietTurns < QUIET_TURNS && performance.now() < deadline; ) {
    const before = arrivals();
    await nextTurn();
    quietTurns = arrivals() === before ? quietTurns + 1 : 0;
  }
}

/** Logs refusals in groups, so that an attack does not fill the log. */
function reportRefusals({ total, perAddress }: ConnectionLimits, logWarning: GuardOptions["logWarning"]) {
  let refused = 0;
  let timer: NodeJS.Timeout | undefined;
  return (address: string | undefined) => {
    refused += 1;
    if (timer !== undefined) return;
    const limitText = `at most ${total} in total and ${perAddress || "any number"} per address are accepted`;
    logWarning(`a connection from ${address} was refused: ${limitText}`);
    timer = setTimeout(() => {
      timer = undefined;
      if (refused > 1) logWarning(`${refused} connections were refused within a minute: ${limitText}`);
      refused = 0;
    }, REPORT_INTERVAL_MS).unref();
  };
}
