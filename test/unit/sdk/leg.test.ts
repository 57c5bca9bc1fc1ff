import {
  type Asset,
  amountsOfExactIn,
  amountsOfExactOut,
  approvalOf,
  extraGasOf,
  LegAmountError,
  maximumIn,
  minimumOut,
  type Rwa,
  routeIdOf,
  type Stablecoin,
  settlementsOf,
  swapInputsOf,
  WAD,
} from "@coreswap/sdk";
import fc from "fast-check";
import { type Hex, pad, toHex } from "viem";
import { describe, expect, it } from "vitest";

const id = (number: number) => toHex(number, { size: 32 });
const address = (number: number) => pad(toHex(number), { size: 20 });

const stablecoin = (number: number, isYieldBearing = false): Stablecoin => ({
  kind: "stablecoin",
  id: id(number),
  tokenAddress: address(number),
  delegateAddress: address(number + 100),
  decimals: 6,
  usdPerTokenWad: WAD,
  isYieldBearing,
});
const rwa = (number: number): Rwa => ({
  kind: "rwa",
  id: id(number),
  tokenAddress: address(number),
  decimals: 18,
  usdPerTokenWad: 2n * WAD,
});
const [usdc, usdt, treasury, otherTreasury] = [1, 2, 3, 4].map((number) => stablecoin(number, number > 2)) as [
  Stablecoin,
  Stablecoin,
  Stablecoin,
  Stablecoin,
];
const [bond, fund] = [rwa(10), rwa(11)];
const rates = { issuerRateWad: 0n, takeRateWad: 0n, firstRateWad: WAD / 100n, secondRateWad: 0n };

describe("routes", () => {
  it.each<[Asset, Asset, bigint]>([
    [bond, usdc, 1n],
    [usdc, bond, 3n],
    [bond, fund, 5n],
    [usdc, usdt, 7n],
  ])("have odd ids if the amount in is exact, and the next even id if the amount out is", (assetIn, assetOut, odd) => {
    expect(routeIdOf({ assetIn, assetOut }, "in")).toBe(odd);
    expect(routeIdOf({ assetIn, assetOut }, "out")).toBe(odd + 1n);
  });

  it.each<[string, Asset, Asset, readonly Stablecoin[] | null]>([
    ["an RWA and a stablecoin by that stablecoin", bond, usdc, [usdc]],
    ["a stablecoin and an RWA by that stablecoin", treasury, bond, [treasury]],
    ["two RWAs by any stablecoin", bond, fund, null],
    ["two stablecoins by either, that out expected", usdc, usdt, [usdt, usdc]],
    ["a yield-bearing stablecoin in by itself", treasury, usdc, [treasury]],
    ["a yield-bearing stablecoin out by itself", usdc, treasury, [treasury]],
    ["two yield-bearing ones by neither", treasury, otherTreasury, []],
    ["an asset and itself by none", bond, bond, []],
  ])("are settled between %s", (_name, assetIn, assetOut, settlements) => {
    expect(settlementsOf({ assetIn, assetOut })).toEqual(settlements);
  });
});

describe("the approval of a user", () => {
  it("is the settling delegate, for the token that goes in", () => {
    expect(approvalOf({ assetIn: bond, assetOut: fund, settlement: usdt })).toEqual({
      tokenAddress: bond.tokenAddress,
      spender: usdt.delegateAddress,
    });
  });

  it("is refused for a stablecoin that cannot settle", () => {
    expect(() => approvalOf({ assetIn: bond, assetOut: usdc, settlement: usdt })).toThrow(usdc.id);
    expect(() => approvalOf({ assetIn: treasury, assetOut: otherTreasury, settlement: treasury })).toThrow("none");
    expect(() => approvalOf({ assetIn: bond, assetOut: bond, settlement: usdc })).toThrow("both sides");
  });
});

describe("amounts", () => {
  const terms = { assetIn: bond, assetOut: usdc, settlement: usdc, rates };

  it("take the fees from the value, and round against the user", () => {
    // 1.5 bonds are worth 3 USDC, of which 1 % goes to the LP.
    expect(amountsOfExactIn(15n * 10n ** 17n, terms)).toEqual({
      amountIn: 15n * 10n ** 17n,
      amountOut: 2_970_000n,
      issuerFee: 0n,
      spreadFee: 0n,
      lpFee: 30_000n,
    });
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 15n), (amountOut) => {
        const { amountIn } = amountsOfExactOut(amountOut, terms);
        expect(amountsOfExactIn(amountIn, terms).amountOut >= amountOut).toBe(true);
      }),
    );
  });

  it("of a redemption include the yield", () => {
    const doubling = { valueOf: (amount: bigint) => 2n * amount, amountFor: (value: bigint) => (value + 1n) / 2n };
    const redeeming = { assetIn: treasury, assetOut: usdc, settlement: treasury, rates, redemption: doubling };
    expect(amountsOfExactIn(1_000n, redeeming)).toMatchObject({ amountOut: 1_980n, lpFee: 20n });
    expect(amountsOfExactOut(1_980n, redeeming)).toMatchObject({ amountIn: 1_000n, lpFee: 20n });
    const { redemption: _, ...without } = redeeming;
    expect(() => amountsOfExactIn(1_000n, without)).toThrow("redemption");
  });

  it.each([
    ["InsufficientRWAInput", () => amountsOfExactIn(0n, terms)],
    ["InsufficientRWAInput", () => amountsOfExactIn(2n ** 128n, terms)],
    ["InsufficientStablecoinOutput", () => amountsOfExactIn(1n, terms)],
    ["InsufficientStablecoinOutput", () => amountsOfExactOut(0n, terms)],
    ["InsufficientRWAOutput", () => amountsOfExactOut(2n ** 128n, { ...terms, assetIn: usdc, assetOut: bond })],
    ["InsufficientStablecoinInput", () => amountsOfExactIn(-1n, { ...terms, assetIn: usdc, assetOut: bond })],
  ])("that CoreSwap refuses with %s are refused with that name", (contractError, compute) => {
    expect(compute).toThrow(LegAmountError);
    expect(compute).toThrow(contractError);
  });
});

describe("bounds", () => {
  it("are never further from the quote than the slippage, and never zero", () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 2n ** 128n), fc.bigInt(0n, 9_999n), (amount, slippageBps) => {
        const [least, most] = [minimumOut(amount, slippageBps), maximumIn(amount, slippageBps)];
        expect(least > 0n && least <= amount).toBe(true);
        // Exactly at the bound: one more unit of slippage would be too much.
        expect((amount - least) * 10_000n <= amount * slippageBps).toBe(true);
        expect((amount - least + 1n) * 10_000n > amount * slippageBps).toBe(true);
        expect(most - amount).toBe(amount - least);
      }),
    );
  });

  it("refuse a slippage of 100 % and a quote of zero", () => {
    for (const bound of [minimumOut, maximumIn]) {
      expect(() => bound(1n, 10_000n)).toThrow("slippage");
      expect(() => bound(1n, -1n)).toThrow("slippage");
      expect(() => bound(0n, 1n)).toThrow("quoted amount");
    }
  });

  it("are set in a leg beside its exact side", () => {
    const leg = { assetIn: bond, assetOut: usdc, settlement: usdc };
    const amounts = { amountIn: 1_000n, amountOut: 2_000n };
    const ids = { assetInID: bond.id, assetOutID: usdc.id, stablecoinDelegateID: usdc.id };
    expect(swapInputsOf(leg, "in", amounts, 50n)).toEqual({
      ...ids,
      routeId: 1n,
      assetInAmt: 1_000n,
      assetOutAmt: 1_990n,
    });
    expect(swapInputsOf(leg, "out", amounts, 50n)).toEqual({
      ...ids,
      routeId: 2n,
      assetInAmt: 1_005n,
      assetOutAmt: 2_000n,
    });
  });
});

describe("extraGasOf", () => {
  const USDC_ID = `0x${"ab".repeat(32)}` as const;
  const of = (assetInID: Hex) =>
    extraGasOf({
      legs: [
        { routeId: 1n, assetInID, assetOutID: id(2), stablecoinDelegateID: USDC_ID, assetInAmt: 1n, assetOutAmt: 1n },
      ],
    });

  it("counts a leg in which the LP's own stablecoin comes in, however the IDs are spelled", () => {
    expect(of(id(1))).toBe(0n);
    expect(of(USDC_ID)).toBeGreaterThan(0n);
    expect(of(`0x${"AB".repeat(32)}`)).toBe(of(USDC_ID));
  });
});
