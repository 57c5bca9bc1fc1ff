import { encodeFunctionData, type Hex } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Sender } from "../../localnet/sender.ts";
import { WALLETS } from "../../localnet/wallets.ts";
import type { ApiClient, Coverage } from "./harness/api.ts";
import { assertSame } from "./harness/compare.ts";
import { waitForHistory } from "./harness/converge.ts";
import { waitUntil } from "./harness/poll.ts";
import { FINALITY_BLOCKS, type RpcGate, startRpcGate } from "./harness/rpcGate.ts";
import { type RunningIndexer, Stack } from "./harness/stack.ts";
import { assertVolume } from "./harness/verify.ts";
import { consultOracle, type NetworkOracle } from "./oracle/network.ts";
import { timestampText } from "./oracle/volume.ts";
import { coreSwapFunctions, treasuryCalls } from "./publishedAbi.ts";

/** Prices are looked after every 30 seconds. */
const PRICE_DEADLINE_MS = 60_000;
const DAY_SECONDS = 86_400n;
const network = "evm-mainnet";

let stack: Stack;
let gate: RpcGate;
let indexer: RunningIndexer;
let api: ApiClient;
/** The chain as it is when the indexer starts. */
let oracle: NetworkOracle;
let sender: Sender;

beforeAll(async () => {
  stack = await Stack.build({ name: "lifecycle", seed: 6, transactionCount: 520, emptyBlocks: 45 });
  sender = new Sender(stack.deployed("mainnet"));
  // Makes every reading of this adapter fail, and leaves the history as it is.
  await sender.client.setCode({ address: stack.deployed("mainnet").priceAdapters.CREDIT, bytecode: "0xfe" });
  oracle = await consultOracle(stack.source("mainnet"));
  gate = await startRpcGate(stack.deployed("mainnet").rpcUrl);
  stack.endWithStack(() => gate.stop());
  gate.holdBackfill(headBlock());
  indexer = await stack.startIndexer({ name: "indexer", rpcUrls: { mainnet: gate.rpcUrl } });
  api = indexer.api;
});

afterAll(() => stack?.stop());

test("during the backfill every answer is that of a prefix of the chain that its coverage vouches for", async () => {
  let known = 0;
  let through = -1;
  await waitUntil(
    "a part of the history is indexed and the backfill waits for blocks",
    async () => {
      const page = await assertPrefix();
      known = page.known;
      expect(page.through).toBeGreaterThanOrEqual(through);
      through = page.through;
      return known > 0 && gate.waiting() > 0 ? null : `${known} transactions, ${gate.waiting()} requests wait`;
    },
    { deadlineMs: 90_000 },
  );
  expect(known).toBeLessThan(oracle.transactions.length);
  expect(through).toBeGreaterThan(0);
  const { status } = await api.request("/ready");
  expect(status).not.toBe(200);
});

test("after the backfill the whole history is there, reverted direct calls included", async () => {
  gate.release();
  await indexer.process.ready();
  await waitForHistory(api, "mainnet", oracle);
  expect((await assertPrefix()).known).toBe(oracle.transactions.length);
  const reverted = await api.wholeHistory(network, { outcome: "revert" });
  expect(reverted.length).toBeGreaterThan(10);
  for (const { directCall, activities } of reverted) {
    expect(directCall).not.toBeNull();
    expect(activities).toEqual([]);
  }
  const { coverage } = await api.history(network);
  expect(Number(coverage.historicalBackfill.indexedThroughBlock)).toBeGreaterThanOrEqual(headBlock() - FINALITY_BLOCKS);
});

test("Ponder exports the gauge that tells live events from backfilled ones", async () => {
  const { text } = await api.request("/metrics");
  expect(text).toMatch(/^ponder_sync_is_realtime\{[^}]*chain="mainnet"[^}]*\} 1$/m);
});

test("the watch for deep forks has compared a final block and found it on the node", async () => {
  const { text } = await api.request("/metrics");
  expect(text).toMatch(/^coreswap_deep_fork\{chain="mainnet"\} 0$/m);
  expect((await api.request("/v1/status")).text).toMatch(/^ok\n/);
});

test("a live reverted call is in the answers, and is the last observation of the stream", async () => {
  const hash = await sender.send({
    from: "outsider",
    to: stack.deployed("mainnet").treasury,
    data: encodeFunctionData({ abi: treasuryCalls, functionName: "addToWhitelist", args: [WALLETS.outsider.address] }),
    gas: 100_000n,
  });
  await sender.waitForReceipt(hash);
  const live = await waitForHistory(api, "mainnet", oracle);
  const newest = live.transactions[0];
  expect(newest).toMatchObject({
    transactionHash: hash,
    receipt: { outcome: "revert" },
    directCall: { entrypoint: "addToWhitelist" },
  });
  const { coverage } = await api.history(network, { transactionHash: hash });
  assertSame(
    "lastMatchingStreamObservation",
    { blockNumber: newest?.inclusion.blockNumber, blockHash: newest?.inclusion.blockHash },
    coverage.lastMatchingStreamObservation,
  );
});

test("legs of an RWA without a price are counted but not valued, until it has one", async () => {
  const { id } = stack.deployed("mainnet").assets.CREDIT;
  await waitUntil(
    "the other prices are read",
    async () => {
      const { missingPriceAssetIds } = await wholeVolume();
      return missingPriceAssetIds.length === 1 ? null : `prices of ${missingPriceAssetIds.join(", ")} are missing`;
    },
    { deadlineMs: PRICE_DEADLINE_MS },
  );
  const without = await verifyWholeVolume([id]);
  expect(without.pricingComplete).toBe(false);
  expect(without.missingPriceAssetIds).toEqual([id]);
  expect(without.unpricedLegCount).toBeGreaterThan(0);

  await replacePriceAdapter();
  await waitUntil(
    "the price is read",
    async () => ((await wholeVolume()).pricingComplete ? null : "a price is missing"),
    { deadlineMs: PRICE_DEADLINE_MS },
  );
  const complete = await verifyWholeVolume([]);
  expect(complete.totalLegCount).toBe(without.totalLegCount);
  expect(BigInt(complete.pricedVolumeUsd.replace(".", ""))).toBeGreaterThan(
    BigInt(without.pricedVolumeUsd.replace(".", "")),
  );
});

/** Gives CREDIT an adapter that can be read. */
async function replacePriceAdapter(): Promise<void> {
  const { coreSwap, assets, priceAdapters } = stack.deployed("mainnet");
  const data = encodeFunctionData({
    abi: coreSwapFunctions,
    functionName: "setRwaPriceAdapter",
    args: [assets.CREDIT.id, priceAdapters.TBILL],
  });
  const { status } = await sender.waitForReceipt(
    await sender.send({ from: "operator", to: coreSwap, data, gas: 200_000n }),
  );
  expect(status).toBe("0x1");
}

function headBlock(): number {
  return oracle.chain.blockHashes.length - 1;
}

/**
 * A page and a volume, each one snapshot, are those of the chain up to some block at or after `indexedThroughBlock`.
 * Returns how many transactions the history had when the page was read, and what the coverage said.
 */
async function assertPrefix() {
  const page = await api.history(network, { limit: 100 });
  const through = indexedThrough(page.coverage);
  const newest = page.transactions[0];
  const hidden = oracle.transactions.findIndex(({ transactionHash }) => transactionHash === newest?.transactionHash);
  const known = hidden === -1 ? 0 : oracle.transactions.length - hidden;
  assertSame("a page of a prefix", oracle.transactions.slice(oracle.transactions.length - known).slice(0, 100), [
    ...page.transactions,
  ]);
  const vouched = oracle.transactions.filter(({ inclusion }) => Number(inclusion.blockNumber) <= through).length;
  expect(known, `transactions up to block ${through}`).toBeGreaterThanOrEqual(vouched);

  const volume = await wholeVolume();
  const vouchedLegs = oracle.legs.filter(({ blockNumber }) => Number(blockNumber) <= indexedThrough(volume.coverage));
  expect(volume.totalLegCount).toBeGreaterThanOrEqual(vouchedLegs.length);
  const prefix = { ...oracle, legs: oracle.legs.slice(0, volume.totalLegCount) };
  await assertVolume("volume of a prefix", volume, prefix, {
    network,
    range: wholeRange(),
    unpriced: oracle.legs.flatMap(({ worth }) => (worth.kind === "rwa" ? [worth.assetId] : [])),
  });
  return { known, through };
}

/** The last contiguous block, -1 when there is none yet. */
function indexedThrough({ historicalBackfill }: Coverage): number {
  const { startBlock, nextBlock, indexedThroughBlock } = historicalBackfill;
  expect(startBlock).toBe(String(stack.deployed("mainnet").startBlock));
  expect(nextBlock).toBe(indexedThroughBlock === null ? startBlock : String(BigInt(indexedThroughBlock) + 1n));
  if (indexedThroughBlock === null) return -1;
  expect(Number(indexedThroughBlock)).toBeGreaterThanOrEqual(Number(startBlock));
  expect(Number(indexedThroughBlock)).toBeLessThanOrEqual(headBlock());
  return Number(indexedThroughBlock);
}

/** From before the first leg to after any that these tests could add. */
function wholeRange() {
  const to = (oracle.legs.at(-1)?.timestamp ?? 0n) + 10n * DAY_SECONDS;
  return { from: to - 300n * DAY_SECONDS, to };
}

async function wholeVolume() {
  const { from, to } = wholeRange();
  return api.volume(network, { from: timestampText(from), to: timestampText(to) });
}

async function verifyWholeVolume(unpriced: readonly Hex[]) {
  const answer = await wholeVolume();
  await assertVolume("whole volume", answer, await consultOracle(oracle), { network, range: wholeRange(), unpriced });
  return answer;
}
