/** What happens to requests when a process is told to end or is busy, and what `/ready` answers while something fails. */

import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, inject, onTestFinished, test } from "vitest";
import { CHAIN_IDS } from "../../config/networks.ts";
import { type Indexer, startIndexer } from "../../localnet/indexer.ts";
import { startTcpProxy, type TcpProxy } from "../support/tcpProxy.ts";
import { waitUntil } from "./harness/poll.ts";
import { type PostgresServer, startPostgres } from "./harness/postgres.ts";
import { rawRequest } from "./harness/rawHttp.ts";

const shared = inject("sharedStack");
const HISTORY = "/v1/transactions?network=evm-mainnet&limit=100";
const CSV = "/v1/transactions.csv?network=evm-mainnet";
/** Time that requests have to end. The usual one is for a machine that does nothing else. */
const SHUTDOWN_SECONDS = 180;
/** Longer than any answer that is not delayed, and shorter than the time after which requests are cut off. */
const END_MS = 120_000;
/** Number of connections at once: more than the 511 that wait by default in Node.js. */
const BURST = 2_000;
/** Two seconds, plus a margin for a busy machine. */
const BUSY_READY_MS = 10_000;

let server: PostgresServer;
let proxy: TcpProxy;
let indexer: Indexer;
const running: Indexer[] = [];

beforeAll(async () => {
  server = await startPostgres();
  proxy = await startTcpProxy(Number(new URL(server.databaseUrl).port));
  indexer = await start("start", "shutdown-indexer");
  await indexer.ready();
});

afterEach(async () => {
  for (const process of running.splice(0)) await process.stop();
});

afterAll(async () => {
  await indexer?.stop();
  await proxy?.stop();
  await server?.stop();
});

type Database = Parameters<typeof startIndexer>[0]["database"];

function start(command: "start" | "serve", name: string, database?: Database): Promise<Indexer> {
  const databaseUrl = Object.assign(new URL(server.databaseUrl), { port: String(proxy.port) }).href;
  return startIndexer({
    command,
    deploymentsDirectory: shared.deploymentsDirectory,
    rpcUrls: { [CHAIN_IDS.mainnet]: shared.networks.mainnet.rpcUrl },
    database: database ?? { databaseUrl, schema: "coreswap" },
    settings: { CLIENT_ADDRESS_HEADER: "", SHUTDOWN_SECONDS: String(SHUTDOWN_SECONDS) },
    logFile: logFileOf(name),
  });
}

function logFileOf(name: string): string {
  return join(shared.deploymentsDirectory, "..", `${name}.log`);
}

async function startReplica(name: string): Promise<Indexer> {
  const replica = await start("serve", name);
  running.push(replica);
  await replica.ready();
  return replica;
}

/** Sends SIGTERM, and reports how the process ended and after how long. */
async function terminate({ pid, ended }: Indexer): Promise<{ end: string; milliseconds: number }> {
  const since = performance.now();
  process.kill(pid, "SIGTERM");
  return { end: await ended, milliseconds: performance.now() - since };
}

interface Outcome {
  readonly kind: "answered" | "refused" | "failed";
  /** Whether the connection stays open for another request. */
  readonly keepsOpen: boolean;
  readonly text: string;
}

/** One connection on which requests are sent one after the other, without retries. */
class KeptConnection {
  readonly #socket: Socket;
  readonly #openedAt = performance.now();
  #text = "";
  #isClosed = false;
  #onProgress = () => {};

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", (chunk: Buffer) => {
      this.#text += chunk.toString("latin1");
      this.#onProgress();
    });
    // The missing part of an answer shows a reset.
    socket.on("error", () => {});
    socket.on("close", () => {
      this.#isClosed = true;
      this.#onProgress();
    });
  }

  /** Opens a connection. Returns null when nothing listens any more. */
  static async open(baseUrl: string): Promise<KeptConnection | null> {
    const { hostname, port } = new URL(baseUrl);
    const socket = connect(Number(port), hostname);
    try {
      await once(socket, "connect");
    } catch {
      return null;
    }
    return new KeptConnection(socket);
  }

  /**
   * Sends a request and reads its answer. A request counts as refused, not as failed, when the server never had it: on
   * a connection that was opened after the process was told to end, and that the process closed without sending a byte.
   */
  async request(path: string, endingSince: () => number | undefined): Promise<Outcome> {
    this.#send(path);
    while (!this.#isClosed && !isComplete(this.#text)) await this.#progress();
    const text = this.#text;
    if (isComplete(text)) {
      const isOk = /^HTTP\/1\.1 200 /.test(text);
      return { kind: isOk ? "answered" : "failed", keepsOpen: !/\r\nConnection: close\r\n/.test(text), text };
    }
    const since = endingSince();
    const isRefused = text === "" && since !== undefined && this.#openedAt > since;
    return { kind: isRefused ? "refused" : "failed", keepsOpen: false, text };
  }

  /** Sends requests without waiting for answers, and returns everything that arrives until the connection ends. */
  async pipeline(...paths: readonly string[]): Promise<string> {
    this.#send(...paths);
    while (!this.#isClosed) await this.#progress();
    return this.#text;
  }

  close(): void {
    this.#socket.destroy();
  }

  #send(...paths: readonly string[]): void {
    this.#text = "";
    this.#socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`).join(""));
  }

  #progress(): Promise<void> {
    return new Promise((settle) => {
      this.#onProgress = settle;
    });
  }
}

function isComplete(text: string): boolean {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return false;
  const [, length] = /\r\nContent-Length: (\d+)/i.exec(text.slice(0, end + 2)) ?? [];
  return length === undefined ? text.endsWith("\r\n0\r\n\r\n") : text.length - end - 4 >= Number(length);
}

/** Waits until a process logs that it is ending. */
async function untilEnding(name: string): Promise<void> {
  await waitUntil(
    "the process ends",
    async () => (readFileSync(logFileOf(name), "utf8").includes("Started shutdown sequence") ? null : "not yet"),
    { deadlineMs: END_MS, intervalMs: 20 },
  );
}

test("a replica under load that gets SIGTERM answers every request that it accepted, and exits with 0", async () => {
  const replica = await startReplica("shutdown-load");
  const outcomes: Record<Outcome["kind"], number> = { answered: 0, refused: 0, failed: 0 };
  const failures: string[] = [];
  let endingSince: number | undefined;
  const paths = [HISTORY, "/v1/volume?network=evm-mainnet", "/v1/status", CSV];
  /**
   * Sends requests until nothing listens any more, on one connection as long as it stays open, or on new connections.
   */
  const client = async (index: number) => {
    for (let count = index; ; ) {
      const connection = await KeptConnection.open(replica.baseUrl);
      if (connection === null) return;
      for (let keepsOpen = true; keepsOpen; count += 1) {
        // Only one client requests files, so that few are sent at the same time.
        const path = paths[index === 0 ? 3 : count % 3] ?? HISTORY;
        const outcome = await connection.request(path, () => endingSince);
        outcomes[outcome.kind] += 1;
        if (outcome.kind === "failed") failures.push(`${path}: ${outcome.text.slice(0, 300)}`);
        keepsOpen = outcome.keepsOpen && index % 4 !== 1;
      }
      connection.close();
    }
  };
  const clients = Array.from({ length: 24 }, (_, index) => client(index));
  await waitUntil(
    "each client has had several answers",
    async () => (outcomes.answered > 4 * clients.length ? null : `${outcomes.answered} answers`),
    { deadlineMs: END_MS, intervalMs: 20 },
  );
  endingSince = performance.now();
  const { end, milliseconds } = await terminate(replica);
  await Promise.all(clients);
  expect(failures).toEqual([]);
  expect(end).toContain("exit code 0");
  expect(milliseconds).toBeLessThan(END_MS);
});

test("requests that wait for the database are answered before its connections end", async () => {
  const replica = await startReplica("shutdown-waiting");
  const connections = await Promise.all(Array.from({ length: 40 }, () => KeptConnection.open(replica.baseUrl)));
  proxy.stall();
  onTestFinished(() => proxy.resume());
  const answers = connections.map((connection) => connection?.request(HISTORY, () => undefined));
  await delay(200);
  const ending = terminate(replica);
  await untilEnding("shutdown-waiting");
  await delay(200);
  proxy.resume();
  for (const answer of await Promise.all(answers)) expect(answer).toMatchObject({ kind: "answered", keepsOpen: false });
  expect((await ending).end).toContain("exit code 0");
});

test("during shutdown, /ready is 503 on open connections, and new ones are refused", async () => {
  const replica = await startReplica("shutdown-refusal");
  const probe = await KeptConnection.open(replica.baseUrl);
  expect(await probe?.request("/ready", () => undefined)).toMatchObject({ kind: "answered", keepsOpen: true });
  // The stalled database keeps the process from ending, and the probe from being answered before the shutdown: without
  // a request, its connection would end within half a second.
  proxy.stall();
  onTestFinished(() => proxy.resume());
  const held = probe?.pipeline(HISTORY, "/ready");
  await delay(200);
  const ending = terminate(replica);
  await untilEnding("shutdown-refusal");
  await waitUntil(
    "new connections are refused",
    async () => ((await KeptConnection.open(replica.baseUrl)) === null ? null : "one was accepted"),
    { deadlineMs: END_MS, intervalMs: 20 },
  );
  proxy.resume();
  expect(await held).toMatch(
    /^HTTP\/1\.1 200 [\s\S]*HTTP\/1\.1 503 [\s\S]*\r\nConnection: close\r\n[\s\S]*Shutting down\.$/i,
  );
  expect((await ending).end).toContain("exit code 0");
});

test("the indexer on PGlite ends in the same way, and can be restarted at once", async () => {
  const pglite = { pgliteDirectory: join(shared.deploymentsDirectory, "..", "shutdown.pglite") };
  for (const name of ["shutdown-pglite", "shutdown-pglite-again"]) {
    const process = await start("start", name, pglite);
    running.push(process);
    await process.ready();
    const connections = await Promise.all(Array.from({ length: 16 }, () => KeptConnection.open(process.baseUrl)));
    const answers = connections.map((connection) => connection?.request(HISTORY, () => undefined));
    await delay(20);
    const { end } = await terminate(process);
    for (const answer of await Promise.all(answers)) expect(answer).toMatchObject({ kind: "answered" });
    expect(end).toContain("exit code 0");
  }
});

test("/ready reports within two seconds that the database does not answer", async () => {
  const replica = await startReplica("shutdown-ready");
  proxy.stall();
  try {
    for (const { baseUrl } of [replica, indexer]) {
      const since = performance.now();
      const { status, text } = await rawRequest(baseUrl, "GET /ready");
      expect(status).toBe(503);
      // A statement that is given up, after three or five seconds, has another reason.
      expect(text).toContain("The database does not answer.");
      expect(performance.now() - since).toBeLessThan(BUSY_READY_MS);
    }
  } finally {
    proxy.resume();
  }
  await replica.ready();
});

test("connections that arrive in a burst while the process is busy wait until it accepts them", async () => {
  const replica = await startReplica("shutdown-burst");
  const { hostname, port } = new URL(replica.baseUrl);
  const sockets: Socket[] = [];
  process.kill(replica.pid, "SIGSTOP");
  try {
    // The kernel drops a connection beyond the backlog, and the client tries again after a second.
    for (let count = 0; count < BURST; count += 1) {
      sockets.push(connect(Number(port), hostname).on("error", () => {}));
    }
    await waitUntil(
      "all connections are established",
      async () => (sockets.every(({ connecting }) => !connecting) ? null : "not yet"),
      { deadlineMs: END_MS, intervalMs: 20 },
    );
    expect(sockets.filter(({ destroyed }) => destroyed)).toHaveLength(0);
  } finally {
    process.kill(replica.pid, "SIGCONT");
    for (const socket of sockets) socket.destroy();
  }
  await replica.ready();
});
