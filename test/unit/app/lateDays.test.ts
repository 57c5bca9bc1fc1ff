import type { Schemas } from "@coreswap/client";
import { expect, it } from "vitest";
import { knownUntil, lateDaysOf } from "../../../app/src/treasury/lateDays.ts";

const END = Date.parse("2026-12-01T00:00:00Z") / 1000;
const DAY = 86_400;

/** A summary in which the first day without a rate ends at `END`. */
function summaryOf({ block = END - 60, nextDayEndsAt = "2026-12-01T00:00:00Z" as string | null } = {}) {
  const yields = { nextDayEndsAt, unpostedDays: 0 };
  const delegate = { stablecoinId: "0x01", yield: yields } as Schemas["TreasuryDelegateSummary"];
  return { delegates: [delegate], block: { timestamp: String(block) } as Schemas["TreasurySummary"]["block"] };
}

it("counts each day without a rate from its end on", () => {
  const lateDays = (time: number) => lateDaysOf(summaryOf(), "0x01", time);
  expect([END - 1, END, END + DAY - 1, END + 2 * DAY].map(lateDays)).toEqual([0, 1, 1, 3]);
});

it("counts nothing before the first rate", () => {
  expect(lateDaysOf(summaryOf({ nextDayEndsAt: null }), "0x01", END)).toBe(0);
});

it("knows nothing before the first summary, and of a token without a summary", () => {
  expect(lateDaysOf(undefined, "0x01", END)).toBe(null);
  expect(lateDaysOf(summaryOf(), "0x02", END)).toBe(null);
});

it("takes a live index for complete until it answered, although its newest block is older", () => {
  const { block } = summaryOf();
  expect(knownUntil(block, END + 5, true)).toBe(END + 5);
  expect(knownUntil(block, END - DAY, true)).toBe(END - 60);
});

it("takes an index that is not live for complete until its newest block, however long ago that is", () => {
  expect(knownUntil(summaryOf().block, END + 275 * DAY, false)).toBe(END - 60);
});
