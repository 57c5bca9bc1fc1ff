/** Checks, on the plans of the statements that the API sends, that every access path is a primary key. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database, Statement } from "../../src/api/shared/database.ts";
import { volumeReader } from "../../src/api/shared/volume/query.ts";
import { NEWEST, type Position } from "../../src/api/transactions/cursor.ts";
import { firstBlockFinder } from "../../src/api/transactions/firstBlock.ts";
import { type HistoryFilters, historyStatements } from "../../src/api/transactions/query.ts";
import { positionsReader } from "../../src/api/treasury/position.query.ts";
import { ratesReader } from "../../src/api/treasury/rates.query.ts";
import { volumeSeriesReader } from "../../src/api/volume/series.query.ts";
import { classesMatching } from "../../src/indexing/filterClass.ts";
import type { PlanNode } from "../support/explain.ts";
import { insertRows, openEngine, type TestEngine } from "./support/engine.ts";
import { madeHistory } from "./support/history.ts";
import { addressOf, hashOf, insertHistory, networkOf } from "./support/world.ts";

const HISTORY = madeHistory(4_000);
const NEWEST_BLOCK = BigInt(HISTORY[0]?.inclusion.blockNumber ?? 0);
const SERIES_COUNT = 6;
const SECONDS_PER_SERIES = 2_000;

/** Tables with one row per network, per series or per change of an adapter, for which a full scan is the fastest plan. */
const SMALL_TABLES =
  /(^|_)(ponder_checkpoint|chain_state|volume_series|rwa|rwa_price|price_adapter_change|stablecoin)$/;

let engine: TestEngine;
beforeAll(async () => {
  engine = await openEngine("plans_test");
  await insertHistory(engine, 1, HISTORY);
  const series = Array.from({ length: SERIES_COUNT }, (_, seriesId) => ({
    chainId: 1,
    lpAddress: addressOf(`lp ${seriesId % 3}`),
    assetId: seriesId < 3 ? "" : addressOf("asset"),
    seriesId,
    decimals: 18,
    newestSecond: SECONDS_PER_SERIES - 1,
  }));
  await insertRows(engine, "volume_series", series);
  await insertRows(
    engine,
    "volume_total",
    series.flatMap(({ seriesId }) =>
      Array.from({ length: SECONDS_PER_SERIES }, (_, second) => ({
        chainId: 1,
        seriesId,
        second,
        legTotal: second + 1,
        amountTotal: second + 1,
        issuerFeeTotalWad: second + 1,
        spreadFeeTotalWad: second + 1,
        lpFeeTotalWad: second + 1,
      })),
    ),
  );
  await insertRates();
  await insertCreditEntries();
});
afterAll(() => engine.close());

/** Inserts three years of rates for a registered delegate and for two contracts that only emit the events. */
async function insertRates() {
  const delegates = ["registered", "stranger", "other stranger"].map(addressOf);
  const days = Array.from({ length: 1_000 }, (_, index) => 20_000n + BigInt(index));
  const row = { chainId: 1, transactionHash: hashOf("post") };
  const [registered] = delegates;
  const stablecoin = { stablecoinId: hashOf("TREASURY"), tokenAddress: addressOf("TREASURY"), decimals: 18 };
  await insertRows(engine, "stablecoin", [
    { ...row, ...stablecoin, delegateAddress: registered, accepted: true, yieldBearing: true },
  ]);
  const ofAll = (columns: (dayNumber: bigint) => object) =>
    delegates.flatMap((delegateAddress) =>
      days.map((dayNumber) => ({ ...row, delegateAddress, dayNumber, ...columns(dayNumber) })),
    );
  // Any contract may emit the event. There are so many emitters that a full scan would be slower than the key.
  const emitters = Array.from({ length: 1_000 }, (_, index) => addressOf(`emitter ${index}`));
  await insertRows(
    engine,
    "rate_start",
    [...delegates, ...emitters].map((delegateAddress) => ({ ...row, delegateAddress, firstRateDay: 20_000n })),
  );
  await insertRows(
    engine,
    "daily_rate",
    ofAll(() => ({ rateWad: 1n, poster: addressOf("poster"), postedAt: 1n, blockNumber: 1 })),
  );
  await insertRows(
    engine,
    "daily_rate_correction",
    ofAll((day) => ({
      blockNumber: day,
      logIndex: 0,
      oldRateWad: 1n,
      newRateWad: 2n,
      corrector: addressOf("poster"),
      correctedAt: 1n,
    })),
  );
}

/**
 * Inserts a thousand entries of two accounts at the registered delegate, and as many at a contract that only emits the
 * events.
 */
async function insertCreditEntries() {
  const accounts = ["registered", "stranger"].flatMap((delegate) =>
    ["alice", "bob"].map((account) => ({ delegateAddress: addressOf(delegate), account: addressOf(account) })),
  );
  const totals = { redeemedTotal: 0n, yieldClaimedTotal: 0n, movedInTotal: 0n, movedOutTotal: 0n };
  await insertRows(
    engine,
    "credit_entry",
    accounts.flatMap((account) =>
      Array.from({ length: 1_000 }, (_, second) => ({
        ...{ chainId: 1, ...account, second, blockNumber: second, logIndex: 0, kind: "deposit", yieldAmount: 0n },
        ...{ credits: 1n, depositedTotal: second + 1, ...totals },
      })),
    ),
  );
}

async function planNodes({ text, values }: Statement, mode: string): Promise<PlanNode[]> {
  const literals = values.map((value) => {
    if (value === null) return "NULL";
    if (Array.isArray(value)) return `'{${value.join(",")}}'`;
    return `'${String(value).replaceAll("'", "''")}'`;
  });
  const execution = `explained${literals.length > 0 ? `(${literals.join(", ")})` : ""}`;
  const results = await engine.execute(`
    SET plan_cache_mode = ${mode};
    PREPARE explained AS ${text};
    EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, FORMAT JSON) EXECUTE ${execution};
    DEALLOCATE explained;
    RESET plan_cache_mode;`);
  const explained = results.flat().find((row) => "QUERY PLAN" in row)?.["QUERY PLAN"];
  const [{ Plan: root }] = (typeof explained === "string" ? JSON.parse(explained) : explained) as [{ Plan: PlanNode }];
  const flatten = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)];
  return flatten(root);
}

/** A database that records the statements it runs. */
function recorder() {
  const statements: Statement[] = [];
  const recording: Database = {
    query: (statement) => {
      statements.push(statement);
      return engine.database.query(statement);
    },
  };
  return { statements, recording };
}

const rowsOf = (node: PlanNode) => Math.round(node["Actual Rows"] * node["Actual Loops"]);
const readBy = (node: PlanNode) => rowsOf(node) + (node["Rows Removed by Filter"] ?? 0) * node["Actual Loops"];

function expectPrimaryKeysOnly(nodes: readonly PlanNode[], scan = /^Index (Only )?Scan$/) {
  for (const node of nodes) {
    if (node["Index Name"] !== undefined) expect(node["Index Name"]).toMatch(/pkey$|_pk$/);
    const relation = node["Relation Name"];
    if (relation === undefined || SMALL_TABLES.test(relation)) continue;
    expect(node["Node Type"], relation).toMatch(scan);
  }
}

const LAST_PAGE = { blockNumber: 150n, transactionIndex: 5 };
const HASH = HISTORY[1_234]?.transactionHash;
const WALLET = addressOf("alice");
const CASES = [
  { title: "no filter", filters: {}, before: NEWEST, limit: 100 },
  { title: "a wallet", filters: { wallet: WALLET }, before: NEWEST, limit: 50 },
  { title: "an unknown wallet", filters: { wallet: addressOf("unknown") }, before: NEWEST, limit: 50 },
  { title: "a wallet and a property", filters: { wallet: WALLET, outcome: "revert" }, before: NEWEST, limit: 1 },
  { title: "a deep cursor", filters: { activity: "swap" }, before: LAST_PAGE, limit: 100 },
  { title: "an unknown entrypoint", filters: { entrypoint: "pause" }, before: NEWEST, limit: 50 },
  { title: "a page of a file", filters: { outcome: "success" }, before: NEWEST, limit: 100 },
  { title: "a page of a file's range", filters: {}, before: LAST_PAGE, fromBlock: 140n, limit: 100 },
  { title: "a hash", filters: { transactionHash: HASH, wallet: WALLET }, before: NEWEST, limit: 50 },
] satisfies { title: string; filters: HistoryFilters; before: Position; fromBlock?: bigint; limit: number }[];

// The plans must also hold without statistics: PGlite never gathers any, and a new table has none.
for (const statistics of ["without statistics", "with statistics"]) {
  describe(statistics, () => {
    beforeAll(async () => {
      if (statistics === "with statistics") await engine.execute("VACUUM ANALYZE");
    });

    for (const mode of ["force_custom_plan", "force_generic_plan"]) {
      it.each(CASES)(`${mode}: a page by $title reads keys and at most classes * (limit + 1) of them`, async (page) => {
        const rowLimit = page.limit + 1;
        const nodes = await planNodes(historyStatements(networkOf(engine, "mainnet"))(page.filters, page), mode);
        expectPrimaryKeysOnly(nodes);

        const most = Math.max(1, classesMatching(page.filters).length) * rowLimit;
        const keyScans = nodes.filter((node) => /_transaction_by_filter$/.test(node["Relation Name"] ?? ""));
        expect(keyScans.length).toBeGreaterThan(0);
        expect(keyScans.reduce((sum, node) => sum + readBy(node), 0)).toBeLessThanOrEqual(most);
        for (const sort of nodes.filter((node) => /Sort/.test(node["Node Type"]))) {
          const [input] = sort.Plans ?? [];
          expect(input && rowsOf(input)).toBeLessThanOrEqual(most);
        }
        const transactions = nodes.filter((node) => /_1_transaction$/.test(node["Relation Name"] ?? ""));
        expect(transactions.reduce((sum, node) => sum + readBy(node), 0)).toBeLessThanOrEqual(rowLimit);
      });

      it(`${mode}: a page reads no key below its first block`, async () => {
        const limits = { before: NEWEST, fromBlock: NEWEST_BLOCK - 1n, limit: 100 };
        const nodes = await planNodes(historyStatements(networkOf(engine, "mainnet"))({}, limits), mode);
        const keyScans = nodes.filter((node) => /_transaction_by_filter$/.test(node["Relation Name"] ?? ""));
        // The two newest blocks have less than a row per class, of which plans give the rounded average.
        expect(keyScans.reduce((sum, node) => sum + readBy(node), 0)).toBeLessThanOrEqual(classesMatching({}).length);
      });

      it(`${mode}: the first block at a time is found by a look-up for each halving of the blocks`, async () => {
        const { statements, recording } = recorder();
        const { timestamp, blockNumber } = HISTORY[1_234]?.inclusion ?? {};
        const findFirstBlock = firstBlockFinder(recording, networkOf(engine, "mainnet"));
        expect(await findFirstBlock(BigInt(timestamp ?? 0), 2n ** 31n)).toMatchObject({
          block: BigInt(blockNumber ?? 0),
        });

        expect(statements).toHaveLength(1);
        const nodes = await planNodes(statements[0] as Statement, mode);
        expectPrimaryKeysOnly(nodes);
        const lookUps = nodes.filter((node) => /_1_transaction$/.test(node["Relation Name"] ?? ""));
        expect(lookUps.reduce((sum, node) => sum + node["Actual Loops"], 0)).toBeLessThanOrEqual(32);
        expect(lookUps.reduce((sum, node) => sum + readBy(node), 0)).toBeLessThanOrEqual(32);
      });

      it(`${mode}: volume reads two totals per series, whatever the range`, async () => {
        const { statements, recording } = recorder();
        const range = { from: 500n, to: 1_900n };
        const network = networkOf(engine, "mainnet");
        const { series } = await volumeReader(recording, network)(range, undefined);
        expect(series.map(({ legs }) => legs)).toEqual(Array(SERIES_COUNT).fill(1_400));

        expect(statements).toHaveLength(1);
        const nodes = await planNodes(statements[0] as Statement, mode);
        expectPrimaryKeysOnly(nodes);
        const totals = nodes.filter((node) => /_volume_total$/.test(node["Relation Name"] ?? ""));
        expect(totals.reduce((sum, node) => sum + readBy(node), 0)).toBe(2 * SERIES_COUNT);
      });

      it(`${mode}: volume by bucket reads one total per series and bound`, async () => {
        const { statements, recording } = recorder();
        const bounds = Array.from({ length: 101 }, (_, index) => BigInt(500 + index * 14));
        const network = networkOf(engine, "mainnet");
        const reading = await volumeSeriesReader(recording, network)(bounds, undefined);
        expect(reading.buckets.map(({ series }) => series.map(({ legs }) => legs))).toEqual(
          Array(100).fill(Array(SERIES_COUNT).fill(14)),
        );

        expect(statements).toHaveLength(1);
        const nodes = await planNodes(statements[0] as Statement, mode);
        expectPrimaryKeysOnly(nodes);
        const totals = nodes.filter((node) => /_volume_total$/.test(node["Relation Name"] ?? ""));
        expect(totals.reduce((sum, node) => sum + readBy(node), 0)).toBe(bounds.length * SERIES_COUNT);
      });

      it(`${mode}: an account's history reads one entry per delegate and bound`, async () => {
        const { statements, recording } = recorder();
        const bounds = Array.from({ length: 61 }, (_, index) => BigInt(100 + index * 14));
        const read = positionsReader(recording, networkOf(engine, "mainnet"));
        const { accounts } = await read(addressOf("alice"), bounds);
        expect(accounts.map(({ totals }) => totals.map((total) => total?.deposited))).toEqual([bounds]);

        expect(statements).toHaveLength(1);
        const nodes = await planNodes(statements[0] as Statement, mode);
        expectPrimaryKeysOnly(nodes);
        const entries = nodes.filter((node) => /_credit_entry$/.test(node["Relation Name"] ?? ""));
        expect(entries.reduce((sum, node) => sum + readBy(node), 0)).toBe(bounds.length);
      });

      it(`${mode}: treasury rates read only the days of registered delegates`, async () => {
        const { statements, recording } = recorder();
        const range = { from: 20_500n * 86_400n, to: 20_600n * 86_400n };
        const { delegates } = await ratesReader(recording, networkOf(engine, "mainnet"))(range, undefined);
        expect(delegates.map(({ rates, posts }) => [rates.length, posts.length])).toEqual([[600, 100]]);

        expect(statements).toHaveLength(1);
        const nodes = await planNodes(statements[0] as Statement, mode);
        // These are hundreds of neighboring rows. A bitmap of the key reads each of them once, too.
        expectPrimaryKeysOnly(nodes, /^(Index (Only )?Scan|Bitmap Heap Scan)$/);
        const days = nodes.filter((node) => /_daily_rate$/.test(node["Relation Name"] ?? ""));
        expect(days.reduce((sum, node) => sum + readBy(node), 0)).toBe(700);
      });
    }
  });
}
