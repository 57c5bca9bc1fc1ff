/** Kills during a backfill, and restarts. The sample of `test/reliability` kills indexers that are live. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createChainClient } from "../../localnet/chain.ts";
import { ponderDependency } from "../support/ponderPackage.ts";
import { verifyNetwork, waitUntilCaughtUp } from "./harness/converge.ts";
import { followLog } from "./harness/log.ts";
import { waitUntil } from "./harness/poll.ts";
import { type RpcGate, startRpcGate } from "./harness/rpcGate.ts";
import { type RunningIndexer, Stack } from "./harness/stack.ts";
import { consultOracle } from "./oracle/network.ts";

const RAW_TABLES = ["blocks", "transactions", "transaction_receipts", "logs"];
/** An error of the database that a test causes. */
const REFUSAL = "the record of the blocks is refused";

let stack: Stack;
let gate: RpcGate;
let indexer: RunningIndexer;

beforeAll(async () => {
  stack = await Stack.build({ name: "crash", networks: ["mainnet"], seed: 4, transactionCount: 520, emptyBlocks: 45 });
  gate = await startRpcGate(stack.deployed("mainnet").rpcUrl);
  stack.endWithStack(() => gate.stop());
});

afterAll(() => stack?.stop());

/** Starts an indexer. Every start uses the same database. */
async function start(): Promise<RunningIndexer> {
  return stack.startIndexer({ name: "indexer", database: "pglite", rpcUrls: { mainnet: gate.rpcUrl } });
}

test("after a kill during the backfill and a restart, the answers equal those of an undisturbed run", async () => {
  const { chain } = await consultOracle(stack.source("mainnet"));
  // The last ranges are held back, so the backfill cannot complete.
  gate.holdBackfill(chain.blockHashes.length - 1);
  indexer = await start();
  // Rows become visible while their range is still being written, unless a whole range is written at once.
  await waitUntil(
    "the first part of the history is visible",
    async () => ((await indexer.api.history("evm-mainnet", { limit: 1 })).transactions.length > 0 ? null : "none yet"),
    { intervalMs: 1 },
  );
  // While nodes keep a range waiting, it leaves the only connection to others.
  await waitUntil("a range waits", async () => (gate.waiting() > 0 ? null : "no request is held"));
  expect((await indexer.api.history("evm-mainnet", { limit: 1 })).transactions).toHaveLength(1);
  await indexer.process.kill();
  gate.release();

  indexer = await start();
  await indexer.process.ready();
  await verify();
});

test("raw data is written together with the record of its blocks, or not at all", async () => {
  await indexer.process.kill();
  let database = await openDatabase();
  const { rows } = await database.query(
    "SELECT table_schema AS schema FROM information_schema.tables WHERE table_name = '_ponder_meta'",
  );
  await database.exec(`
    DROP SCHEMA "${rows[0]?.schema}" CASCADE;
    TRUNCATE ${RAW_TABLES.map((name) => `ponder_sync.${name}`).join()}, ponder_sync.intervals;
    CREATE FUNCTION ponder_sync.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION '${REFUSAL}'; END $$;
    CREATE TRIGGER refuse BEFORE INSERT ON ponder_sync.intervals FOR EACH ROW EXECUTE FUNCTION ponder_sync.refuse();`);
  await database.close();
  indexer = await start();
  await waitUntil("a range has failed", async () =>
    readFileSync(logFile(), "utf8").includes(REFUSAL) ? null : "none yet",
  );
  await indexer.process.kill();

  database = await openDatabase();
  for (const name of RAW_TABLES) {
    const { rows: left } = await database.query(`SELECT FROM ponder_sync.${name}`);
    expect(left, name).toEqual([]);
  }
  await database.exec("DROP FUNCTION ponder_sync.refuse CASCADE");
  await database.close();
  indexer = await start();
  await indexer.process.ready();
  await verify();
});

test("after a restart on a chain with other final blocks, nothing is indexed on top of the old ones", async () => {
  await indexer.process.kill();
  const client = createChainClient(stack.deployed("mainnet").rpcUrl);
  const { timestamp } = await client.getBlock();
  // The newest final block is up to 130 blocks below the head.
  await client.request({ method: "anvil_reorg" as never, params: [140, []] as never });
  // Ponder itself refuses a chain whose final block is older.
  await client.setNextBlockTimestamp({ timestamp: timestamp + 1n });
  await client.mine({ blocks: 100, interval: 1 });
  await expectRefusal(/mainnet: block \d+ was indexed as 0x[0-9a-f]{64}, the node has 0x/);
  // As if the index were new, or killed before it recorded its first final block.
  const database = await openDatabase();
  await database.exec("UPDATE core_offchain.indexing_status SET confirmed_hash = NULL");
  await database.close();
  await expectRefusal(/mainnet: block \d+ was stored as 0x[0-9a-f]{64}, the node has 0x/);
});

/** Checks that an indexer ends at its start, and that its log gives the reason. */
async function expectRefusal(reason: RegExp): Promise<void> {
  const logged = followLog(logFile());
  await expect(start()).rejects.toThrow("exit code 1");
  expect(logged()).toMatch(reason);
}

const logFile = () => join(stack.directory, "indexer.log");

async function openDatabase() {
  const { PGlite } = await import(ponderDependency("@electric-sql/pglite"));
  return new PGlite(join(stack.directory, "indexer.pglite"));
}

async function verify(): Promise<void> {
  await waitUntilCaughtUp(indexer.api, "mainnet", stack.source("mainnet"));
  await verifyNetwork(indexer.api, "mainnet", await consultOracle(stack.source("mainnet")));
}
