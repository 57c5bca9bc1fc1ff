import { afterAll, beforeAll, expect, test } from "vitest";
import type { NetworkName } from "../../config/networks.ts";
import { startTraffic } from "../../localnet/demo/traffic.ts";
import { verifyNetwork, waitUntilCaughtUp } from "./harness/converge.ts";
import { waitUntil } from "./harness/poll.ts";
import { type RpcGate, startRpcGate } from "./harness/rpcGate.ts";
import { type RunningIndexer, Stack } from "./harness/stack.ts";
import { consultOracle } from "./oracle/network.ts";

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
  return stack.startIndexer({ name: "indexer", rpcUrls: { mainnet: gate.rpcUrl } });
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
    { deadlineMs: 90_000, intervalMs: 1 },
  );
  await indexer.process.kill();
  gate.release();

  indexer = await start();
  await indexer.process.ready();
  await verifyAll();
});

test("after a kill while live, transactions before, during and after the outage are neither lost nor repeated", async () => {
  const trafficErrors: Error[] = [];
  const traffics = NETWORKS.map((network) =>
    startTraffic({
      deployed: stack.deployed(network),
      seed: 5,
      intervalMs: 1_000,
      onError: (error) => trafficErrors.push(error),
    }),
  );
  try {
    await waitUntilIndexed((await historyLength()) + 3);
    await indexer.process.kill();
    await waitUntilMined((await historyLength()) + 3);
    indexer = await start();
    await indexer.process.ready();
    await waitUntilMined((await historyLength()) + 3);
  } finally {
    for (const traffic of traffics) await traffic.stop();
  }
  expect(trafficErrors).toEqual([]);
  await verifyAll();
});

async function verifyAll(): Promise<void> {
  for (const network of NETWORKS) {
    await waitUntilCaughtUp(indexer.api, network, stack.source(network));
    const oracle = await consultOracle(stack.source(network));
    await verifyNetwork(indexer.api, network, oracle);
  }
}

async function historyLength(): Promise<number> {
  return (await consultOracle(stack.source("mainnet"))).transactions.length;
}

async function waitUntilMined(count: number): Promise<void> {
  await waitUntil(
    `the history of mainnet has ${count} transactions`,
    async () => ((await historyLength()) >= count ? null : "the traffic stands still"),
    { deadlineMs: 30_000 },
  );
}

async function waitUntilIndexed(count: number): Promise<void> {
  await waitUntil(
    `${count} transactions of mainnet are in the answers`,
    async () => {
      const { length } = await indexer.api.wholeHistory("evm-mainnet");
      return length >= count ? null : `there are ${length}`;
    },
    { deadlineMs: 60_000 },
  );
}
