/** What the price cache does on PostgreSQL alone: several processes share it. */
import { setTimeout as delay } from "node:timers/promises";
import type { Pool } from "pg";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { createPricePool, createPriceTable, postgresPriceStore } from "../../../src/api/prices/postgres.ts";
import type { RwaPrice } from "../../../src/api/prices/store.ts";
import { openEngine, type TestEngine } from "../support/engine.ts";
import { tbillPrice } from "../support/legs.ts";

let engine: TestEngine;
const pools: Pool[] = [];
const warnings: string[] = [];

beforeAll(async () => {
  engine = await openEngine("price_store_test");
});
afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.end();
  warnings.length = 0;
});
afterAll(() => engine.close());

/** The pool of one process. */
function processPool(): Pool {
  const pool = createPricePool(connectionString(), (message) => warnings.push(message));
  pools.push(pool);
  return pool;
}

function connectionString(): string {
  const url = engine.pool?.options.connectionString;
  if (url === undefined) throw new Error("this test runs on PostgreSQL");
  return url;
}

it("is created once by processes that start at the same time", async () => {
  const processes = Array.from({ length: 8 }, processPool);
  await Promise.all(processes.map(createPriceTable));
  await createPriceTable(processPool());
  expect(await postgresPriceStore(processPool()).read(1)).toEqual([]);
});

it("keeps every digit of a price, and the newest reading of an RWA", async () => {
  const pool = processPool();
  await createPriceTable(pool);
  const store = postgresPriceStore(pool);
  const largest: RwaPrice = { ...tbillPrice, priceUsdWad: 2n ** 256n - 1n, blockNumber: 2n ** 63n - 1n };
  await store.write([tbillPrice]);
  await store.write([largest, { ...tbillPrice, chainId: 11155111 }]);
  expect(await postgresPriceStore(processPool()).read(1)).toEqual([largest]);
});

it("runs a chain's task in one process, beside the tasks of other chains", async () => {
  const [one, other] = [processPool(), processPool()];
  await createPriceTable(one);
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
  const { promise: started, resolve: start } = Promise.withResolvers<void>();
  const running = postgresPriceStore(one).exclusively(1, () => {
    start();
    return mayEnd;
  });
  await started;

  const ran: number[] = [];
  const runOnOther = (chainId: number) =>
    postgresPriceStore(other).exclusively(chainId, async () => void ran.push(chainId));
  await runOnOther(1);
  await runOnOther(11155111);
  expect(ran).toEqual([11155111]);
  end();
  await running;
  await runOnOther(1);
  expect(ran).toEqual([11155111, 1]);
});

it("frees a chain whose task failed", async () => {
  const [one, other] = [processPool(), processPool()];
  await createPriceTable(one);
  const failing = postgresPriceStore(one).exclusively(1, () => Promise.reject(new Error("the task failed")));
  await expect(failing).rejects.toThrow("the task failed");
  let hasRun = false;
  await postgresPriceStore(other).exclusively(1, async () => {
    hasRun = true;
  });
  expect(hasRun).toBe(true);
});

it("logs an idle connection that breaks, and opens another", async () => {
  const pool = processPool();
  await createPriceTable(pool);
  await engine.execute(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'coreswap_prices' AND datname = current_database()`);
  while (warnings.length === 0) await delay(10);
  expect(warnings).toEqual(["connection of the price cache broke"]);
  await createPriceTable(pool);
});
