/** A network with two RPC URLs whose nodes are on different forks: no answer may have the block of one and data of the other. */
import { getTreasuryPosition, ReplacedBlockError } from "@coreswap/sdk";
import { createPublicClient, type Hex, numberToHex } from "viem";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { rpcTransport } from "../../config/rpcTransport.ts";
import { createRefresher } from "../../src/api/prices/refresher.ts";
import type { PriceStore } from "../../src/api/prices/store.ts";
import { type Fault, type FaultyNode, startFaultyNode } from "../support/faultyNode.ts";
import { checkedRequest } from "./support/checked.ts";
import { insertRows, NO_CREDITS, openEngine, pricesOf, setCheckpoint, type TestEngine } from "./support/engine.ts";
import { startAdapterNode } from "./support/node.ts";
import { addressOf, appOver, hashOf, NOW } from "./support/world.ts";

const DELEGATE = addressOf("delegate");
const ADAPTER = addressOf("adapter");
/** Answers any call with 512 bytes of zeros: an unset value, or an empty list. */
const ZEROS_CODE: Hex = "0x6102005ff3";

const REGISTRY = addressOf("registry");
/** Answers any call with the delegate's address as the fourth and the fifth of 16 words: a stablecoin's delegate and token. */
const REGISTRY_CODE: Hex = `0x73${DELEGATE.slice(2)}806060526080526102005ff3`;

const ID = hashOf("TREASURY");
const QUOTED = { user: addressOf("alice"), routeId: "1", assetInId: ID, assetOutId: ID, stablecoinDelegateId: ID };
const QUOTE = `/v1/quote?${new URLSearchParams({ network: "evm-mainnet", ...QUOTED, amountIn: "1" })}`;
const PATHS = [
  QUOTE,
  `/v1/lps/${DELEGATE}?network=evm-mainnet`,
  `/v1/treasury/accounts/${addressOf("alice")}?network=evm-mainnet`,
  "/v1/treasury/summary?network=evm-mainnet",
].map((path) => ({ name: path.split("?", 1)[0], path }));

const unavailable: Fault = async (call, result) =>
  call.method === "eth_call" ? { status: 503, body: "overloaded" } : { result: await result() };

/** A node from before EIP-1898, which takes the number or tag of a block alone. */
const numbersOnly: Fault = async ({ method, params }, result) => {
  if (method !== "eth_call" || typeof params[1] === "string") return { result: await result() };
  const error = { code: -32602, message: "invalid argument 1: json: cannot unmarshal object into Go value" };
  return { body: JSON.stringify({ jsonrpc: "2.0", id: 1, error }) };
};

type AdapterNode = Awaited<ReturnType<typeof startAdapterNode>>;

let engine: TestEngine;
let indexed: AdapterNode;
let other: AdapterNode;
let first: FaultyNode;
let store: PriceStore;

beforeAll(async () => {
  [indexed, other] = [await startAdapterNode(), await startAdapterNode()];
  const { timestamp } = await indexed.client.getBlock();
  await other.client.setNextBlockTimestamp({ timestamp: timestamp + 1_000n });
  for (const [node, price] of [
    [indexed, 105n],
    [other, 106n],
  ] as const) {
    for (const name of ["CoreSwap", "delegate", "TREASURY"]) {
      await node.client.setCode({ address: addressOf(name), bytecode: ZEROS_CODE });
    }
    await node.client.setCode({ address: REGISTRY, bytecode: REGISTRY_CODE });
    // The network starts at block 100.
    await node.client.mine({ blocks: 105 });
    await node.setPrice(ADAPTER, price);
  }
  await other.client.mine({ blocks: 5 });
  first = await startFaultyNode(indexed.rpcUrl);
  engine = await openEngine("forked_urls_test");
  const stablecoin = { tokenAddress: addressOf("TREASURY"), decimals: 6, delegateAddress: DELEGATE, accepted: true };
  await insertRows(engine, "stablecoin", [{ chainId: 1, stablecoinId: ID, ...stablecoin, yieldBearing: true }]);
  const account = { chainId: 1, delegateAddress: DELEGATE, account: addressOf("alice"), ...NO_CREDITS };
  await insertRows(engine, "credited_account", [account]);
  await setCheckpoint(engine, "mainnet", Number(await indexed.client.getBlockNumber()));
});
afterAll(async () => {
  await first.stop();
  await indexed.stop();
  await other.stop();
  await engine.close();
});
beforeEach(async () => {
  first.spoil(null);
  first.switchTo(indexed.rpcUrl);
  store = await pricesOf(engine);
});

const clientOf = (...urls: string[]) => createPublicClient({ transport: rpcTransport(urls) });

async function refusal(path: string, ...urls: string[]) {
  const { response, body } = await checkedRequest(appOver(engine, { nodeOf: () => clientOf(...urls) }), path);
  return [response.status, (body as { error: string }).error];
}

const because = (reason: string) => [503, expect.stringContaining(`: ${reason}, try again later`)];

/** Makes the refresher of one RWA's price. */
function refresherOf(urls: readonly string[], warnings: string[], now = () => NOW) {
  return createRefresher({
    chainId: 1,
    client: clientOf(...urls),
    store,
    readWanted: async () => {
      const { number, hash } = await indexed.client.getBlock();
      const wanted = [{ rwaId: hashOf("TBILL"), priceAdapter: ADAPTER }];
      return { wanted, isBackfilling: false, newestBlock: { number, hash } };
    },
    now,
    clock: () => Number(now()) * 1_000,
    logWarning: (message, error) => warnings.push(`${message} ${error}`),
  });
}

/** Refreshes the price once, and returns what was logged. */
async function refreshFrom(...urls: string[]): Promise<string[]> {
  const warnings: string[] = [];
  await refresherOf(urls, warnings).refreshDue();
  return warnings;
}

it.each(PATHS)("$name is not read from a fork that lacks the block", async ({ path }) => {
  first.spoil(unavailable);
  expect(await refusal(path, first.rpcUrl, other.rpcUrl)).toEqual(because("the node does not answer"));
});

it.each(PATHS)("$name says when the block was replaced meanwhile", async ({ path }) => {
  first.spoil(async ({ method }, result) => {
    if (method === "eth_call") first.switchTo(other.rpcUrl);
    return { result: await result() };
  });
  expect(await refusal(path, first.rpcUrl)).toEqual(because("the node replaced the block meanwhile"));
});

it.each(PATHS)(
  "$name says when the node does not take the hash of a block, and is not read by its number",
  async ({ path }) => {
    first.spoil(numbersOnly);
    const reason = "the node does not read contracts at the hash of a block (EIP-1898)";
    expect(await refusal(path, first.rpcUrl)).toEqual(because(reason));
  },
);

const TREASURY = {
  kind: "stablecoin",
  id: ID,
  tokenAddress: DELEGATE,
  decimals: 6,
  delegateAddress: DELEGATE,
} as const;
const positionFrom = (...urls: string[]) =>
  getTreasuryPosition(clientOf(...urls), {
    coreSwap: REGISTRY,
    user: addressOf("alice"),
    treasury: { ...TREASURY, isYieldBearing: true },
  });

it("a position of the SDK is of one fork, or an error", async () => {
  const { hash } = await indexed.client.getBlock();
  expect(await positionFrom(first.rpcUrl, other.rpcUrl)).toMatchObject({ block: { hash } });
  first.spoil(unavailable);
  await expect(positionFrom(first.rpcUrl, other.rpcUrl)).rejects.toThrow("Requested resource not found");
  first.spoil(async ({ method }, result) => {
    if (method === "eth_call") first.switchTo(other.rpcUrl);
    return { result: await result() };
  });
  await expect(positionFrom(first.rpcUrl)).rejects.toThrow(ReplacedBlockError);
});

it("a price is stored with the block that it was read at, and read in one call", async () => {
  const before = first.calls.get("eth_call") ?? 0;
  expect(await refreshFrom(first.rpcUrl, other.rpcUrl)).toEqual([]);
  expect(await store.read(1)).toMatchObject([{ priceUsdWad: 105n, blockHash: (await indexed.client.getBlock()).hash }]);
  expect((first.calls.get("eth_call") ?? 0) - before).toBe(1);
});

it("a price of another fork is not stored, nor one of a node that does not take the hash of a block", async () => {
  for (const [fault, reason] of [
    [unavailable, "Requested resource not found"],
    [numbersOnly, "cannot unmarshal object"],
  ] as const) {
    first.spoil(fault);
    const urls = fault === unavailable ? [first.rpcUrl, other.rpcUrl] : [first.rpcUrl];
    expect(await refreshFrom(...urls)).toEqual([expect.stringContaining("prices of chain 1 could not be read")]);
    expect((await refreshFrom(...urls))[0]).toContain(reason);
    expect(await store.read(1)).toEqual([]);
  }
});

it("a price of another chain is not stored, whenever the node becomes that chain's", async () => {
  const elsewhere = expect.stringContaining("it is behind, on a fork, or on another chain");
  first.switchTo(other.rpcUrl);
  expect(await refreshFrom(first.rpcUrl)).toEqual([elsewhere]);
  first.switchTo(indexed.rpcUrl);
  first.spoil(async ({ method, params }, result) => {
    const answer = { result: await result() };
    if (method === "eth_getBlockByNumber" && params[0] !== "latest") first.switchTo(other.rpcUrl);
    return answer;
  });
  expect(await refreshFrom(first.rpcUrl)).toEqual([elsewhere]);
  expect(await store.read(1)).toEqual([]);
});

it("a price at a block before the newest indexed one is not stored, as of one of several nodes behind a URL", async () => {
  const number = numberToHex((await indexed.client.getBlockNumber()) - 1n);
  const before = await clientOf(indexed.rpcUrl).request({ method: "eth_getBlockByNumber", params: [number, false] });
  first.spoil(async (call, result) => {
    const isLatest = call.method === "eth_getBlockByNumber" && call.params[0] === "latest";
    return { result: isLatest ? before : await result() };
  });
  expect(await refreshFrom(first.rpcUrl)).toEqual([expect.stringContaining("before block 106, which was indexed")]);
  expect(await store.read(1)).toEqual([]);
});

it("a price stays while the node is another chain's, which lacks its block", async () => {
  const warnings: string[] = [];
  let clock = NOW;
  const { refreshDue } = refresherOf([first.rpcUrl], warnings, () => clock);
  await refreshDue();
  const stored = await store.read(1);
  expect(stored).toMatchObject([{ priceUsdWad: 105n }]);
  first.switchTo(other.rpcUrl);
  clock += 30n;
  await refreshDue();
  expect(warnings).toEqual([expect.stringContaining("could not be compared")]);
  expect(await store.read(1)).toEqual(stored);
});
