/** The cost of files for the process: connections that read slowly, disconnect, or request many files at once. */
import { once } from "node:events";
import type { Socket } from "node:net";
import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { clientByAddress } from "../../src/api/http/client.ts";
import type { Database } from "../../src/api/shared/database.ts";
import { FILE_LIMITS } from "../../src/api/transactions/csv.handler.ts";
import type { HistoryTransaction } from "../../src/api/transactions/schema.ts";
import { waitUntil } from "../e2e/harness/poll.ts";
import { parseCsv } from "../support/csv.ts";
import { endlessHistory } from "./support/endless.ts";
import { openEngine, setCheckpoint, type TestEngine } from "./support/engine.ts";
import { madeHistory } from "./support/history.ts";
import { type ListeningApi, listen, requestOf } from "./support/listening.ts";
import { appOver, insertHistory } from "./support/world.ts";

const PATH = "/v1/transactions.csv?network=evm-mainnet";
const HISTORY = madeHistory(1_500);
const [EXAMPLE] = HISTORY;
const LIMITS = {
  requestsPerMinute: 0,
  nodeRequestsPerMinute: 0,
  clientOf: clientByAddress({ header: "X-Real-IP", count: 1 }),
};
/** The maximum amount of data in the sockets of both ends, in pages of 100 transactions. */
const BUFFERED_PAGES = 300;

// Each test transfers megabytes, which takes a while on a busy machine.
vi.setConfig({ testTimeout: 240_000 });

let engine: TestEngine;
beforeAll(async () => {
  engine = await openEngine("csv_load_test");
  await insertHistory(engine, 1, HISTORY);
  await setCheckpoint(engine, "mainnet", 1_000_000);
});
afterAll(() => engine.close());

let api: ListeningApi;
afterEach(() => api.close());

/** An API with an endless history. It counts the pages that are read. */
async function listenEndless(overrides: Parameters<typeof appOver>[1] = {}) {
  if (EXAMPLE === undefined) throw new Error("no example");
  const { database, pagesRead } = endlessHistory(EXAMPLE);
  const app = appOver(engine, { database, limits: LIMITS, ...overrides });
  api = await listen(app);
  return { pagesRead, errors: app.errors };
}

async function statusOf(socket: Socket): Promise<number> {
  const chunks = socket.iterator({ destroyOnReturn: false });
  const { value } = (await chunks.next()) as { value?: Buffer };
  socket.pause();
  return Number(value?.toString("latin1").split(" ")[1]);
}

/** Repeats the request until a slot is free, because a slot is released shortly after the end of a connection. */
async function expectSlot(client?: string): Promise<void> {
  await waitUntil(
    "a slot is free",
    async () => {
      const socket = await api.open(requestOf(PATH, client));
      const status = await statusOf(socket);
      socket.destroy();
      return status === 200 ? null : `status ${status}`;
    },
    { deadlineMs: 60_000, intervalMs: 20 },
  );
}

/** Waits until many looks in a row find that no page was read: in the time of a few, a busy machine may not run anything. */
async function untilQuiet(pagesRead: () => number): Promise<number> {
  let before = pagesRead();
  for (let quietLooks = 0; quietLooks < 20; ) {
    await delay(25);
    quietLooks = pagesRead() === before ? quietLooks + 1 : 0;
    before = pagesRead();
  }
  return before;
}

it("sends two files to one client and four in total, and answers further requests with 429 and Retry-After", async () => {
  await listenEndless();
  const open = async (client: string) => {
    const socket = await api.open(requestOf(PATH, client));
    return { socket, status: await statusOf(socket) };
  };
  const sent = [
    await open("192.0.2.1"),
    await open("192.0.2.1"),
    await open("2001:db8:0:1::1"),
    await open("[2001:db8:0:1::2]:5678"),
  ];
  expect(sent.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const refused = await fetch(api.baseUrl + PATH, { headers: { "X-Real-IP": "198.51.100.7" } });
  expect(refused.status).toBe(429);
  expect(refused.headers.get("retry-after")).toBe("10");
  expect(await refused.json()).toEqual({
    error: "too many CSV files at once: at most 2 per client and 4 in total",
    status: 429,
  });
  sent[0]?.socket.destroy();
  await expectSlot("198.51.100.7");
  expect((await open("2001:db8:0:1::3")).status).toBe(429);
});

it("reads pages only at the pace of a slow client", async () => {
  const { pagesRead } = await listenEndless();
  const socket = await api.open(requestOf(PATH));
  const whileWaiting = await untilQuiet(pagesRead);
  expect(whileWaiting).toBeGreaterThan(0);
  expect(whileWaiting).toBeLessThan(BUFFERED_PAGES);
  let taken = 0;
  socket.on("data", (chunk: Buffer) => {
    taken += chunk.length;
    if (taken > 10_000_000) socket.pause();
  });
  socket.resume();
  await waitUntil("the client took some", async () => (taken > 10_000_000 ? null : `${taken}`), { deadlineMs: 60_000 });
  const afterwards = await untilQuiet(pagesRead);
  expect(afterwards).toBeGreaterThan(whileWaiting);
  expect(afterwards).toBeLessThan(2 * BUFFERED_PAGES);
});

it("stops working when the client disconnects, also while its request waits behind another one", async () => {
  const { pagesRead, errors } = await listenEndless();
  for (let count = 0; count < 5; count += 1) {
    const socket = await api.open(requestOf(PATH) + requestOf(PATH));
    const left = once(socket, "close");
    await statusOf(socket);
    socket.destroy();
    await left;
    await expectSlot();
  }
  const read = await untilQuiet(pagesRead);
  await delay(300);
  expect(pagesRead()).toBe(read);
  expect(errors).toEqual([]);
});

it("holds no slot for requests that send no file", async () => {
  api = await listen(appOver(engine, { limits: LIMITS }));
  const { headers } = await fetch(api.baseUrl + PATH, { method: "HEAD" });
  expect(headers.get("content-type")).toContain("text/csv");
  for (let count = 0; count < 5; count += 1) {
    expect((await fetch(api.baseUrl + PATH, { method: "HEAD" })).status).toBe(200);
    const condition = { "If-None-Match": headers.get("etag") ?? "" };
    expect((await fetch(api.baseUrl + PATH, { headers: condition })).status).toBe(304);
    expect((await fetch(`${api.baseUrl}${PATH}&cursor=x`)).status).toBe(400);
    const file = await fetch(api.baseUrl + PATH);
    expect(file.status).toBe(200);
    expect(parseCsv(await file.text()).rows.length).toBeGreaterThan(HISTORY.length);
  }
});

it("disconnects a client that does not read, and frees its slot", async () => {
  const { pagesRead, errors } = await listenEndless({ files: { ...FILE_LIMITS, stallTimeoutMs: 300 } });
  const sockets = [await api.open(requestOf(PATH)), await api.open(requestOf(PATH))];
  const chunks: Buffer[] = [];
  await untilQuiet(pagesRead);
  await delay(1_000);
  for (const socket of sockets) {
    const reset = once(socket, "error");
    socket.on("data", (chunk: Buffer) => chunks.push(chunk)).resume();
    expect(await reset).toMatchObject([{ code: "ECONNRESET" }]);
  }
  // The last chunk is missing, too, so nobody mistakes the received part for the whole file.
  expect(Buffer.concat(chunks).includes("\r\n0\r\n\r\n")).toBe(false);
  await expectSlot();
  expect(errors).toEqual([]);
});

it("ends a file that cannot be completed with a reset, by which clients of HTTP/1.0 notice it", async () => {
  const { database } = endlessHistory(EXAMPLE as HistoryTransaction);
  let pages = 0;
  const failing: Database = {
    query: async (statement) => {
      if (statement.name.startsWith("api_transactions") && ++pages > 3) throw new Error("the database is gone");
      return database.query(statement);
    },
  };
  const app = appOver(engine, { database: failing, limits: LIMITS });
  api = await listen(app);
  const socket = await api.open(requestOf(PATH).replace("HTTP/1.1", "HTTP/1.0"));
  const chunks: Buffer[] = [];
  const reset = once(socket, "error");
  socket.on("data", (chunk: Buffer) => chunks.push(chunk)).resume();
  expect(await reset).toMatchObject([{ code: "ECONNRESET" }]);
  expect(app.errors.map(String)).toEqual(["Error: the database is gone"]);
});

/** Waits, and returns the longest time in milliseconds for which this process did not run meanwhile. */
async function longestGapWithin(milliseconds: number): Promise<number> {
  const start = performance.now();
  let longest = 0;
  for (let last = start; last - start < milliseconds; ) {
    await delay(50);
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }
  return longest;
}

it("does not disconnect a client whose file waits behind another one", async () => {
  for (;;) {
    await listenEndless({ files: { ...FILE_LIMITS, stallTimeoutMs: 1_500 } });
    const socket = await api.open(requestOf(PATH) + requestOf(PATH));
    let taken = 0;
    socket.on("data", (chunk: Buffer) => {
      taken += chunk.length;
    });
    socket.resume();
    // Three times the time for which a client may stop reading.
    const gap = await longestGapWithin(4_500);
    expect(taken).toBeGreaterThan(0);
    if (!socket.destroyed) return;
    // The client does not read either while a busy machine does not run this process.
    expect(gap).toBeGreaterThan(500);
    await api.close();
  }
});

it("blocks the event loop for less than 50 ms at a time, and for at most one page", async () => {
  let isDone = false;
  let longest = 0;
  let pagesOfTurn = 0;
  let mostPages = 0;
  const counting: Database = {
    query: (statement) => {
      if (statement.name.includes("transactions")) pagesOfTurn += 1;
      return engine.database.query(statement);
    },
  };
  api = await listen(appOver(engine, { database: counting }));
  // The first file prepares statements and compiles code.
  expect((await (await fetch(api.baseUrl + PATH)).text()).length).toBeGreaterThan(100_000);
  const watch = async () => {
    while (!isDone) {
      const before = process.threadCpuUsage();
      await nextTurn();
      // Processor time of this thread only, because the machine may be busy.
      const { user, system } = process.threadCpuUsage(before);
      longest = Math.max(longest, (user + system) / 1_000);
      mostPages = Math.max(mostPages, pagesOfTurn);
      pagesOfTurn = 0;
    }
  };
  pagesOfTurn = 0;
  const watching = watch();
  const longestOfFiles: number[] = [];
  for (let count = 0; count < 5; count += 1) {
    longest = 0;
    await (await fetch(api.baseUrl + PATH)).text();
    longestOfFiles.push(longest);
  }
  isDone = true;
  await watching;
  expect(mostPages).toBe(1);
  // All files are the same. What lengthens a turn in some of them alone is a collection of garbage or a busy machine.
  expect(Math.min(...longestOfFiles)).toBeLessThan(50);
});

it("answers 100 connections with 5 requests each at once, and other requests meanwhile", async () => {
  api = await listen(appOver(engine));
  const sockets = await Promise.all(Array.from({ length: 100 }, () => api.open()));
  let text = "";
  for (const socket of sockets) socket.on("data", (chunk: Buffer) => (text += chunk.toString("latin1"))).resume();
  // Processor time of this thread only, including the clients', because the machine may be busy.
  const before = process.threadCpuUsage();
  const secondsOfWork = () => {
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000_000;
  };
  for (const socket of sockets) socket.write(requestOf(PATH).repeat(5));
  const answers = () => [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status);
  expect((await fetch(`${api.baseUrl}/v1/status`)).status).toBe(200);
  expect(secondsOfWork()).toBeLessThan(5);
  await waitUntil("all are answered", async () => (answers().length === 500 ? null : `${answers().length}`), {
    deadlineMs: 60_000,
    intervalMs: 50,
  });
  expect(secondsOfWork()).toBeLessThan(8);
  expect(new Set(answers())).toEqual(new Set(["200", "429"]));
  expect(answers().filter((status) => status === "200").length).toBeGreaterThanOrEqual(2);
});
