import fc from "fast-check";
import { maxUint256 } from "viem";
import { describe, expect, it } from "vitest";
import { legFees, legValue } from "../../src/indexing/legValue.ts";

const usd6 = { kind: "stablecoin", id: "0x01", decimals: 6, delegateAddress: "0xaa" } as const;
const usd18 = { kind: "stablecoin", id: "0x02", decimals: 18, delegateAddress: "0xbb" } as const;
const fund8 = { kind: "rwa", id: "0x03", decimals: 8 } as const;
const fund0 = { kind: "rwa", id: "0x04", decimals: 0 } as const;
const uint256 = fc.bigInt({ min: 0n, max: maxUint256 });

describe("value of a leg", () => {
  it("is the amount in, at 18 decimals, when a stablecoin goes in", () => {
    const value = { assetId: "", decimals: 18, amount: 1_500_000n * 10n ** 12n };
    const amounts = { amountIn: 1_500_000n, amountOut: 7n, fees: 9n };
    expect(legValue(usd6, fund8, amounts)).toEqual(value);
    expect(legValue(usd6, usd18, amounts)).toEqual(value);
  });

  it("is the amount out plus all fees if an RWA is swapped for a stablecoin", () => {
    const value = legValue(fund8, usd6, { amountIn: 1n, amountOut: 990_000n, fees: 10_000n });
    expect(value).toEqual({ assetId: "", decimals: 18, amount: 10n ** 18n });
  });

  it("is the unpriced amount in when both sides are RWAs", () => {
    const value = legValue(fund0, fund8, { amountIn: 12n, amountOut: 34n, fees: 56n });
    expect(value).toEqual({ assetId: fund0.id, decimals: 0, amount: 12n });
  });

  it("is exact up to 2^256", () => {
    fc.assert(
      fc.property(uint256, uint256, uint256, (amountIn, amountOut, fees) => {
        expect(legValue(fund8, usd6, { amountIn, amountOut, fees }).amount / 10n ** 12n).toBe(amountOut + fees);
        expect(legValue(usd18, usd6, { amountIn, amountOut, fees }).amount).toBe(amountIn);
      }),
    );
  });

  it("refuses decimals that it could only scale by rounding", () => {
    const wide = { ...usd6, decimals: 19 };
    expect(() => legValue(wide, fund8, { amountIn: 1n, amountOut: 1n, fees: 0n })).toThrow("19 decimals");
  });
});

describe("fees of a leg", () => {
  it("are those of the event in nominal units of the settling stablecoin, exact up to 2^256", () => {
    fc.assert(
      fc.property(uint256, uint256, uint256, fc.integer({ min: 0, max: 18 }), (issuer, spread, lp, decimals) => {
        const fees = legFees({ decimals }, { issuerFeeAmt: issuer, spreadFeeAmt: spread, lpFeeAmt: lp });
        const unit = 10n ** BigInt(18 - decimals);
        expect(fees).toEqual({ issuerFeeWad: issuer * unit, spreadFeeWad: spread * unit, lpFeeWad: lp * unit });
      }),
    );
  });

  it("are refused in decimals that could be scaled only by rounding", () => {
    const amounts = { issuerFeeAmt: 0n, spreadFeeAmt: 0n, lpFeeAmt: 1n };
    expect(() => legFees({ decimals: 19 }, amounts)).toThrow("19 decimals");
  });
});
