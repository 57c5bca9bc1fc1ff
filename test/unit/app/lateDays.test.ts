import type { Schemas } from "@coreswap/client";
import { expect, it } from "vitest";
import { lateDaysOf } from "../../../app/src/treasury/lateDays.ts";

function summaryOf(unpostedDays: number) {
  const delegate = { stablecoinId: "0x01", yield: { unpostedDays } } as Schemas["TreasuryDelegateSummary"];
  return { delegates: [delegate] };
}

it("counts the late days of the token", () => {
  expect(lateDaysOf({ data: summaryOf(0), error: null }, "0x01")).toBe(0);
  expect(lateDaysOf({ data: summaryOf(3), error: null }, "0x01")).toBe(3);
});

it("knows nothing before the first summary, after a request that failed, and of a token without a summary", () => {
  expect(lateDaysOf({ data: undefined, error: null }, "0x01")).toBe(null);
  expect(lateDaysOf({ data: summaryOf(0), error: new Error("no answer") }, "0x01")).toBe(null);
  expect(lateDaysOf({ data: summaryOf(0), error: null }, "0x02")).toBe(null);
});
