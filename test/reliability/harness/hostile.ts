/** Hostile clients: malformed requests, and connections that only occupy resources. */
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../../../localnet/random.ts";
import { rawRequest } from "../../e2e/harness/rawHttp.ts";
import { fuzzRequest } from "../../support/fuzz.ts";

/** The results of hostile requests. */
export interface Hostility {
  readonly sent: number;
  /** Answers from 500 on, and complete requests that got no answer. */
  readonly failed: readonly string[];
  /** Answers with another status than the request must have. */
  readonly wrong: readonly string[];
}

const REQUESTS_AT_ONCE = 16;
/** Number of requests in ten that are not HTTP at all. */
const MALFORMED_IN_TEN = 2;
const MALFORMED_WAIT_MS = 1_000;
/** The status of a lag probe when the chain has had no new block for longer than the probe allows. */
const LAGGING = 503;
const isProbe = (path: string) => path.startsWith("/v1/status/indexing?");
/** A limit may refuse any request of a client. */
const TOO_MANY = 429;
/** Differs from this process's own address, so that a limit by address separates the two. */
const ATTACKER = "127.0.0.2";

/** Sends several requests at once, each on a new connection. */
export async function sendHostile(baseUrl: string, random: Random, count: number): Promise<Hostility> {
  const failed: string[] = [];
  const wrong: string[] = [];
  let sent = 0;
  const work = async () => {
    while (sent < count) {
      sent += 1;
      if (random.chance(MALFORMED_IN_TEN, 10)) {
        const bytes = malformed(random);
        const status = await sendMalformed(baseUrl, bytes);
        if (status >= 500) failed.push(`${JSON.stringify(bytes.toString("latin1").slice(0, 200))}: ${status}`);
        continue;
      }
      const { method, path, headers, expectedStatus } = fuzzRequest(random, {});
      const what = `${method} ${path.slice(0, 200)}`;
      try {
        const { status } = await rawRequest(baseUrl, `${method} ${path}`, headers);
        if (status === LAGGING && isProbe(path)) continue;
        if (status >= 500) failed.push(`${what}: ${status}`);
        else if (expectedStatus !== null && !isExpected(status, expectedStatus, path)) {
          wrong.push(`${what}: ${status}, expected ${expectedStatus}`);
        }
      } catch (error) {
        failed.push(`${what}: ${error}`);
      }
    }
  };
  await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, work));
  return { sent, failed, wrong };
}

/** Above this size, the headers decide whether the HTTP parser accepts the head. */
const LONG_PATH = 8_000;

function isExpected(status: number, expected: number, path: string): boolean {
  return status === expected || status === TOO_MANY || (path.length > LONG_PATH && (status === 414 || status === 431));
}

const GOOD = "GET /v1/transactions?network=evm-mainnet HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
const MALFORMED: readonly ((random: Random) => string)[] = [
  () => "GET / HTTP/9.9\r\n\r\n",
  () => "GET /v1/status\r\n\r\n",
  () => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  () => "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
  () => "POST /v1/volume HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
  () =>
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n",
  () => "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
  () => "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n",
  () => "GET / HTTP/1.1\r\n Host: a\r\n\r\n",
  () => `GET / HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(100_000)}\r\n\r\n`,
  (random) => `GET /${"%".repeat(random.integer(1, 4_000))} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
  (random) =>
    Array.from({ length: random.integer(1, 500) }, () => String.fromCharCode(random.integer(0, 255))).join(""),
  (random) => GOOD.slice(0, random.integer(1, GOOD.length)),
];

function malformed(random: Random): Buffer {
  const bytes = Buffer.from(random.pick(MALFORMED)(random), "latin1");
  if (random.chance(1, 3) && bytes.length > 0) {
    bytes.writeUInt8(random.integer(0, 255), random.integer(0, bytes.length - 1));
  }
  return bytes;
}

/** The status of the answer, or 0 when the connection is closed or an unfinished request gets no answer. */
async function sendMalformed(baseUrl: string, bytes: Buffer): Promise<number> {
  const socket = openSocket(baseUrl);
  let text = "";
  socket.on("data", (chunk: Buffer) => {
    text += chunk.toString("latin1");
  });
  socket.end(bytes);
  // `once` of events is not used, because it treats a reset as a failure. Closing the connection counts as an answer,
  // too.
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  await Promise.race([closed, sleep(MALFORMED_WAIT_MS)]);
  socket.destroy();
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);
}

export interface Crowd {
  /** Maximum number of connections open at the same time. */
  readonly opened: number;
  /** Closes all connections. */
  disperse(): void;
}

const GREEDY_REQUEST = "GET /v1/transactions?network=evm-mainnet&limit=100 HTTP/1.1\r\nHost: a\r\n\r\n";
const GREEDY_REQUESTS = 50;
const CONNECT_WAIT_MS = 20_000;

/**
 * Opens connections and keeps them open. One tenth of them write a byte a second, one tenth request much and read
 * nothing, and the others send nothing.
 */
export async function gather(baseUrl: string, count: number): Promise<Crowd> {
  const sockets: Socket[] = [];
  let opened = 0;
  const writers: Socket[] = [];
  for (let index = 0; index < count; index += 1) {
    const socket = openSocket(baseUrl);
    sockets.push(socket);
    socket.once("connect", () => {
      opened += 1;
      if (index % 10 === 0) writers.push(socket);
      if (index % 10 === 1) {
        socket.pause();
        socket.write(GREEDY_REQUEST.repeat(GREEDY_REQUESTS));
      }
    });
    // The kernel keeps a bounded number of connections until the server accepts them.
    if (index % 100 === 99) await sleep(20);
  }
  const deadline = performance.now() + CONNECT_WAIT_MS;
  while (sockets.some(({ connecting }) => connecting) && performance.now() < deadline) await sleep(50);
  let place = 0;
  const dripping = setInterval(() => {
    const byte = `GET /v1/status HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(1_000)}`[place] ?? "x";
    place += 1;
    for (const socket of writers) if (!socket.destroyed) socket.write(byte);
  }, 1_000);
  return {
    opened,
    disperse() {
      clearInterval(dripping);
      for (const socket of sockets) socket.destroy();
    },
  };
}

function openSocket(baseUrl: string): Socket {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect({ port: Number(port), host: hostname, localAddress: ATTACKER });
  // A server may refuse or close the connection at any time.
  socket.on("error", () => undefined);
  return socket;
}
