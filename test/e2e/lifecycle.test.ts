import {
  type Abi,
  type Address,
  encodeDeployData,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  keccak256,
  parseAbi,
  stringToHex,
  zeroAddress,
} from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { balanceSheetDelegateAbi } from "../../abis/index.ts";
import { erc1967ProxyAbi } from "../../localnet/abis.ts";
import { artifactOf } from "../../localnet/artifacts.ts";
import { Sender } from "../../localnet/sender.ts";
import { WALLETS } from "../../localnet/wallets.ts";
import { timeText } from "../support/time.ts";
import type { ApiClient, Coverage } from "./harness/api.ts";
import { assertSame, describeDifference, firstDifference } from "./harness/compare.ts";
import { waitForHistory } from "./harness/converge.ts";
import { waitUntil } from "./harness/poll.ts";
import { FINALITY_BLOCKS, type RpcGate, startRpcGate } from "./harness/rpcGate.ts";
import { type RunningIndexer, Stack } from "./harness/stack.ts";
import { assertVolume } from "./harness/verify.ts";
import { readDeploymentFromContracts } from "./oracle/deployment.ts";
import { consultOracle, type NetworkOracle } from "./oracle/network.ts";
import { coreSwapFunctions, treasuryCalls } from "./publishedAbi.ts";

const DAY_SECONDS = 86_400n;
const network = "evm-mainnet";

let stack: Stack;
let gate: RpcGate;
let indexer: RunningIndexer;
let api: ApiClient;
/** The chain when the indexer started. */
let oracle: NetworkOracle;
let sender: Sender;

beforeAll(async () => {
  stack = await Stack.build({
    name: "lifecycle",
    networks: ["mainnet"],
    seed: 6,
    transactionCount: 520,
    emptyBlocks: 45,
  });
  sender = new Sender(stack.deployed("mainnet"));
  // Makes every read of this adapter fail, without changing the history.
  await sender.client.setCode({ address: stack.deployed("mainnet").priceAdapters.CREDIT, bytecode: "0xfe" });
  oracle = await consultOracle(stack.source("mainnet"));
  gate = await startRpcGate(stack.deployed("mainnet").rpcUrl);
  stack.endWithStack(() => gate.stop());
  gate.holdBackfill(headBlock());
  indexer = await stack.startIndexer({ name: "indexer", rpcUrls: { mainnet: gate.rpcUrl } });
  api = indexer.api;
});

afterAll(() => stack?.stop());

test("during the backfill, every answer is correct for the part of the chain that its coverage names", async () => {
  let known = 0;
  let through = -1;
  await waitUntil("a part of the history is indexed and the backfill waits for blocks", async () => {
    const page = await assertPrefix();
    known = page.known;
    expect(page.through).toBeGreaterThanOrEqual(through);
    through = page.through;
    return known > 0 && gate.waiting() > 0 ? null : `${known} transactions, ${gate.waiting()} requests wait`;
  });
  expect(known).toBeLessThan(oracle.transactions.length);
  expect(through).toBeGreaterThan(0);
  const { status } = await api.request("/ready");
  expect(status).not.toBe(200);
});

test("after the backfill, the history is complete, including reverted direct calls", async () => {
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

test("Ponder exports the gauge that distinguishes live events from backfilled ones", async () => {
  const { text } = await api.request("/metrics");
  expect(text).toMatch(/^ponder_sync_is_realtime\{[^}]*chain="mainnet"[^}]*\} 1$/m);
});

test("the watch for deep forks has found a final block on the node", async () => {
  const { text } = await api.request("/metrics");
  expect(text).toMatch(/^coreswap_deep_fork\{chain="mainnet"\} 0$/m);
  await waitUntil("all is well", async () => {
    const { text } = await api.request("/v1/status");
    return text.startsWith("ok\n") ? null : text;
  });
});

test("a live reverted call appears in the answers, and becomes the last live event", async () => {
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
  await waitUntil("the other prices are read", async () => {
    const { missingPriceAssetIds } = await wholeVolume();
    return missingPriceAssetIds.length === 1 ? null : `prices of ${missingPriceAssetIds.join(", ")} are missing`;
  });
  const without = await verifyWholeVolume([id]);
  expect(without.pricingComplete).toBe(false);
  expect(without.missingPriceAssetIds).toEqual([id]);
  expect(without.unpricedLegCount).toBeGreaterThan(0);

  await replacePriceAdapter();
  await waitUntil("the price is read", async () =>
    (await wholeVolume()).pricingComplete ? null : "a price is missing",
  );
  const complete = await verifyWholeVolume([]);
  expect(complete.totalLegCount).toBe(without.totalLegCount);
  expect(BigInt(complete.pricedVolumeUsd.replace(".", ""))).toBeGreaterThan(
    BigInt(without.pricedVolumeUsd.replace(".", "")),
  );
});

test("an ID that was never accepted is listed with the kind of its last registration", async () => {
  const { coreSwap } = stack.deployed("mainnet");
  const id = keccak256(stringToHex("registered by mistake"));
  const token = await create("TestToken", testTokenAbi, ["Mistaken", "MSTK", 6]);
  const implementation = await create("BalanceSheetDelegate", balanceSheetDelegateAbi, []);
  const initialization = encodeFunctionData({
    abi: balanceSheetDelegateAbi,
    functionName: "initialize",
    args: [WALLETS.admin.address, WALLETS.daiIssuerAdmin.address, coreSwap, id, token],
  });
  const delegate = await create("ERC1967Proxy", erc1967ProxyAbi, [implementation, initialization]);
  const asRwa = encodeFunctionData({
    abi: coreSwapFunctions,
    functionName: "setRWAAcceptance",
    args: [id, zeroAddress, token, false],
  });
  const asStablecoin = encodeFunctionData({
    abi: coreSwapFunctions,
    functionName: "setStablecoinAcceptance",
    args: [id, delegate, token, false, false],
  });

  await operate(asRwa);
  expect(await listings(id)).toEqual({ stablecoins: 0, rwas: 1 });
  await operate(asStablecoin);
  expect(await listings(id)).toEqual({ stablecoins: 1, rwas: 0 });
  await operate(asRwa);
  expect(await listings(id)).toEqual({ stablecoins: 0, rwas: 1 });
});

test("a token that halts when it is asked for its name is indexed without one, and does not stop the index", async () => {
  const token = `0x${"4a".repeat(20)}` as const;
  // Returns 6 decimals, and takes a value from an empty stack in every other call.
  await sender.client.setCode({ address: token, bytecode: "0x5f3560e01c63313ce56714600f57505b60065f5260205ff3" });
  await expect(sender.client.readContract({ address: token, abi: erc20Abi, functionName: "name" })).rejects.toThrow(
    "StackUnderflow",
  );
  const id = keccak256(stringToHex("halts"));
  await operate(
    encodeFunctionData({
      abi: coreSwapFunctions,
      functionName: "setRWAAcceptance",
      args: [id, zeroAddress, token, false],
    }),
  );
  await waitUntil("the token is listed", async () => {
    const { rwa_assets } = await api.json<{ rwa_assets: { rwa_id: Hex; name: string | null }[] }>(
      "/v1/info/evm?chain=mainnet",
    );
    return rwa_assets.find(({ rwa_id }) => rwa_id === id)?.name === null ? null : "not yet";
  });
});

const testTokenAbi = parseAbi(["constructor(string name, string symbol, uint8 decimals)"]);
const CREATION_GAS = 10_000_000n;

async function create(contract: string, abi: Abi, args: readonly unknown[]): Promise<Address> {
  const data = encodeDeployData({ abi, bytecode: artifactOf(contract).bytecode, args });
  const { status, contractAddress } = await sender.waitForReceipt(
    await sender.send({ from: "deployer", data, gas: CREATION_GAS }),
  );
  expect(status).toBe("0x1");
  if (!contractAddress) throw new Error(`${contract} has no address after its creation`);
  return contractAddress;
}

/** How often the API lists an ID, after it shows the state of the contracts. */
async function listings(id: Hex) {
  const { chain } = await consultOracle(oracle);
  const expected = await readDeploymentFromContracts(oracle.rpcUrl, chain, oracle.contracts);
  await waitUntil("the API shows what the contracts say", async () => {
    const difference = firstDifference(expected, await api.json("/v1/info/evm?chain=mainnet"));
    return difference && describeDifference(difference);
  });
  return {
    stablecoins: expected.stable_assets.filter(({ stablecoin_id }) => stablecoin_id === id).length,
    rwas: expected.rwa_assets.filter(({ rwa_id }) => rwa_id === id).length,
  };
}

/** Gives CREDIT a working adapter. */
async function replacePriceAdapter(): Promise<void> {
  const { assets, priceAdapters } = stack.deployed("mainnet");
  await operate(
    encodeFunctionData({
      abi: coreSwapFunctions,
      functionName: "setRwaPriceAdapter",
      args: [assets.CREDIT.id, priceAdapters.TBILL],
    }),
  );
}

/** Calls CoreSwap as its operator. */
async function operate(data: Hex): Promise<void> {
  const { coreSwap } = stack.deployed("mainnet");
  const { status } = await sender.waitForReceipt(
    await sender.send({ from: "operator", to: coreSwap, data, gas: 400_000n }),
  );
  expect(status).toBe("0x1");
}

function headBlock(): number {
  return oracle.chain.blockHashes.length - 1;
}

/**
 * Checks that a page and a volume, each from one snapshot, match the chain up to some block at or after
 * `indexedThroughBlock`. Returns how many transactions the history had when the page was read, and the last block that
 * the coverage named.
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

/** The last contiguous block, or -1 when there is none yet. */
function indexedThrough({ historicalBackfill }: Coverage): number {
  const { startBlock, nextBlock, indexedThroughBlock } = historicalBackfill;
  expect(startBlock).toBe(String(stack.deployed("mainnet").startBlock));
  expect(nextBlock).toBe(indexedThroughBlock === null ? startBlock : String(BigInt(indexedThroughBlock) + 1n));
  if (indexedThroughBlock === null) return -1;
  expect(Number(indexedThroughBlock)).toBeGreaterThanOrEqual(Number(startBlock));
  expect(Number(indexedThroughBlock)).toBeLessThanOrEqual(headBlock());
  return Number(indexedThroughBlock);
}

/** A range from before the first leg to after any leg that these tests could add. */
function wholeRange() {
  const to = (oracle.legs.at(-1)?.timestamp ?? 0n) + 10n * DAY_SECONDS;
  return { from: to - 300n * DAY_SECONDS, to };
}

async function wholeVolume() {
  const { from, to } = wholeRange();
  return api.volume(network, { from: timeText(from), to: timeText(to) });
}

async function verifyWholeVolume(unpriced: readonly Hex[]) {
  const answer = await wholeVolume();
  await assertVolume("whole volume", answer, await consultOracle(oracle), { network, range: wholeRange(), unpriced });
  return answer;
}
