import { afterAll, beforeAll, expect, it } from "vitest";
import { checkedRequest } from "./support/checked.ts";
import { openEngine, type TestEngine } from "./support/engine.ts";
import { addressOf, appOver, hashOf } from "./support/world.ts";

let engine: TestEngine;
beforeAll(async () => {
  engine = await openEngine("quote_test");
});
afterAll(() => engine.close());

const GOOD = {
  network: "evm-mainnet",
  user: addressOf("alice"),
  routeId: "1",
  assetInId: hashOf("TBILL"),
  assetOutId: hashOf("USDC"),
  stablecoinDelegateId: hashOf("USDC"),
  amountIn: "1000",
};

const ask = (parameters: Record<string, string>) =>
  checkedRequest(appOver(engine), `/v1/quote?${new URLSearchParams(parameters)}`);

it.each([
  [{ routeId: "0" }, "routeId: accepts 1 or 2 or 3 or 4 or 5 or 6 or 7 or 8"],
  [{ routeId: "01" }, "routeId: accepts 1 or 2 or 3 or 4 or 5 or 6 or 7 or 8"],
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
