/** Reverted calls that name hundreds of legs: a page of them stays small, and nothing is left out. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type EventId, historyFeed } from "../../src/api/transactions/feed.ts";
import { type HistoryTransaction, historyAnswer } from "../../src/api/transactions/schema.ts";
import { parseCsv } from "../support/csv.ts";
import { add, inBlocks } from "./support/changes.ts";
import { checkedRequest } from "./support/checked.ts";
import { openEngine, setCheckpoint, type TestEngine } from "./support/engine.ts";
import { appOver, networkOf } from "./support/world.ts";

const PATH = "/v1/transactions?network=evm-mainnet&limit=100";
/** More than fit in a call of 128 KiB, so that a few calls are enough. */
const LEGS = 3_000;

const withLongCalls = (transactions: readonly HistoryTransaction[]): HistoryTransaction[] =>
  transactions.map((transaction) => {
    const { directCall, receipt } = transaction;
    const [leg] = directCall?.entrypoint === "swap" ? directCall.submittedSwapLegs : [];
    if (receipt.outcome !== "revert" || directCall?.entrypoint !== "swap" || leg === undefined) return transaction;
    return { ...transaction, directCall: { ...directCall, submittedSwapLegs: Array<typeof leg>(LEGS).fill(leg) } };
  });

const FIRST = withLongCalls(inBlocks(100, 120));
const LATER = withLongCalls(inBlocks(121, 140));

let engine: TestEngine;
beforeAll(async () => {
  engine = await openEngine("long_calls_test");
  await setCheckpoint(engine, "mainnet", 120);
  await add(engine, FIRST);
});
afterAll(() => engine.close());

it("ends a page early, and continues after it", async () => {
  const app = appOver(engine);
  const found: HistoryTransaction[] = [];
  const lengths: number[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const { body, response } = await checkedRequest(app, cursor === "" ? PATH : `${PATH}&cursor=${cursor}`);
    expect(response.status).toBe(200);
    const page = historyAnswer.parse(body);
    expect(page.transactions.length).toBeGreaterThan(0);
    expect(JSON.stringify(page).length).toBeLessThan(6_000_000);
    lengths.push(page.transactions.length);
    found.push(...page.transactions);
    cursor = page.nextCursor;
  }
  expect(found).toEqual(FIRST.toReversed());
  expect(lengths.length).toBeGreaterThan(1);
  // Without long calls, a page is as long as the limit.
  const { body } = await checkedRequest(app, `${PATH}&outcome=success`);
  const successes = FIRST.filter(({ receipt }) => receipt.outcome === "success");
  expect(historyAnswer.parse(body)).toMatchObject({ transactions: successes.toReversed(), nextCursor: null });
});

it("are all in a CSV file", async () => {
  const response = await appOver(engine).app.request("/v1/transactions.csv?network=evm-mainnet");
  const { rows } = parseCsv(await response.text());
  expect(new Set(rows.map(({ transactionHash }) => transactionHash))).toEqual(
    new Set(FIRST.map(({ transactionHash }) => transactionHash)),
  );
});

it("are a reset for a client of the stream, which reads no more than a page of them", async () => {
  let statements = 0;
  const query: typeof engine.database.query = (statement) => {
    statements += 1;
    return engine.database.query(statement);
  };
  const feed = historyFeed({ ...engine.database, query }, networkOf(engine, "mainnet"));
  await feed.readNew();
  await add(engine, LATER);
  expect(await feed.readNew()).toEqual([{ type: "reset", fromBlock: 121n }]);
  statements = 0;
  const [first] = FIRST as [HistoryTransaction];
  expect(await feed.since(madeIdOf(first))()).toEqual([{ type: "reset", fromBlock: 100n }]);
  expect(statements).toBe(2);
});

it.each([
  [500, 500],
  [501, 1],
  [550, 1],
  [600, 1],
])("%i short ones that a client missed are %i events", async (missed, count) => {
  const short = await openEngine("missed_events_test");
  try {
    await setCheckpoint(short, "mainnet", 120);
    const all = inBlocks(100, 500);
    await add(short, all);
    const feed = historyFeed(short.database, networkOf(short, "mainnet"));
    await feed.readNew();
    const events = await feed.since(madeIdOf(all.at(-1 - missed) as HistoryTransaction))();
    expect(events).toHaveLength(count);
    expect(events[0]?.type).toBe(count === 1 ? "reset" : "transaction");
  } finally {
    await short.close();
  }
});

/** The ID that a client makes from a transaction. */
function madeIdOf({ inclusion }: HistoryTransaction): EventId {
  const { blockNumber, transactionIndex, blockHash } = inclusion;
  return {
    blockNumber: BigInt(blockNumber),
    transactionIndex: Number(transactionIndex),
    blockHashStart: blockHash.slice(2, 18),
    origin: null,
  };
}
