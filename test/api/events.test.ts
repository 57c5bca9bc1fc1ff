/** The event stream over real connections: new events, rollbacks, and how clients continue after an interruption. */
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Database } from "../../src/api/shared/database.ts";
import { eventStreams } from "../../src/api/transactions/events.ts";
import type { HistoryTransaction } from "../../src/api/transactions/schema.ts";
import { waitUntil } from "../e2e/harness/poll.ts";
import { type EventClient, followEvents } from "../support/eventClient.ts";
import { add, inBlocks, onFork, rollBack } from "./support/changes.ts";
import { openEngine, setCheckpoint, type TestEngine } from "./support/engine.ts";
import { type ListeningApi, listen } from "./support/listening.ts";
import { appOver, networkOf } from "./support/world.ts";

const PATH = "/v1/events?network=evm-mainnet";

vi.setConfig({ testTimeout: 60_000 });

let engine: TestEngine;
let api: ListeningApi;
let endStreams: () => void;
let errors: unknown[];
const clients: EventClient[] = [];

beforeEach(async () => {
  engine = await openEngine("events_test");
  const events = eventStreams({
    database: engine.database,
    networks: [networkOf(engine, "mainnet")],
    onFailure: (error) => errors.push(error),
  });
  endStreams = () => events.end();
  const app = appOver(engine, { events });
  errors = app.errors;
  api = await listen(app);
});

afterEach(async () => {
  for (const client of clients.splice(0)) client.stop();
  await api.close();
  await engine.close();
});

/** Opens a client of the stream, which ends with the test. */
async function follow(lastEventId?: string): Promise<EventClient> {
  const client = await followEvents(`${api.baseUrl}${PATH}`, lastEventId);
  clients.push(client);
  return client;
}

const untilReceived = (client: Pick<EventClient, "received">, count: number) =>
  waitUntil(
    `${count} events`,
    async () => (client.received.length >= count ? null : JSON.stringify(client.received).slice(0, 500)),
    { deadlineMs: 20_000, intervalMs: 50 },
  );

const asEvents = (transactions: readonly HistoryTransaction[]) =>
  transactions.map((transaction) => ({
    event: "transaction",
    id: `${transaction.inclusion.blockNumber}-${transaction.inclusion.blockHash.slice(2, 18)}-${transaction.inclusion.transactionIndex}`,
    data: transaction,
  }));

it("streams each new transaction, as the history shows it, to every client once", async () => {
  await add(engine, inBlocks(100, 110));
  const both = [await follow(), await follow()];
  await add(engine, inBlocks(111, 112));
  await add(engine, inBlocks(113, 113));
  for (const client of both) await untilReceived(client, 9);
  await delay(1_500);
  for (const { received } of both) expect(received).toEqual(asEvents(inBlocks(111, 113)));
  const page = await fetch(`${api.baseUrl}/v1/transactions?network=evm-mainnet&limit=9`);
  const { transactions } = (await page.json()) as { transactions: HistoryTransaction[] };
  expect(both[0]?.received.map(({ data }) => data)).toEqual(transactions.reverse());
  expect(both[0]?.response.headers.get("content-type")).toBe("text/event-stream");
  expect(both[0]?.response.headers.get("cache-control")).toContain("no-transform");
});

it("names the first block to read again when blocks are rolled back, and then streams the new blocks", async () => {
  await setCheckpoint(engine, "mainnet", 105);
  await add(engine, inBlocks(100, 110));
  const client = await follow();
  await add(engine, inBlocks(115, 116));
  await untilReceived(client, 6);
  await rollBack(engine, 115);
  // One of the new blocks has transactions, although the replaced block had none.
  const replaced = onFork(inBlocks(113, 115));
  await add(engine, replaced);
  await untilReceived(client, 16);
  expect(client.received.slice(6)).toEqual([
    { event: "reset", id: undefined, data: { fromBlock: "111" } },
    ...asEvents(replaced),
  ]);
});

it("starts with what a client has missed since the event that it names", async () => {
  await add(engine, inBlocks(100, 120));
  const seen = asEvents(inBlocks(115, 115))[1];
  const client = await follow(seen?.id);
  await add(engine, inBlocks(121, 121));
  const missed = inBlocks(115, 121).slice(2);
  await untilReceived(client, missed.length);
  expect(client.received).toEqual(asEvents(missed));
});

it("tells a client whose event no longer exists to read everything again that is not final", async () => {
  await setCheckpoint(engine, "mainnet", 105);
  await add(engine, inBlocks(100, 120));
  for (const [id, fromBlock] of [
    [asEvents(onFork(inBlocks(118, 118)))[0]?.id, "106"],
    ["900-0123456789abcdef-0", "106"],
    // A final block of another chain, which the client followed.
    [asEvents(onFork(inBlocks(103, 103)))[0]?.id, "103"],
  ] as const) {
    const client = await follow(id);
    await untilReceived(client, 1);
    expect(client.received).toEqual([{ event: "reset", id: undefined, data: { fromBlock } }]);
    client.stop();
  }
});

it("tells a client that missed too much to read the history again", async () => {
  await add(engine, inBlocks(100, 110));
  const client = await follow();
  const late = await follow(asEvents(inBlocks(101, 101))[0]?.id);
  await add(engine, inBlocks(111, 390));
  await untilReceived(client, 1);
  await add(engine, inBlocks(391, 391));
  await untilReceived(client, 4);
  expect(client.received).toEqual([
    { event: "reset", id: undefined, data: { fromBlock: "111" } },
    ...asEvents(inBlocks(391, 391)),
  ]);
  late.stop();
  const later = await follow(asEvents(inBlocks(101, 101))[0]?.id);
  await untilReceived(later, 1);
  expect(later.received).toEqual([{ event: "reset", id: undefined, data: { fromBlock: "101" } }]);
});

it("continues after the database failed for a while", async () => {
  await add(engine, inBlocks(100, 110));
  const client = await follow();
  await engine.execute(`ALTER TABLE "${engine.schema}".chain_state RENAME TO hidden`);
  await waitUntil("a failure is noticed", async () => (errors.length > 0 ? null : "none"), { deadlineMs: 10_000 });
  await engine.execute(`ALTER TABLE "${engine.schema}".hidden RENAME TO chain_state`);
  await add(engine, inBlocks(111, 111));
  await untilReceived(client, 3);
  expect(client.received).toEqual(asEvents(inBlocks(111, 111)));
});

it("ends every stream when the process ends, including those that start afterwards", async () => {
  await add(engine, inBlocks(100, 110));
  const client = await follow();
  endStreams();
  await waitUntil("the stream ends", async () => (client.hasEnded() ? null : "it goes on"), { deadlineMs: 5_000 });
  const late = await follow();
  await waitUntil("the stream ends", async () => (late.hasEnded() ? null : "it goes on"), { deadlineMs: 5_000 });
});

it("gives the place of a client that disconnects to another client", async () => {
  await add(engine, inBlocks(100, 110));
  const full = await Promise.all(Array.from({ length: 100 }, () => follow()));
  const refused = await fetch(`${api.baseUrl}${PATH}`);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "30"]);
  full[0]?.stop();
  await waitUntil(
    "there is a place",
    async () => {
      const stopping = new AbortController();
      const { status } = await fetch(`${api.baseUrl}${PATH}`, { signal: stopping.signal });
      stopping.abort();
      return status === 200 ? null : `status ${status}`;
    },
    { deadlineMs: 5_000 },
  );
});

it("gives the place of a client that disconnected before its stream began to another client", async () => {
  const waiting: (() => void)[] = [];
  const slow: Database = {
    query: async (statement) => {
      await new Promise<void>((go) => waiting.push(go));
      return engine.database.query(statement);
    },
  };
  const networks = [networkOf(engine, "mainnet")];
  const events = eventStreams({ database: slow, networks, onFailure: (error) => errors.push(error) });
  const slowApi = await listen(appOver(engine, { events }));
  const hundred = await Promise.all(
    Array.from({ length: 100 }, () => slowApi.open(`GET ${PATH} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`)),
  );
  await waitUntil("a reading waits", async () => (waiting.length > 0 ? null : "none"), { deadlineMs: 5_000 });
  expect((await fetch(`${slowApi.baseUrl}${PATH}`)).status).toBe(429);
  for (const socket of hundred) socket.destroy();
  const pump = setInterval(() => {
    for (const go of waiting.splice(0)) go();
  }, 10);
  await waitUntil(
    "there is a place",
    async () => {
      const stopping = new AbortController();
      const { status } = await fetch(`${slowApi.baseUrl}${PATH}`, { signal: stopping.signal });
      stopping.abort();
      return status === 200 ? null : `status ${status}`;
    },
    { deadlineMs: 20_000 },
  );
  clearInterval(pump);
  await slowApi.close();
});

it("refuses anything but the ID of an event", async () => {
  for (const id of ["1", "1-2-3", "-1-0123456789abcdef-0", "1-0123456789ABCDEF-0", "01-0123456789abcdef-0"]) {
    const response = await fetch(`${api.baseUrl}${PATH}`, { headers: { "Last-Event-ID": id } });
    expect([id, response.status]).toEqual([id, 400]);
    expect(await response.text()).toContain("Last-Event-ID: accepts the id of an event");
  }
});
