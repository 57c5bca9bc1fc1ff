import fc from "fast-check";
import { expect, it } from "vitest";
import {
  networkSearch,
  overviewSearch,
  parseSearch,
  stringifySearch,
  swapSearch,
  transactionsSearch,
  walletSearch,
} from "../../../app/src/search.ts";

it("reads the query string that it wrote", () => {
  const search = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.string({ minLength: 1 }));
  fc.assert(
    fc.property(search, (values) => {
      expect(parseSearch(stringifySearch(values))).toEqual({ ...values });
    }),
  );
});

it("leaves out what is not set", () => {
  expect(stringifySearch({ network: undefined, wallet: "" })).toBe("");
  expect(stringifySearch({ network: "evm-mainnet", cursor: undefined })).toBe("?network=evm-mainnet");
});

it("keeps what the API accepts, and drops everything else", () => {
  const wallet = `0x${"ab".repeat(20)}`;
  expect(transactionsSearch({ wallet, outcome: "revert", entrypoint: "swap", limit: "25", cursor: "a_-" })).toEqual({
    wallet,
    outcome: "revert",
    entrypoint: "swap",
    limit: "25",
    cursor: "a_-",
  });
  expect(
    transactionsSearch({ wallet: "0x1", outcome: "failed", entrypoint: "9swap", limit: "26", transactionHash: wallet }),
  ).toEqual({});
  expect(networkSearch({ network: "svm-mainnet" })).toEqual({});
  expect(overviewSearch({ range: "90d", interval: "week", from: "2026-01-01", lp: wallet })).toEqual({
    range: "90d",
    interval: "week",
    lp: wallet,
  });
});

it("drops times that the calendar does not have", () => {
  const to = "2028-02-29T23:59:59Z";
  expect(overviewSearch({ from: "2026-12-01T00:00:00Z", to })).toEqual({ from: "2026-12-01T00:00:00Z", to });
  for (const from of ["2026-13-01T00:00:00Z", "2026-02-30T00:00:00Z", "2026-01-01T24:00:00Z", "99999999999999999"]) {
    expect(overviewSearch({ from, to })).toEqual({ to });
  }
});

it("keeps the bounds of the history's file", () => {
  const bounds = { from: "2026-07-01T00:00:00Z", to: "2026-10-01T00:00:00Z" };
  expect(transactionsSearch({ ...bounds, outcome: "revert" })).toEqual({ ...bounds, outcome: "revert" });
  expect(transactionsSearch({ from: "2026-07-01", to: bounds.to })).toEqual({ to: bounds.to });
});

it("keeps what an order has, and the text of an amount as it was typed", () => {
  const id = `0x${"ab".repeat(32)}`;
  const order = {
    action: "deposit",
    assetIn: id,
    lp: id,
    exact: "out",
    amount: "1,000",
    slippageBps: "50",
    transaction: id,
  };
  expect(swapSearch(order)).toEqual(order);
  expect(swapSearch({ action: "stake", exact: "both", slippageBps: "51", transaction: "0x1" })).toEqual({});
});

it("keeps what names no asset, so that the view does not choose another one in its place", () => {
  expect(swapSearch({ assetIn: `0x${"AB".repeat(32)}`, assetOut: "0x12", lp: "USDC" })).toEqual({
    assetIn: `0x${"ab".repeat(32)}`,
    assetOut: "0x12",
    lp: "usdc",
  });
});

it("reads addresses and hashes in any letter case, as the API writes them", () => {
  const [written, lower] = [`0x${"aB".repeat(20)}`, `0x${"ab".repeat(20)}`];
  expect(walletSearch({ address: written })).toEqual({ address: lower });
  expect(overviewSearch({ lp: written })).toEqual({ lp: lower });
  const transactionHash = `0x${"aB".repeat(32)}`;
  expect(transactionsSearch({ wallet: written, transactionHash })).toEqual({
    wallet: lower,
    transactionHash: transactionHash.toLowerCase(),
  });
});
