/** Behavior of the price cache that only PostgreSQL has, where several processes share the cache. */
import { setTimeout as delay } from "node:timers/promises";
import type { Pool } from "pg";
import { maxInt64, maxUint256 } from "viem";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { createPriceTable, priceStore, type RwaPrice } from "../../../src/api/prices/store.ts";
import { databaseOf, type PooledDatabase } from "../../../src/api/shared/database.ts";
import { openOwnPool } from "../../../src/api/shared/ownPool.ts";
import { withClient } from "../../support/postgres.ts";
import { uncaughtDuring } from "../../support/uncaught.ts";
import { openEngine, type TestEngine } from "../support/engine.ts";
import { tbillPrice } from "../support/legs.ts";

const ANSWER_TIMEOUT_MS = 500;

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

/** A database connection pool as each process has it. */
function processDatabase(): PooledDatabase {
  const logWarning = (message: string) => warnings.push(message);
  const options = { use: "prices", connections: 2, answerTimeoutMs: ANSWER_TIMEOUT_MS } as const;
  const pool = openOwnPool({ ...options, connectionString: connectionString(), logWarning });
  pools.push(pool);
  return databaseOf(pool);
}

function connectionString(): string {
  const url = engine.pool?.options.connectionString;
  if (url === undefined) throw new Error("this test runs on PostgreSQL");
  return url;
}

it("is created once by processes that start at the same time", async () => {
  const processes = Array.from({ length: 8 }, processDatabase);
  await Promise.all(processes.map(createPriceTable));
  await createPriceTable(processDatabase());
  expect(await priceStore(processDatabase()).read(1)).toEqual([]);
});

it("keeps every digit of a price, and the newest reading of an RWA", async () => {
  const database = processDatabase();
  await createPriceTable(database);
  const store = priceStore(database);
  const largest: RwaPrice = { ...tbillPrice, priceUsdWad: maxUint256, blockNumber: maxInt64 };
  await store.write([tbillPrice]);
  await store.write([largest, { ...tbillPrice, chainId: 11155111 }]);
  expect(await priceStore(processDatabase()).read(1)).toEqual([largest]);
});

it("runs a chain's task in one process only, in parallel with tasks of other chains", async () => {
  const [one, other] = [processDatabase(), processDatabase()];
  await createPriceTable(one);
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
  const { promise: started, resolve: start } = Promise.withResolvers<void>();
  const running = priceStore(one).exclusively(1, () => {
    start();
    return mayEnd;
  });
  await started;

  const ran: number[] = [];
  const runOnOther = (chainId: number) => priceStore(other).exclusively(chainId, async () => void ran.push(chainId));
  await runOnOther(1);
  await runOnOther(11155111);
  expect(ran).toEqual([11155111]);
  end();
  await running;
  await runOnOther(1);
  expect(ran).toEqual([11155111, 1]);
});

it("releases the lock of a chain if its task fails", async () => {
  const [one, other] = [processDatabase(), processDatabase()];
  await createPriceTable(one);
  const failing = priceStore(one).exclusively(1, () => Promise.reject(new Error("the task failed")));
  await expect(failing).rejects.toThrow("the task failed");
  let hasRun = false;
  await priceStore(other).exclusively(1, async () => {
    hasRun = true;
  });
  expect(hasRun).toBe(true);
});

it("releases the lock of a chain if a statement of its task takes too long", async () => {
  const [one, other] = [processDatabase(), processDatabase()];
  await createPriceTable(one);
  await withClient(connectionString(), async (client) => {
    await client.query("BEGIN");
    await client.query("LOCK TABLE core_offchain.rwa_price");
    const task = priceStore(one).exclusively(1, (rows) => rows.write([tbillPrice]));
    await expect(task).rejects.toThrow("Query read timeout");
    await client.query("ROLLBACK");
  });
  let hasRun = false;
  await vi.waitUntil(
    async () => {
      await priceStore(other).exclusively(1, async () => {
        hasRun = true;
      });
      return hasRun;
    },
    { timeout: 60_000 },
  );
});

it("logs an idle connection that breaks, and opens another", async () => {
  const database = processDatabase();
  await createPriceTable(database);
  await endSessions();
  while (warnings.length === 0) await delay(10);
  expect(warnings).toEqual(["an idle connection of coreswap_prices was lost"]);
  await createPriceTable(database);
});

it("fails a task whose connection breaks while the node is asked, and no more than that", async () => {
  const database = processDatabase();
  await createPriceTable(database);
  const store = priceStore(database);
  const uncaught = await uncaughtDuring(async () => {
    const task = store.exclusively(1, async (rows) => {
      await endSessions();
      await delay(200);
      await rows.write([tbillPrice]);
    });
    await expect(task).rejects.toThrow("Client has encountered a connection error and is not queryable");
  });
  expect(uncaught).toEqual([]);
  await store.exclusively(1, (rows) => rows.write([tbillPrice]));
  expect(await store.read(1)).toEqual([tbillPrice]);
});

/** Ends the sessions of the pools as an administrator or a shutdown of the server does. */
function endSessions() {
  return engine.execute(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'coreswap_prices' AND datname = current_database()`);
}
