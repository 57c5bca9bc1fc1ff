import fc from "fast-check";
import { expect, it } from "vitest";
import {
  networkSearch,
  overviewSearch,
  parseSearch,
  stringifySearch,
  transactionsSearch,
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
  const wallet = `0x${"aB".repeat(20)}`;
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
