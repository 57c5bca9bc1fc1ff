import { createPublicClient, custom } from "viem";
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { lpAnswer } from "../../src/api/lps/schema.ts";
import { volumeAnswer } from "../../src/api/volume/schema.ts";
import { checkedRequest } from "./support/checked.ts";
import { insertRows, openEngine, pricesOf, setCheckpoint, type TestEngine } from "./support/engine.ts";
import { insertLegs, insertPricedAssets, LEGS, LP_1, LP_2, tbillPrice } from "./support/legs.ts";
import { addressOf, appOver, hashOf } from "./support/world.ts";

let engine: TestEngine;
beforeAll(async () => {
  engine = await openEngine("lps_test");
  await insertLegs(engine, LEGS);
  await insertPricedAssets(engine);
  await pricesOf(engine, tbillPrice);
});
afterAll(() => engine.close());
afterEach(() =>
  engine.execute(`DELETE FROM "${engine.schema}".chain_state; DELETE FROM "${engine.schema}".stablecoin`),
);

const pathOf = (lpAddress: string) => `/v1/lps/${lpAddress}?network=evm-mainnet`;

it.each([LP_1, LP_2, addressOf("nobody")])("the volume of %s is the volume of all its legs", async (lpAddress) => {
  const api = appOver(engine);
  const { response, body } = await checkedRequest(api, pathOf(lpAddress));
  expect(response.status).toBe(200);
  const { volume, usedPrices, liquidity } = lpAnswer.parse(body);
  // No registered stablecoin has this delegate, so the API does not read from the node.
  expect(liquidity).toBeNull();
  const whole = await checkedRequest(api, `/v1/volume?network=evm-mainnet&lpAddress=${lpAddress}`);
  expect(volumeAnswer.parse(whole.body)).toMatchObject({ ...volume, usedPrices });
  expect(volume.totalLegCount).toBe(LEGS.filter(([, lp]) => lp === lpAddress).length);
});

/** Registers the stablecoin of an LP, so that its liquidity is read from a node. */
async function registerLp(): Promise<void> {
  const stablecoin = {
    chainId: 1,
    stablecoinId: hashOf("USDC"),
    tokenAddress: addressOf("USDC"),
    decimals: 6,
    delegateAddress: LP_1,
    accepted: true,
    yieldBearing: false,
  };
  await insertRows(engine, "stablecoin", [stablecoin]);
  await setCheckpoint(engine, "mainnet", 105);
  await insertRows(engine, "chain_state", [
    { chainId: 1, blockNumber: 110, blockHash: hashOf("110"), eventId: "7", seriesCount: 0 },
  ]);
}

it("is a 503 that says why when the node has another block than the index, or does not answer", async () => {
  await registerLp();
  const forked = createPublicClient({
    transport: custom({
      request: async ({ params }) => ({
        number: params[0],
        hash: hashOf("another 110"),
        timestamp: "0x64",
        transactions: [],
      }),
    }),
  });
  const failing = createPublicClient({
    transport: custom({ request: () => Promise.reject(new Error("http://node.example/key")) }, { retryCount: 0 }),
  });
  for (const [client, reason] of [
    [forked, "the node and the index disagree about the block"],
    [failing, "the node does not answer"],
  ] as const) {
    const { response, body } = await checkedRequest(appOver(engine, { nodeOf: () => client }), pathOf(LP_1));
    const error = `the liquidity of an LP of evm-mainnet cannot be read at block 110: ${reason}, try again later`;
    expect([response.status, body]).toEqual([503, { error, status: 503 }]);
  }
});

it("does not fail because a delegate is registered for two stablecoins", async () => {
  await registerLp();
  const delisted = { tokenAddress: addressOf("USDT"), decimals: 18, delegateAddress: LP_1, yieldBearing: true };
  await insertRows(engine, "stablecoin", [
    { chainId: 1, stablecoinId: `0x${"0".repeat(64)}`, accepted: false, ...delisted },
  ]);
  const request = () => Promise.reject(new Error("http://node.example/key"));
  const client = createPublicClient({ transport: custom({ request }, { retryCount: 0 }) });
  // The index answered, so the node was asked for the liquidity.
  const { response, body } = await checkedRequest(appOver(engine, { nodeOf: () => client }), pathOf(LP_1));
  expect([response.status, body]).toEqual([
    503,
    {
      error:
        "the liquidity of an LP of evm-mainnet cannot be read at block 110: the node does not answer, try again later",
      status: 503,
    },
  ]);
});

it("is a 503 after 25 seconds when the node has not answered by then", async () => {
  await registerLp();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  let ask: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    ask = resolve;
  });
  const request = () => {
    ask();
    return new Promise<never>(() => undefined);
  };
  const silent = createPublicClient({ transport: custom({ request }) });
  const answer = checkedRequest(appOver(engine, { nodeOf: () => silent }), pathOf(LP_1));
  await asked;
  await vi.advanceTimersByTimeAsync(25_000);
  const { response, body } = await answer;
  const error =
    "the liquidity of an LP of evm-mainnet cannot be read at block 110: the node does not answer, try again later";
  expect([response.status, body]).toEqual([503, { error, status: 503 }]);
});
