/** Events of a history that changes, cannot be read, or is read from another server, between two statements of a read. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Database, Statement } from "../../src/api/shared/database.ts";
import { type Feed, type HistoryEvent, historyFeed } from "../../src/api/transactions/feed.ts";
import type { HistoryTransaction } from "../../src/api/transactions/schema.ts";
import { add, firstOf, inBlocks, onFork, rollBack, showIndex } from "./support/changes.ts";
import { createIndex, openEngine, setCheckpoint, type TestEngine } from "./support/engine.ts";
import { networkOf } from "./support/world.ts";

let engine: TestEngine;
let feed: Feed;
/** Runs statements of the feed. */
let query: Database["query"];
/** Another server with the same index, which can be behind. */
let standby: TestEngine;
/** Runs before each statement. */
let beforeStatement: (statement: Statement) => Promise<void> = async () => {};
/** Which statements the standby server answers. */
let isForStandby: (statement: Statement) => boolean = () => false;

beforeEach(async () => {
  engine = await openEngine("event_races_test");
  query = async (statement) => {
    await beforeStatement(statement);
    if (!isForStandby(statement)) return engine.database.query(statement);
    const text = statement.text.replaceAll(`"${engine.schema}"`, `"${standby.schema}"`);
    return engine.database.query({ ...statement, name: `${statement.name}_standby`, text });
  };
  standby = { ...engine, schema: "event_races_standby" };
  await createIndex(engine, standby.schema);
  await engine.execute(`CREATE OR REPLACE VIEW "${standby.schema}".coreswap_index AS
    SELECT * FROM "${engine.schema}".coreswap_index`);
  await setCheckpoint(standby, "mainnet", 105);
  feed = historyFeed({ query }, networkOf(engine, "mainnet"));
  await setCheckpoint(engine, "mainnet", 105);
  await add(engine, inBlocks(100, 110));
  await feed.readNew();
});
afterEach(async () => {
  beforeStatement = async () => {};
  isForStandby = () => false;
  await engine.close();
});

/** Does something once, before the next page of transactions is read. */
function beforeNextPage(action: () => Promise<void>, isMeant: (limit: unknown) => boolean = () => true): void {
  beforeStatement = async ({ name, values }) => {
    if (!name.startsWith("api_transactions") || !isMeant(values[4])) return;
    beforeStatement = async () => {};
    await action();
  };
}

/** What a client has that received the events after blocks 100 to 110. */
function held(events: readonly HistoryEvent[]): HistoryTransaction[] {
  let rows = inBlocks(100, 110);
  for (const event of events) {
    if (event.type === "transaction") rows.push(event.transaction);
    else rows = rows.filter(({ inclusion }) => BigInt(inclusion.blockNumber) < event.fromBlock);
  }
  return rows;
}

it("notices that the newest block was replaced by a longer one while new transactions were read", async () => {
  const [first, ...rest] = onFork(inBlocks(110, 110));
  const [another] = inBlocks(112, 112);
  if (first === undefined || another === undefined) throw new Error("there is no transaction");
  const longer = [first, ...rest, { ...another, inclusion: { ...first.inclusion, transactionIndex: "999" } }];
  await add(engine, inBlocks(111, 111));
  beforeNextPage(async () => {
    await rollBack(engine, 110);
    await add(engine, longer);
  });
  await expect(feed.readNew()).rejects.toThrow("block 110 was replaced while its transactions were read");
  expect(held(await feed.readNew())).toEqual([...inBlocks(100, 109), ...longer]);
});

it("repeats a reset from the first replaced block when the database failed before it was complete", async () => {
  await rollBack(engine, 109);
  await add(engine, onFork(inBlocks(109, 390)));
  beforeNextPage(
    () => Promise.reject(new Error("the database is away")),
    (limit) => limit === 1,
  );
  await expect(feed.readNew()).rejects.toThrow("the database is away");
  expect(await feed.readNew()).toEqual([{ type: "reset", fromBlock: 109n }]);
});

it("notices that a block was rolled back that arrived while the newest transaction was read", async () => {
  await showIndex(engine, "another");
  beforeNextPage(() => add(engine, inBlocks(111, 111)));
  expect(await feed.readNew()).toEqual([{ type: "reset", fromBlock: 100n }]);
  await rollBack(engine, 111);
  const replaced = onFork(inBlocks(111, 111));
  await add(engine, replaced);
  const [reset, ...events] = await feed.readNew();
  expect(reset).toEqual({ type: "reset", fromBlock: 111n });
  expect(held(events)).toEqual([...inBlocks(100, 110), ...replaced]);
});

it("names the first block when more arrive than are returned after nothing was left of it, or of the history", async () => {
  await rollBack(engine, 106);
  await engine.execute(`UPDATE "${engine.schema}".chain_state SET block_number = 105`);
  expect(await feed.readNew()).toEqual([{ type: "reset", fromBlock: 106n }]);
  await add(engine, onFork(inBlocks(106, 310)));
  expect(await feed.readNew()).toEqual([{ type: "reset", fromBlock: 106n }]);

  await rollBack(engine, 100);
  const fromStart = historyFeed(engine.database, networkOf(engine, "mainnet"));
  expect(await fromStart.readNew()).toEqual([]);
  await add(engine, inBlocks(100, 310));
  expect(await fromStart.readNew()).toEqual([{ type: "reset", fromBlock: 100n }]);
});

it("leads a client to blocks that come back after it was told to discard them", async () => {
  await rollBack(engine, 110);
  await engine.execute(`UPDATE "${engine.schema}".chain_state SET block_number = 109`);
  expect(await feed.readNew()).toEqual([{ type: "reset", fromBlock: 110n }]);
  const seen = feed.position();
  // While the client is not connected, the chain returns to the block that it was on.
  await add(engine, inBlocks(110, 110));
  expect(await feed.readNew()).toHaveLength(3);
  expect(await feed.since(seen)()).toEqual([{ type: "reset", fromBlock: 106n }]);
});

describe("a standby server", () => {
  const isPage = ({ name }: Statement) => name.startsWith("api_transactions");
  const isState = ({ name }: Statement) => name.startsWith("api_state");
  const seen = () => {
    const { inclusion } = firstOf(inBlocks(107, 107).slice(-1));
    return {
      blockNumber: BigInt(inclusion.blockNumber),
      blockHashStart: inclusion.blockHash.slice(2, 18),
      transactionIndex: Number(inclusion.transactionIndex),
      origin: null,
    };
  };
  const transactionsOf = (events: readonly HistoryEvent[]) =>
    events.map((event) => (event.type === "transaction" ? event.transaction : event));

  it("that lacks what a client missed does not answer for it", async () => {
    await add(standby, inBlocks(100, 108));
    isForStandby = isPage;
    await expect(feed.since(seen())()).rejects.toThrow("the database is behind");
    await add(standby, inBlocks(109, 110));
    expect(transactionsOf(await feed.since(seen())())).toEqual(inBlocks(108, 110));
  });

  it("that is on another chain does not answer for what a client missed", async () => {
    await add(standby, [...inBlocks(100, 108), ...onFork(inBlocks(109, 111))]);
    isForStandby = isPage;
    await expect(feed.since(seen())()).rejects.toThrow("the database is behind");
    // Its chain has no transaction in the blocks that the client missed.
    await rollBack(standby, 109);
    await engine.execute(`UPDATE "${standby.schema}".chain_state SET block_number = 111`);
    await expect(feed.since(seen())()).rejects.toThrow("the database is behind");
    // The client has a block of the chain that the server is on.
    await rollBack(engine, 107);
    await add(engine, onFork(inBlocks(107, 110)));
    await feed.readNew();
    isForStandby = ({ name }) => name.startsWith("api_events_blocks");
    await expect(feed.since(seen())()).rejects.toThrow("the database is behind");
  });

  it("that has another index does not answer", async () => {
    await add(standby, inBlocks(100, 110));
    await showIndex(standby, "another");
    isForStandby = isPage;
    await expect(feed.since(seen())()).rejects.toThrow("another index replaced");
    await add(engine, inBlocks(111, 111));
    await expect(feed.readNew()).rejects.toThrow("another index replaced");
    isForStandby = () => false;
    expect(transactionsOf(await feed.readNew())).toEqual(inBlocks(111, 111));
  });

  it("that is behind gives no second page", async () => {
    await add(standby, inBlocks(100, 110));
    await add(engine, inBlocks(111, 150));
    let pages = 0;
    isForStandby = (statement) => {
      if (isPage(statement)) pages += 1;
      return isPage(statement) && pages === 2;
    };
    await expect(feed.readNew()).rejects.toThrow("the database is behind");
    expect(transactionsOf(await feed.readNew())).toEqual(inBlocks(111, 150));
  });

  it("that is behind delays new transactions until the next read only", async () => {
    await add(standby, inBlocks(100, 110));
    await add(engine, inBlocks(111, 111));
    isForStandby = isPage;
    expect(await feed.readNew()).toEqual([]);
    isForStandby = () => false;
    expect(transactionsOf(await feed.readNew())).toEqual(inBlocks(111, 111));
  });

  it("that gives the newest transaction, but not the blocks before it, does not begin the feed", async () => {
    await add(standby, inBlocks(100, 108));
    const later = historyFeed({ query }, networkOf(engine, "mainnet"));
    isForStandby = ({ name }) => name.startsWith("api_events_blocks");
    await expect(later.readNew()).rejects.toThrow("the database is behind");
    isForStandby = (statement) => isPage(statement) || isState(statement);
    expect(await later.readNew()).toEqual([]);
    isForStandby = () => false;
    expect(transactionsOf(await later.readNew())).toEqual(inBlocks(109, 110));
  });
});
