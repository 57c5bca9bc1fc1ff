import { dailyGrowthWad, INDEX_ONE, nextIndex } from "@coreswap/sdk";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const WAD = 10n ** 18n;

/**
 * Computes `x^365` at scale 1e36 in the order of products of the definition: square and multiply from the lowest bit.
 */
function powYear(x: bigint): bigint {
  const squares = [x];
  for (let bit = 1; bit < 9; bit += 1) squares.push(((squares[bit - 1] ?? 0n) * (squares[bit - 1] ?? 0n)) / INDEX_ONE);
  return [...(365).toString(2)]
    .reverse()
    .reduce((power, bit, place) => (bit === "1" ? (power * (squares[place] ?? 0n)) / INDEX_ONE : power), INDEX_ONE);
}

describe("dailyGrowthWad", () => {
  it.each([
    [0n, 0n],
    // The figure that the contract documents for 4.5 %.
    [45_000_000_000_000_000n, 120_601_478_394_943n],
  ])("%i gives %i", (rate, growth) => expect(dailyGrowthWad(rate)).toBe(growth));

  it("is the largest growth that does not exceed the rate when compounded over a year", () => {
    const rates = fc.oneof(fc.bigInt(0n, WAD), fc.bigInt(0n, 1_000n), fc.bigInt(WAD - 1_000n, WAD));
    fc.assert(
      fc.property(rates, (rate) => {
        const growth = dailyGrowthWad(rate);
        const target = (WAD + rate) * WAD;
        expect(powYear((WAD + growth) * WAD) <= target).toBe(true);
        expect(powYear((WAD + growth + 1n) * WAD) > target).toBe(true);
      }),
    );
  });

  it("refuses rates that no delegate can post", () => {
    for (const rate of [-1n, WAD + 1n]) expect(() => dailyGrowthWad(rate)).toThrow(RangeError);
  });
});

describe("nextIndex", () => {
  it("is rounded down each day", () => {
    expect(nextIndex(INDEX_ONE, 120_601_478_394_943n)).toBe(1_000_120_601_478_394_943n * WAD);
    expect(nextIndex(INDEX_ONE + 1n, 1n)).toBe(INDEX_ONE + 1n + WAD);
  });
});
