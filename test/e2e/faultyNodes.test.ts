/**
 * Backfills through nodes that answer wrongly: they may be delayed, but no row may be missing or wrong. Two run at once,
 * because most of their time is that for which an indexer leaves a damaged node alone. The longest comes first.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { hexToBigInt, isHex, numberToHex } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { NetworkName } from "../../config/networks.ts";
import { createChainClient } from "../../localnet/chain.ts";
import {
  type Fault,
  type FaultyNode,
  lastLogMissing,
  navsOfRangesWrong,
  oddLogsMissing,
  rangesWithoutSwapsBy,
  receiptsNull,
  startFaultyNode,
} from "../support/faultyNode.ts";
import { verifyNetwork, waitUntilCaughtUp } from "./harness/converge.ts";
import { compareNavs } from "./harness/navs.ts";
import { waitUntil } from "./harness/poll.ts";
import { type RunningIndexer, Stack } from "./harness/stack.ts";
import { consultOracle } from "./oracle/network.ts";

const NETWORKS: readonly NetworkName[] = ["mainnet", "sepolia"];
const MAINNET: readonly NetworkName[] = ["mainnet"];
const TRANSIENT_FAULT_MS = 15_000;
/** Ponder gives up after 64 seconds. */
const OUTAGE_MS = 75_000;

let stack: Stack;

beforeAll(async () => {
  stack = await Stack.build({ name: "faultyNodes", seed: 19, transactionCount: 260, emptyBlocks: 70 });
});

afterAll(() => stack?.stop());

async function startSpoiled(network: NetworkName, fault: Fault | null): Promise<FaultyNode> {
  const node = await startFaultyNode(stack.deployed(network).rpcUrl, fault);
  stack.endWithStack(() => node.stop());
  return node;
}

/** Lets a fault last for a while from the first call of a method that it changes. */
async function letLast(method: string, ...nodes: readonly FaultyNode[]): Promise<void> {
  await waitUntil(`${method} is called`, async () =>
    nodes.every(({ calls }) => (calls.get(method) ?? 0) > 0) ? null : "not yet",
  );
  await sleep(TRANSIENT_FAULT_MS);
}

async function verifyAll({ api }: RunningIndexer, networks = NETWORKS): Promise<void> {
  for (const network of networks) {
    await waitUntilCaughtUp(api, network, stack.source(network));
    await verifyNetwork(api, network, await consultOracle(stack.source(network)));
  }
}

test.concurrent("no row is lost when a node lacks receipts and then resets connections for longer than Ponder waits", async () => {
  const [mainnet, sepolia] = [await startSpoiled("mainnet", receiptsNull), await startSpoiled("sepolia", receiptsNull)];
  const indexer = await stack.startIndexer({
    name: "receipts",
    rpcUrls: { mainnet: mainnet.rpcUrl, sepolia: sepolia.rpcUrl },
  });
  await letLast("eth_getTransactionReceipt", mainnet, sepolia);
  sepolia.spoil(null);
  mainnet.spoil(async () => "reset");
  const outage = sleep(OUTAGE_MS);
  // Meanwhile, the other network is indexed to its head.
  await waitUntilCaughtUp(indexer.api, "sepolia", stack.source("sepolia"));
  await outage;
  mainnet.spoil(null);
  await indexer.process.ready();
  await verifyAll(indexer);
  await indexer.process.stop();
});

test.concurrent("no row is lost when a node omits the last log of each range for a while", async () => {
  const mainnet = await startSpoiled("mainnet", lastLogMissing);
  const indexer = await stack.startIndexer({
    name: "lastLog",
    networks: MAINNET,
    rpcUrls: { mainnet: mainnet.rpcUrl },
  });
  await letLast("eth_getLogs", mainnet);
  mainnet.spoil(null);
  await indexer.process.ready();
  await verifyAll(indexer, MAINNET);
  await indexer.process.stop();
});

test.concurrent("no row is lost when one node always omits logs and the next one is correct", async () => {
  const mainnet = await startSpoiled("mainnet", oddLogsMissing);
  const { rpcUrl } = stack.deployed("mainnet");
  const indexer = await stack.startIndexer({
    name: "oddLogs",
    networks: MAINNET,
    rpcUrls: { mainnet: `${mainnet.rpcUrl},${rpcUrl}` },
  });
  await indexer.process.ready();
  await verifyAll(indexer, MAINNET);
  await indexer.process.stop();
});

test.concurrent("no row is lost when the only node always omits swaps through another contract from ranges", async () => {
  const { nestedSwapper } = stack.deployed("mainnet");
  const mainnet = await startSpoiled("mainnet", rangesWithoutSwapsBy(nestedSwapper));
  const indexer = await stack.startIndexer({ name: "nested", networks: MAINNET, rpcUrls: { mainnet: mainnet.rpcUrl } });
  await indexer.process.ready();
  await verifyAll(indexer, MAINNET);
  await indexer.process.stop();
});

test.concurrent("no NAV is wrong when the only node always changes those of ranges", async () => {
  const mainnet = await startSpoiled("mainnet", navsOfRangesWrong);
  const indexer = await stack.startIndexer({ name: "navs", networks: MAINNET, rpcUrls: { mainnet: mainnet.rpcUrl } });
  await indexer.process.ready();
  await verifyAll(indexer, MAINNET);
  expect(await compareNavs(indexer.api, "evm-mainnet", stack.source("mainnet"))).toBeGreaterThan(5);
  await indexer.process.stop();
});

test.concurrent("a node that falls back while an indexer starts does not let it index final blocks twice", async () => {
  const { rpcUrl } = stack.deployed("mainnet");
  const node = await startSpoiled("mainnet", null);
  const options = { name: "fallback", networks: MAINNET, rpcUrls: { mainnet: node.rpcUrl } };
  const first = await stack.startIndexer(options);
  await first.process.ready();
  await first.process.stop();
  const head = await createChainClient(rpcUrl).getBlockNumber();
  let looks = 0;
  node.spoil(async ({ method, params: [block, isWhole] }, result) => {
    if (method !== "eth_getBlockByNumber" || block !== "latest") return { result: await result() };
    looks += 1;
    // The first look is compared with the index. The blocks before its final one have rows.
    const shown = looks === 1 ? "latest" : numberToHex(head - 40n);
    return { result: await createChainClient(rpcUrl).request({ method, params: [shown, isWhole === true] }) };
  });
  const second = await stack.startIndexer(options);
  await waitUntil("the node is asked again", async () => (looks > 1 ? null : "not yet"));
  await second.process.ready();
  node.spoil(null);
  await verifyAll(second, MAINNET);
  await second.process.stop();
});

test.concurrent("an indexer starts again, and follows the chain, although its first node stopped long ago", async () => {
  const { rpcUrl } = stack.deployed("mainnet");
  const client = createChainClient(rpcUrl);
  const node = await startSpoiled("mainnet", null);
  const options = { name: "stopped", networks: MAINNET, rpcUrls: { mainnet: `${node.rpcUrl},${rpcUrl}` } };
  const first = await stack.startIndexer(options);
  await first.process.ready();
  await first.process.stop();
  // Before the empty blocks, and days ago.
  const last = (await client.getBlockNumber()) - 90n;
  node.spoil(async ({ method, params: [block, isWhole] }, result) => {
    if (method === "eth_blockNumber") return { result: numberToHex(last) };
    if (method !== "eth_getBlockByNumber") return { result: await result() };
    const number = isHex(block) ? hexToBigInt(block) : last;
    if (number > last) return { result: null };
    return { result: await client.request({ method, params: [numberToHex(number), isWhole === true] }) };
  });
  const second = await stack.startIndexer(options);
  await second.process.ready();
  await verifyAll(second, MAINNET);
  await second.process.stop();
});

test.concurrent("a network is indexed even if the other network's node becomes unreachable during the start", async () => {
  let looks = 0;
  const mainnet = await startSpoiled("mainnet", async ({ method, params }, result) => {
    // The process requests the newest block once, and the thread of each network requests it again.
    if (method === "eth_getBlockByNumber" && params[0] === "latest") looks += 1;
    return looks > 1 ? "reset" : { result: await result() };
  });
  const indexer = await stack.startIndexer({
    name: "away_at_start",
    rpcUrls: { mainnet: mainnet.rpcUrl },
  });
  await waitUntilCaughtUp(indexer.api, "sepolia", stack.source("sepolia"));
  mainnet.spoil(null);
  await indexer.process.ready();
  await verifyAll(indexer);
  await indexer.process.stop();
});
