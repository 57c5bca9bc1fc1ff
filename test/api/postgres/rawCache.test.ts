/** The ranges of cached blocks that remain after some blocks are removed, as Ponder reads them. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { dropCachedRange } from "../../../tools/lib/rawCache.ts";
import { openEngine, type TestEngine } from "../support/engine.ts";

let engine: TestEngine;
beforeAll(async () => {
  engine = await openEngine("raw_cache_test");
  const tables = ["transactions", "transaction_receipts", "logs", "traces", "rpc_request_results"];
  await engine.execute(`
    CREATE SCHEMA ponder_sync;
    CREATE TABLE ponder_sync.intervals (fragment_id text PRIMARY KEY, chain_id bigint, blocks nummultirange NOT NULL);
    CREATE TABLE ponder_sync.blocks (chain_id bigint, number bigint);
    ${tables.map((table) => `CREATE TABLE ponder_sync.${table} (chain_id bigint, block_number bigint);`).join("\n")}
    INSERT INTO ponder_sync.blocks SELECT chain_id, number FROM unnest('{1,2}'::bigint[]) AS chain_id, generate_series(0, 99) AS number;
  `);
});
afterAll(() => engine.close());

/** Formats the blocks `a` to `b` as Ponder writes them: `[a, b + 1]`. */
const multirange = (...ranges: [number, number][]) =>
  `{${ranges.map(([first, last]) => `[${first},${last + 1}]`).join(",")}}`;

it.each([
  {
    cached: [[0, 99]],
    from: 10,
    to: 19,
    left: [
      [0, 9],
      [20, 99],
    ],
  },
  {
    cached: [[0, 99]],
    from: 10,
    to: 10,
    left: [
      [0, 9],
      [11, 99],
    ],
  },
  { cached: [[10, 99]], from: 10, to: 19, left: [[20, 99]] },
  { cached: [[0, 19]], from: 10, to: 19, left: [[0, 9]] },
  {
    cached: [
      [0, 9],
      [15, 30],
    ],
    from: 5,
    to: 20,
    left: [
      [0, 4],
      [21, 30],
    ],
  },
  { cached: [[0, 9]], from: 20, to: 30, left: [[0, 9]] },
  { cached: [[10, 19]], from: 10, to: 19, left: null },
  { cached: [[10, 19]], from: 0, to: 99, left: null },
] as { cached: [number, number][]; from: number; to: number; left: [number, number][] | null }[])(
  "$cached without $from to $to is $left",
  async ({ cached, from, to, left }) => {
    if (engine.pool === null) throw new Error("this test runs on PostgreSQL");
    await engine.execute(`
      TRUNCATE ponder_sync.intervals;
      INSERT INTO ponder_sync.intervals VALUES ('one', 1, '${multirange(...cached)}'), ('other', 2, '${multirange(...cached)}')`);
    await dropCachedRange(engine.pool, 1, BigInt(from), BigInt(to));
    const [rows] = await engine.execute("SELECT fragment_id, blocks::text FROM ponder_sync.intervals ORDER BY 1");
    expect(rows).toEqual([
      ...(left === null ? [] : [{ fragment_id: "one", blocks: multirange(...left) }]),
      { fragment_id: "other", blocks: multirange(...cached) },
    ]);
    const [counts] = await engine.execute(
      `SELECT chain_id::int, count(*)::int FROM ponder_sync.blocks WHERE number BETWEEN ${from} AND ${to} GROUP BY 1 ORDER BY 1`,
    );
    expect(counts).toEqual([{ chain_id: 2, count: Math.min(to, 99) - from + 1 }]);
  },
);

it("drops what was read of tokens without a block, and nothing of other chains", async () => {
  if (engine.pool === null) throw new Error("this test runs on PostgreSQL");
  await engine.execute(`
    TRUNCATE ponder_sync.rpc_request_results;
    INSERT INTO ponder_sync.rpc_request_results VALUES (1, NULL), (1, 5), (1, 15), (2, NULL)`);
  await dropCachedRange(engine.pool, 1, 10n, 19n);
  const [rows] = await engine.execute("SELECT chain_id::int, block_number::int FROM ponder_sync.rpc_request_results");
  expect(rows).toEqual([
    { chain_id: 1, block_number: 5 },
    { chain_id: 2, block_number: null },
  ]);
});
