import type { Schemas } from "@coreswap/client";
import { expect, it } from "vitest";
import { lateDaysOf } from "../../../app/src/treasury/lateDays.ts";

const END = Date.parse("2026-12-01T00:00:00Z") / 1000;
const DAY = 86_400;

/** A summary in which the first day without a rate ends at `END`. */
function summaryOf({ block = END - 60, nextDayEndsAt = "2026-12-01T00:00:00Z" as string | null } = {}) {
  const yields = { nextDayEndsAt, unpostedDays: 0 };
  const delegate = { stablecoinId: "0x01", yield: yields } as Schemas["TreasuryDelegateSummary"];
  return { delegates: [delegate], block: { timestamp: String(block) } as Schemas["TreasurySummary"]["block"] };
}

const lateDays = (data: ReturnType<typeof summaryOf> | undefined, now: number, error: Error | null = null) =>
  lateDaysOf({ data, error }, "0x01", now);

it("counts each day without a rate from its end on, although the summary is of a block before", () => {
  expect(lateDays(summaryOf(), END - 1)).toBe(0);
  expect(lateDays(summaryOf(), END)).toBe(1);
  expect(lateDays(summaryOf(), END + DAY - 1)).toBe(1);
  expect(lateDays(summaryOf(), END + 2 * DAY)).toBe(3);
});

it("takes the time of the block while the clock of this machine is behind it", () => {
  expect(lateDays(summaryOf({ block: END + DAY }), END - DAY)).toBe(2);
});

it("counts nothing before the first rate", () => {
  expect(lateDays(summaryOf({ nextDayEndsAt: null }), END)).toBe(0);
});

it("knows nothing before the first summary, after a request that failed, and of a token without a summary", () => {
  expect(lateDays(undefined, END)).toBe(null);
  expect(lateDays(summaryOf(), END, new Error("no answer"))).toBe(null);
  expect(lateDaysOf({ data: summaryOf(), error: null }, "0x02", END)).toBe(null);
});
