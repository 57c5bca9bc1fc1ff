import { describe, expect, it } from "vitest";
import { Random } from "../../../localnet/random.ts";
import { planRates } from "../../../localnet/rates.ts";

const DAY = 86_400;
const START = 20_000 * DAY + 3_600;
/** Six blocks a day for 90 days. */
const TIMES = Array.from({ length: 540 }, (_, index) => START + (index + 1) * 4 * 3_600);

const planned = (seed: bigint) =>
  planRates(new Random(seed), TIMES, START).flatMap((transactions, index) =>
    transactions.flatMap(({ action, sender }) =>
      action.type === "postRate" || action.type === "correctRate"
        ? [{ ...action, sender, time: TIMES[index] as number }]
        : [],
    ),
  );

describe.each([1n, 2n, 3n])("planRates with seed %i", (seed) => {
  const posts = planned(seed).filter(({ type }) => type === "postRate");

  it("posts every day once, in order, after it has ended", () => {
    expect(posts.length).toBeGreaterThan(80);
    for (const [index, { dayNumber, time, sender }] of posts.entries()) {
      expect(dayNumber).toBe(20_000 + index);
      expect(time).toBeGreaterThanOrEqual((dayNumber + 1) * DAY);
      expect(sender).toBe("ratePoster");
    }
  });

  it("is sometimes late, and mostly in time", () => {
    const daysLate = posts.map(({ dayNumber, time }) => Math.floor(time / DAY) - dayNumber - 1);
    expect(Math.max(...daysLate)).toBeGreaterThanOrEqual(1);
    expect(Math.max(...daysLate)).toBeLessThanOrEqual(3);
    expect(daysLate.filter((days) => days === 0).length).toBeGreaterThan(posts.length / 2);
  });

  it("plans changing rates between 3 % and 6 %", () => {
    const rates = posts.map(({ grossRateWad }) => grossRateWad);
    for (const rate of rates) {
      expect(rate).toBeGreaterThanOrEqual(3n * 10n ** 16n);
      expect(rate).toBeLessThanOrEqual(6n * 10n ** 16n);
    }
    expect(new Set(rates).size).toBeGreaterThan(posts.length / 2);
  });

  it("corrects one day that was posted before", () => {
    const all = planned(seed);
    const corrections = all.filter(({ type }) => type === "correctRate");
    expect(corrections).toHaveLength(1);
    const [correction] = corrections;
    const before = all.slice(0, correction ? all.indexOf(correction) : 0);
    expect(before.map(({ dayNumber }) => dayNumber)).toContain(correction?.dayNumber);
    expect(correction?.sender).toBe("admin");
  });

  it("returns the same plan for the same seed", () => {
    expect(planned(seed)).toEqual(planned(seed));
    expect(planned(seed)).not.toEqual(planned(seed + 10n));
  });
});

it("posts nothing before the first day has ended", () => {
  expect(planRates(new Random(1n), [START + 60, START + 120], START)).toEqual([[], []]);
});
