/** Events of a history that changes, or cannot be read, between two statements of one read. */
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Statement } from "../../src/api/shared/database.ts";
import { type Feed, type HistoryEvent, historyFeed } from "../../src/api/transactions/feed.ts";
import type { HistoryTransaction } from "../../src/api/transactions/schema.ts";
import { add, inBlocks, onFork, rollBack, showIndex } from "./support/changes.ts";
import { openEngine, setCheckpoint, type TestEngine } from "./support/engine.ts";
import { networkOf } from "./support/world.ts";

let engine: TestEngine;
let feed: Feed;
/** Runs before each statement. */
let beforeStatement: (statement: Statement) => Promise<void> = async () => {};

beforeEach(async () => {
  engine = await openEngine("event_races_test");
  const query = async (statement: Statement) => {
    await beforeStatement(statement);
    return engine.database.query(statement);
  };
  feed = historyFeed({ query }, networkOf(engine, "mainnet"));
  await setCheckpoint(engine, "mainnet", 105);
  await add(engine, inBlocks(100, 110));
  await feed.readNew();
});
afterEach(async () => {
  beforeStatement = async () => {};
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
