import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { floorToMicroUsd, formatMicroUsd, valueAtPrice } from "../../src/api/shared/volume/money.ts";

const amount = fc.record({ units: fc.bigInt({ min: 0n, max: 2n ** 400n }), scale: fc.integer({ min: 0, max: 40 }) });

describe("floorToMicroUsd", () => {
  it("is the largest number of millionths that is not above the exact sum", () => {
    fc.assert(
      fc.property(fc.array(amount), (amounts) => {
        const micro = floorToMicroUsd(amounts);
        // Both sides are multiplied by 10^46, which makes every term an integer.
        const exact = amounts.reduce((sum, { units, scale }) => sum + units * 10n ** BigInt(46 - scale), 0n);
        expect(micro * 10n ** 40n <= exact && exact < (micro + 1n) * 10n ** 40n).toBe(true);
      }),
    );
  });

  it("rounds once: parts below a millionth are added before rounding", () => {
    expect(floorToMicroUsd(Array(10).fill({ units: 1n, scale: 7 }))).toBe(1n);
  });

  it("does not depend on order", () => {
    fc.assert(
      fc.property(fc.array(amount), (amounts) => {
        expect(floorToMicroUsd(amounts.toReversed())).toBe(floorToMicroUsd(amounts));
      }),
    );
  });
});

describe("valueAtPrice", () => {
  it("values whole tokens at the price, whatever their decimals", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n }), fc.integer({ min: 0, max: 18 }), (tokens, decimals) => {
        const cents = 105n;
        const value = valueAtPrice(tokens * 10n ** BigInt(decimals), decimals, cents * 10n ** 16n);
        expect(floorToMicroUsd([value])).toBe(tokens * cents * 10_000n);
      }),
    );
  });
});

describe("formatMicroUsd", () => {
  it("writes six fractional digits and no superfluous leading zeros", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 300n }), (micro) => {
        const text = formatMicroUsd(micro);
        expect(text).toMatch(/^(0|[1-9][0-9]*)\.[0-9]{6}$/);
        expect(BigInt(text.replace(".", ""))).toBe(micro);
      }),
    );
  });
});
