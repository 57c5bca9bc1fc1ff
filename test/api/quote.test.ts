import { createPublicClient, custom } from "viem";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { BROKEN_ESCAPES, HOSTILE, KINDS } from "../support/pieces.ts";
import { checkedRequest } from "./support/checked.ts";
import { insertRows, openEngine, setCheckpoint, type TestEngine } from "./support/engine.ts";
import { addressOf, appOver, hashOf } from "./support/world.ts";

let engine: TestEngine;
let api: ReturnType<typeof appOver>;
beforeAll(async () => {
  engine = await openEngine("quote_test");
  api = appOver(engine);
});
afterAll(() => engine.close());
afterEach(() =>
  engine.execute(`DELETE FROM "${engine.schema}".chain_state; DELETE FROM "${engine.schema}"._ponder_checkpoint`),
);

const GOOD = {
  network: "evm-mainnet",
  user: addressOf("alice"),
  routeId: "1",
  assetInId: hashOf("TBILL"),
  assetOutId: hashOf("USDC"),
  stablecoinDelegateId: hashOf("USDC"),
  amountIn: "1000",
};

const ask = (parameters: Record<string, string>) => checkedRequest(api, `/v1/quote?${new URLSearchParams(parameters)}`);

it.each([
  [{ routeId: "0" }, "routeId: accepts 1, 2, 3, 4, 5, 6, 7 or 8"],
  [{ routeId: "01" }, "routeId: accepts 1, 2, 3, 4, 5, 6, 7 or 8"],
  [
    { amountIn: "0" },
    "amountIn: accepts an amount of the asset in, for routes 1, 3, 5 and 7: a whole number of smallest units, from 1 to 2^256 - 1",
  ],
  [
    { amountIn: String(2n ** 256n) },
    "amountIn: accepts an amount of the asset in, for routes 1, 3, 5 and 7: a whole number of smallest units, from 1 to 2^256 - 1",
  ],
  [{ routeId: "2" }, "amountOut: required by route 2"],
  [{ amountOut: "5" }, "amountOut: route 1 takes amountIn alone"],
])("refuses %j and says what it accepts", async (change, error) => {
  const { response, body } = await ask({ ...GOOD, ...change });
  expect([response.status, body]).toEqual([400, { error, status: 400 }]);
});

it("is unavailable while nothing is indexed", async () => {
  const { response, body } = await ask(GOOD);
  expect([response.status, body]).toEqual([503, { error: "nothing of evm-mainnet is indexed yet", status: 503 }]);
});

it.each([
  ["has no later block", 110],
  ["has final blocks after it, which the node has too", 180],
])("is unavailable when the node has another block of the newest event, and the index %s", async (_, block) => {
  await insertRows(engine, "chain_state", [
    { chainId: 1, blockNumber: 110, blockHash: hashOf("110"), eventId: "7", seriesCount: 0 },
  ]);
  await setCheckpoint(engine, "mainnet", block);
  const client = createPublicClient({
    transport: custom({
      request: async ({ method, params: [number] }) => {
        if (method !== "eth_getBlockByNumber") throw new Error(`${method} was asked of a block that the index lacks`);
        return { number, hash: hashOf(`another ${Number(number)}`), timestamp: "0x64", transactions: [] };
      },
    }),
  });
  const forked = appOver(engine, { nodeOf: () => client });
  const { response, body } = await checkedRequest(forked, `/v1/quote?${new URLSearchParams(GOOD)}`);
  const error =
    `the quote of evm-mainnet cannot be read at block ${block}: ` +
    "the node and the index disagree about the block, try again later";
  expect([response.status, body]).toEqual([503, { error, status: 503 }]);
  expect(String(forked.errors[0])).toContain(`the node's block 110 is ${hashOf("another 110")}`);
});

it.each([
  ["network", KINDS.network.refused],
  ["user", KINDS.address.refused],
  ["routeId", []],
  ["assetInId", KINDS.hash.refused],
  ["assetOutId", KINDS.hash.refused],
  ["stablecoinDelegateId", KINDS.hash.refused],
  ["amountIn", KINDS.limit.refused.filter((value) => !/^(101|1000)$/.test(value))],
] as const)("refuses invalid values of %s, and names the parameter", async (name, refused) => {
  const others = new URLSearchParams(Object.entries(GOOD).filter(([other]) => other !== name));
  for (const value of [...refused, ...HOSTILE, ...BROKEN_ESCAPES]) {
    const { response, body } = await checkedRequest(api, `/v1/quote?${others}&${name}=${value}`);
    expect(response.status, value).toBe(400);
    expect((body as { error: string }).error).toContain(name);
  }
});
