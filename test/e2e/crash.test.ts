/** Kills during a backfill, and restarts. The sample of `test/reliability` kills indexers that are live. */
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { NetworkName } from "../../config/networks.ts";
import { createChainClient } from "../../localnet/chain.ts";
import { ponderDependency } from "../support/ponderPackage.ts";
import { verifyNetwork, waitUntilCaughtUp } from "./harness/converge.ts";
import { waitUntil } from "./harness/poll.ts";
import { type RpcGate, startRpcGate } from "./harness/rpcGate.ts";
import { type RunningIndexer, Stack } from "./harness/stack.ts";
import { consultOracle } from "./oracle/network.ts";

/** The hash of a block that the chain does not have. */
const FORK = `0x${"ab".repeat(32)}`;
const NETWORKS: readonly NetworkName[] = ["mainnet", "sepolia"];

let stack: Stack;
let gate: RpcGate;
let indexer: RunningIndexer;

beforeAll(async () => {
  stack = await Stack.build({ name: "crash", seed: 4, transactionCount: 520, emptyBlocks: 45 });
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
  await indexer.process.kill();
  gate.release();

  indexer = await start();
  await indexer.process.ready();
  await verifyAll();
});

test("rows of another fork that a killed run had stored are not taken together with the right ones", async () => {
  await indexer.process.kill();
  const database = await openDatabase();
  const { rows } = await database.query(
    "SELECT table_schema AS schema FROM information_schema.tables WHERE table_name = '_ponder_meta'",
  );
  // As if the process had been killed after it wrote rows, and before it noted that the blocks are stored.
  await database.exec(`
    DROP SCHEMA "${rows[0]?.schema}" CASCADE;
    DELETE FROM ponder_sync.intervals;
    UPDATE ponder_sync.logs SET block_hash = '${FORK}', data = '0x' WHERE block_number % 3 = 0;
    UPDATE ponder_sync.transactions SET block_hash = '${FORK}', input = '0x' WHERE block_number % 3 = 0;
    UPDATE ponder_sync.transaction_receipts SET block_hash = '${FORK}', status = '0x0' WHERE block_number % 3 = 0;
    UPDATE ponder_sync.blocks SET hash = '${FORK}', timestamp = timestamp - 1
    WHERE number % 3 = 0 AND number < (SELECT max(number) FROM ponder_sync.blocks newest WHERE newest.chain_id = blocks.chain_id)`);
  await database.close();
  indexer = await start();
  await indexer.process.ready();
  await verifyAll();
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
  await expect(start()).rejects.toThrow(/mainnet: block \d+ was indexed as 0x[0-9a-f]{64}, the node has 0x/);
  // As if the index were new, or killed before it recorded its first final block.
  const database = await openDatabase();
  await database.exec("UPDATE core_offchain.indexing_status SET confirmed_hash = NULL");
  await database.close();
  await expect(start()).rejects.toThrow(/mainnet: block \d+ was stored as 0x[0-9a-f]{64}, the node has 0x/);
});

async function openDatabase() {
  const { PGlite } = await import(ponderDependency("@electric-sql/pglite"));
  return new PGlite(join(stack.directory, "indexer.pglite"));
}

async function verifyAll(): Promise<void> {
  for (const network of NETWORKS) {
    await waitUntilCaughtUp(indexer.api, network, stack.source(network));
    const oracle = await consultOracle(stack.source(network));
    await verifyNetwork(indexer.api, network, oracle);
  }
}
