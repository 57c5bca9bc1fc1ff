/** The event stream over real connections: new events, rollbacks, and how clients continue after an interruption. */
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Database } from "../../src/api/shared/database.ts";
import { stateReader } from "../../src/api/shared/state.ts";
import { type EventStreams, eventStreams } from "../../src/api/transactions/events.ts";
import type { HistoryTransaction } from "../../src/api/transactions/schema.ts";
import { waitUntil } from "../e2e/harness/poll.ts";
import { type EventClient, followEvents } from "../support/eventClient.ts";
import { add, firstOf, inBlocks, onFork, rollBack, rollBackSql, showIndex } from "./support/changes.ts";
import { openEngine, setCheckpoint, type TestEngine } from "./support/engine.ts";
import { type ListeningApi, listen } from "./support/listening.ts";
import { appOver, networkOf } from "./support/world.ts";

const PATH = "/v1/events?network=evm-mainnet";

vi.setConfig({ testTimeout: 240_000 });

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
    { deadlineMs: 60_000, intervalMs: 50 },
  );

/** The ID that a client can make from a transaction. */
const madeId = ({ inclusion }: HistoryTransaction) =>
  `${inclusion.blockNumber}-${inclusion.blockHash.slice(2, 18)}-${inclusion.transactionIndex}`;

/** The ID that the stream gives: it names the first block that was not final, and the index. */
async function sentId(transaction: HistoryTransaction, firstUnfinal: number): Promise<string> {
  const { index } = await stateReader(engine.database, networkOf(engine, "mainnet"))();
  return `${madeId(transaction)}-${firstUnfinal}-${index.id.replaceAll("-", "").slice(0, 16)}`;
}

const asEvents = (transactions: readonly HistoryTransaction[]) =>
  transactions.map((transaction) => ({
    event: "transaction",
    id: expect.stringMatching(`^${madeId(transaction)}-[0-9]+-[0-9a-f]{16}$`),
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

it("names the block to read again instead of sending more than may wait for a client, live and after an interruption", async () => {
  await setCheckpoint(engine, "mainnet", 105);
  const old = inBlocks(100, 110);
  await add(engine, old);
  const client = await follow();
  // Anybody can make such a call, because one that reverts is part of the history, too.
  const huge = inBlocks(111, 112).map((transaction) => {
    const { directCall } = transaction;
    if (directCall?.entrypoint !== "swap") return transaction;
    const submittedSwapLegs = Array(4_000).fill(directCall.submittedSwapLegs[0]);
    return { ...transaction, directCall: { ...directCall, submittedSwapLegs } };
  });
  expect(JSON.stringify(huge).length).toBeGreaterThan(2 ** 20);
  await add(engine, huge);
  await untilReceived(client, 1);
  await add(engine, inBlocks(113, 113));
  await untilReceived(client, 4);
  const reset = { event: "reset", id: undefined, data: { fromBlock: "111" } };
  expect(client.received).toEqual([reset, ...asEvents(inBlocks(113, 113))]);
  const late = await follow(madeId(old.at(-1) as HistoryTransaction));
  await untilReceived(late, 1);
  expect(late.received).toEqual([reset]);
});

it("tells every client to read everything again when another index takes the place of this one", async () => {
  await setCheckpoint(engine, "mainnet", 105);
  await add(engine, inBlocks(100, 110));
  const client = await follow();
  // The indexes are at the same block, and differ in a row of a final one.
  await showIndex(
    engine,
    `${engine.schema}_r1`,
    `UPDATE "${engine.schema}".transaction SET gas_used = 1 WHERE block_number = 103`,
  );
  await untilReceived(client, 1);
  await add(engine, inBlocks(111, 111));
  await untilReceived(client, 4);
  // The other index is behind, so that it has the newest block a second time later.
  await showIndex(engine, `${engine.schema}_r2`, rollBackSql(engine, 111));
  await untilReceived(client, 5);
  await add(engine, inBlocks(111, 112));
  await untilReceived(client, 11);
  const reset = { event: "reset", id: undefined, data: { fromBlock: "100" } };
  expect(client.received).toEqual([reset, ...asEvents(inBlocks(111, 111)), reset, ...asEvents(inBlocks(111, 112))]);
  expect(errors).toEqual([]);
});

it("tells a client that was not connected when another index took the place of its own", async () => {
  await setCheckpoint(engine, "mainnet", 105);
  await add(engine, inBlocks(100, 110));
  const before = [await follow(), await follow()];
  await add(engine, inBlocks(111, 111));
  for (const client of before) {
    await untilReceived(client, 3);
    client.stop();
  }
  // Its event is in both indexes, but a final row is not the same.
  await showIndex(
    engine,
    `${engine.schema}_r1`,
    `UPDATE "${engine.schema}".transaction SET gas_used = 1 WHERE block_number = 103`,
  );
  const reset = { event: "reset", id: undefined, data: { fromBlock: "100" } };
  const [first, second] = [await follow(before[0]?.lastEventId()), await follow(before[1]?.lastEventId())];
  for (const client of [first, second]) await untilReceived(client, 1);
  // It has read everything again, although nothing has happened since.
  first.stop();
  const again = await follow(first.lastEventId());
  await add(engine, inBlocks(112, 112));
  await untilReceived(again, 3);
  await untilReceived(second, 4);
  expect(again.received).toEqual(asEvents(inBlocks(112, 112)));
  expect(second.received).toEqual([reset, ...asEvents(inBlocks(112, 112))]);
});

it("gives a client an ID to continue from before its first event, and after a reset", async () => {
  await setCheckpoint(engine, "mainnet", 105);
  await add(engine, inBlocks(100, 110));
  const client = await follow();
  const newest = firstOf(inBlocks(110, 110).slice(-1));
  const untilAt = (id: string) =>
    waitUntil("the ID", async () => (client.lastEventId() === id ? null : String(client.lastEventId())), {
      deadlineMs: 60_000,
      intervalMs: 50,
    });
  await untilAt(await sentId(newest, 106));
  await showIndex(engine, `${engine.schema}_r1`);
  await untilReceived(client, 1);
  await untilAt(await sentId(newest, 106));
  client.stop();
  await add(engine, inBlocks(111, 112));
  const later = await follow(client.lastEventId());
  await untilReceived(later, 6);
  expect(later.received).toEqual(asEvents(inBlocks(111, 112)));
});

it("streams to all others while it reads what one client has missed, and then loses nothing to that one", async () => {
  await setCheckpoint(engine, "mainnet", 105);
  await add(engine, inBlocks(100, 110));
  let goOn = () => {};
  const catchingUp = new Promise<void>((go) => {
    goOn = go;
  });
  const database: Database = {
    query: async (statement) => {
      const [from, to] = statement.values;
      // The block of the event that the client has seen.
      if (statement.name.startsWith("api_events_blocks") && from === to) await catchingUp;
      return engine.database.query(statement);
    },
  };
  const networks = [networkOf(engine, "mainnet")];
  const events = eventStreams({ database, networks, onFailure: (error) => errors.push(error) });
  let openCount = 0;
  const counting: EventStreams = {
    ...events,
    open: (network, client) => {
      openCount += 1;
      return events.open(network, client);
    },
  };
  const slowApi = await listen(appOver(engine, { events: counting }));
  const followSlow = async (id?: string) => {
    const client = await followEvents(`${slowApi.baseUrl}${PATH}`, id);
    clients.push(client);
    return client;
  };
  const other = await followSlow();
  const late = [106, 107].map((block) => followSlow(madeId(firstOf(inBlocks(block, block).slice(-1)))));
  await waitUntil("both have asked", async () => (openCount === 3 ? null : `${openCount} opened`), {
    deadlineMs: 60_000,
    intervalMs: 10,
  });
  // Clients join in turn, so they have joined before one that asks later. It missed nothing, and does not wait for them.
  await followSlow();
  await add(engine, inBlocks(111, 111));
  await untilReceived(other, 3);
  await rollBack(engine, 110);
  await add(engine, onFork(inBlocks(110, 112)));
  await untilReceived(other, 13);
  goOn();
  const [from106, from107] = await Promise.all(late);
  const reset = { event: "reset", id: undefined, data: { fromBlock: "110" } };
  const fork = asEvents(onFork(inBlocks(110, 112)));
  expect(other.received).toEqual([...asEvents(inBlocks(111, 111)), reset, ...fork]);
  // What was read late is of the new chain already. The events that waited meanwhile follow, with the reset.
  const waited = [...asEvents(inBlocks(111, 111)), reset, ...fork];
  for (const [client, block] of [
    [from106, 107],
    [from107, 108],
  ] as const) {
    if (client === undefined) throw new Error("there is no stream");
    const missed = [...inBlocks(block, 109), ...onFork(inBlocks(110, 110))];
    await untilReceived(client, missed.length + waited.length);
    expect(client.received).toEqual([...asEvents(missed), ...waited]);
  }
  for (const client of clients.splice(0)) client.stop();
  await slowApi.close();
});

it("starts with what a client has missed since the event that it names", async () => {
  await add(engine, inBlocks(100, 120));
  const client = await follow(madeId(firstOf(inBlocks(115, 115).slice(1))));
  await add(engine, inBlocks(121, 121));
  const missed = inBlocks(115, 121).slice(2);
  await untilReceived(client, missed.length);
  expect(client.received).toEqual(asEvents(missed));
});

it("tells a client whose event no longer exists to read everything again that was not final then", async () => {
  await add(engine, inBlocks(100, 120));
  const gone = firstOf(onFork(inBlocks(118, 118)));
  for (const [final, id, fromBlock] of [
    [105, await sentId(gone, 106), "106"],
    // The client has blocks from 106 on of the other chain, although that of its event and those before are final now.
    [110, await sentId(gone, 106), "106"],
    [119, await sentId(gone, 106), "106"],
    // It is unknown what was final when the client read this transaction.
    [105, madeId(gone), "100"],
    [105, "900-0123456789abcdef-0", "100"],
    // A final block of another chain, which the client followed.
    [105, await sentId(firstOf(onFork(inBlocks(103, 103))), 104), "100"],
  ] as const) {
    await setCheckpoint(engine, "mainnet", final);
    const client = await follow(id);
    await untilReceived(client, 1);
    expect(client.received).toEqual([{ event: "reset", id: undefined, data: { fromBlock } }]);
    client.stop();
  }
});

it("tells a client that missed too much to read the history again", async () => {
  await add(engine, inBlocks(100, 110));
  const client = await follow();
  const late = await follow(madeId(firstOf(inBlocks(101, 101))));
  await add(engine, inBlocks(111, 390));
  await untilReceived(client, 1);
  await add(engine, inBlocks(391, 391));
  await untilReceived(client, 4);
  expect(client.received).toEqual([
    { event: "reset", id: undefined, data: { fromBlock: "111" } },
    ...asEvents(inBlocks(391, 391)),
  ]);
  late.stop();
  const later = await follow(madeId(firstOf(inBlocks(101, 101))));
  await untilReceived(later, 1);
  expect(later.received).toEqual([{ event: "reset", id: undefined, data: { fromBlock: "101" } }]);
});

it("continues after the database failed for a while", async () => {
  await add(engine, inBlocks(100, 110));
  const client = await follow();
  await engine.execute(`ALTER TABLE "${engine.schema}".chain_state RENAME TO hidden`);
  await waitUntil("a failure is noticed", async () => (errors.length > 0 ? null : "none"), { deadlineMs: 60_000 });
  await engine.execute(`ALTER TABLE "${engine.schema}".hidden RENAME TO chain_state`);
  await add(engine, inBlocks(111, 111));
  await untilReceived(client, 3);
  expect(client.received).toEqual(asEvents(inBlocks(111, 111)));
});

it("ends every stream when the process ends, including those that start afterwards", async () => {
  await add(engine, inBlocks(100, 110));
  const client = await follow();
  endStreams();
  await waitUntil("the stream ends", async () => (client.hasEnded() ? null : "it goes on"), { deadlineMs: 60_000 });
  const late = await follow();
  await waitUntil("the stream ends", async () => (late.hasEnded() ? null : "it goes on"), { deadlineMs: 60_000 });
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
    { deadlineMs: 60_000 },
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
  await waitUntil("a reading waits", async () => (waiting.length > 0 ? null : "none"), { deadlineMs: 60_000 });
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
    { deadlineMs: 60_000 },
  );
  clearInterval(pump);
  await slowApi.close();
});

it("takes no place for a request that names a network that is off", async () => {
  await add(engine, inBlocks(100, 110));
  for (let count = 0; count < 100; count += 1) {
    const refused = await fetch(`${api.baseUrl}/v1/events?network=evm-sepolia`);
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining("evm-sepolia is not enabled"),
    ]);
  }
  expect((await follow()).response.status).toBe(200);
});

it("answers HEAD with the status and the headers of GET, and takes no place for it", async () => {
  await add(engine, inBlocks(100, 110));
  const ask = async (method: string, path: string, headers: Record<string, string> = {}) => {
    const stopping = new AbortController();
    const response = await fetch(`${api.baseUrl}${path}`, { method, headers, signal: stopping.signal });
    stopping.abort();
    return [response.status, response.headers.get("content-type"), response.headers.get("cache-control")];
  };
  const off = "/v1/events?network=evm-sepolia";
  const badId: Record<string, string> = { "Last-Event-ID": "1" };
  for (const [path, headers] of [
    [PATH, {}],
    [off, {}],
    [PATH, badId],
    ["/v1/events", {}],
  ] as const) {
    expect(await ask("HEAD", path, headers), path).toEqual(await ask("GET", path, headers));
  }
  expect((await ask("HEAD", off))[0]).toBe(400);
  for (let count = 0; count < 110; count += 1) await ask("HEAD", PATH);
  const full = await Promise.all(Array.from({ length: 100 }, () => follow()));
  expect(full).toHaveLength(100);
  expect((await ask("HEAD", PATH))[0]).toBe(429);
});

it("refuses anything but the ID of an event", async () => {
  for (const id of [
    ...["1", "1-2-3", "-1-0123456789abcdef-0", "1-0123456789ABCDEF-0", "01-0123456789abcdef-0"],
    ...[
      "1-0123456789abcdef-0-",
      "1-0123456789abcdef-0-1",
      "1-0123456789abcdef-0-1-0123",
      "1-0123456789abcdef-0-x-0123456789abcdef",
    ],
  ]) {
    const response = await fetch(`${api.baseUrl}${PATH}`, { headers: { "Last-Event-ID": id } });
    expect([id, response.status]).toEqual([id, 400]);
    expect(await response.text()).toContain("Last-Event-ID: accepts the id of an event");
  }
});
