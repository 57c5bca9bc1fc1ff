/** The connections of the HTTP server: how many there may be, what each may ask, and how they end without losing an answer. */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { type DropArgument, Server as NetServer, type Socket } from "node:net";
import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import { clientOfAddress } from "../http/address.ts";

/** Connections that may be open at once; 0 for no limit. */
export interface ConnectionLimits {
  readonly total: number;
  /** Of one address, or one IPv6 network of 64 bits. */
  readonly perAddress: number;
}

interface GuardOptions {
  readonly limits: ConnectionLimits;
  readonly logWarning: (message: string) => void;
}

/** What is known of an open connection. */
interface Connection {
  /** Requests by their responses that are not sent to their end, the oldest first. Only the oldest is being worked on. */
  readonly pending: Map<ServerResponse, IncomingMessage>;
  /** How often a drain has found none. */
  quietLooks: number;
}

/** The connections of a server. */
export interface GuardedConnections {
  /**
   * Stops accepting, lets requests in flight end and closes every connection.
   * @returns how many connections were cut off after the time
   */
  drain(timeoutMs: number): Promise<number>;
}

const LOOK_INTERVAL_MS = 20;
/**
 * How often a drain must find a connection without a request to close it, which takes half a second: a request may be
 * under way. Counted in looks, since a process that gets little time to run may have a request to read after any time.
 */
const QUIET_LOOKS = 25;

/** Requests that a connection may have sent without reading the answers. */
const MAXIMUM_PENDING = 100;

/** As many turns of the event loop without a new connection show that none waits. */
const QUIET_TURNS = 3;

/** Refusals are logged once in this time. */
const REPORT_INTERVAL_MS = 60_000;

/**
 * Watches the connections of a server that has none yet, and calls its request listener for the requests of each
 * connection one after the other: the next one when the client has taken the answer to the one before. Whoever pipelines
 * requests thus gets no more of this process than others, and whoever reads nothing costs the memory of one answer.
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
    const connection = open.get(socket);
    // One that was refused or cut off, of which the parser had read more.
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
      // Connections may go on coming: half of the time is left for answers.
      await untilNoneArrives(() => arrivals, deadline - timeoutMs / 2);
      // Not `server.close()` of HTTP, which cuts connections that are about to send a request.
      NetServer.prototype.close.call(server);
      while (open.size > 0 && performance.now() < deadline) {
        for (const [socket, connection] of open) {
          if (connection.pending.size > 0) continue;
          connection.quietLooks += 1;
          if (connection.quietLooks > QUIET_LOOKS) socket.destroy();
        }
        await delay(LOOK_INTERVAL_MS);
      }
      const cutOff = open.size;
      for (const socket of open.keys()) socket.destroy();
      return cutOff;
    },
  };
}

/** Has the newest response end the connection, which tells the client, and those before it keep it open. */
function endWithNewest({ pending }: Connection): void {
  let isOlder = false;
  for (const response of [...pending.keys()].reverse()) {
    if (!response.headersSent) response.shouldKeepAlive = isOlder;
    isOlder = true;
  }
}

/**
 * Waits until the connections that the system has made for the server are accepted, for it would cut off those that
 * wait when the server stops listening. One is accepted in a turn of the event loop.
 */
async function untilNoneArrives(arrivals: () => number, deadline: number): Promise<void> {
  for (let quietTurns = 0; quietTurns < QUIET_TURNS && performance.now() < deadline; ) {
    const before = arrivals();
    await nextTurn();
    quietTurns = arrivals() === before ? quietTurns + 1 : 0;
  }
}

/** Logs refusals together: an attack must not fill the log. */
function reportRefusals({ total, perAddress }: ConnectionLimits, logWarning: GuardOptions["logWarning"]) {
  let refused = 0;
  let timer: NodeJS.Timeout | undefined;
  return (address: string | undefined) => {
    refused += 1;
    if (timer !== undefined) return;
    const limitText = `at most ${total} in all and ${perAddress || "any number"} of one address are accepted`;
    logWarning(`connection from ${address} refused: ${limitText}`);
    timer = setTimeout(() => {
      timer = undefined;
      if (refused > 1) logWarning(`${refused} connections refused within a minute: ${limitText}`);
      refused = 0;
    }, REPORT_INTERVAL_MS).unref();
  };
}
