import type { Schemas } from "@coreswap/client";
import { expect, it } from "vitest";
import { Market } from "../../../app/src/swap/market.ts";

const id = (digit: string) => `0x${digit.repeat(64)}`;
const token = (digit: string) => `0x${digit.repeat(40)}`;
const [USDC, DAI, TRSY, BOND, GOLD] = [id("1"), id("2"), id("3"), id("4"), id("5")];

function stablecoin(digit: string, changes: Partial<Schemas["StablecoinTerms"]>): Schemas["StablecoinTerms"] {
  return {
    stablecoinId: id(digit),
    tokenAddress: token(digit),
    name: null,
    symbol: `S${digit}`,
    decimals: 6,
    accepted: true,
    yieldBearing: false,
    lpAddress: token(digit),
    usdValueWad: "1000000000000000000",
    usdValueSetAt: null,
    issuerPaidProtocolFeeRateWad: "0",
    protocolFeeExempt: false,
    guardrail: null,
    rwaRates: [],
    stablecoinRates: [],
    ...changes,
  };
}

function rwa(digit: string, accepted = true): Schemas["RwaTerms"] {
  const none = { priceAdapter: null, price: null, nav: null, riskDelegate: null, whitelistAdapter: null };
  return {
    rwaId: id(digit),
    tokenAddress: token(digit),
    name: null,
    symbol: `R${digit}`,
    decimals: 18,
    accepted,
    ...none,
  };
}

const rwaRate = (rwaId: string) => ({ rwaId, discountRateWad: "0", redemptionFeeWad: "0" });
const stablecoinRate = (digit: string) => ({
  tokenAddress: token(digit),
  acceptanceFeeWad: "0",
  redemptionFeeWad: "0",
});

const market = new Market({
  stablecoins: [
    stablecoin("1", { rwaRates: [rwaRate(id("4")), rwaRate(id("5"))], stablecoinRates: [stablecoinRate("2")] }),
    stablecoin("2", { rwaRates: [rwaRate(id("4"))], stablecoinRates: [stablecoinRate("1")] }),
    stablecoin("3", { yieldBearing: true, rwaRates: [rwaRate(id("4"))], stablecoinRates: [stablecoinRate("1")] }),
  ],
  rwas: [rwa("4"), rwa("5"), rwa("6", false)],
});

const idsOf = (assets: readonly { readonly id: string }[]) => assets.map((asset) => asset.id);

it("offers for an asset what some LP swaps for it, and LPs that deal in both", () => {
  const gold = market.choose({ assetIn: GOLD });
  expect(idsOf(gold.assetsOut)).toEqual([USDC, BOND]);
  expect(idsOf(market.choose({ assetIn: GOLD, assetOut: BOND }).settlements)).toEqual([USDC]);
  expect(idsOf(market.choose({ assetIn: BOND, assetOut: GOLD }).settlements)).toEqual([USDC]);
  expect(idsOf(market.choose({ assetIn: USDC, assetOut: DAI }).settlements)).toEqual([DAI, USDC]);
  expect(market.choose({ assetIn: USDC, assetOut: DAI, lp: USDC }).pair?.settlement.id).toBe(USDC);
});

it("keeps the treasury token to deposits and redemptions, which its own LP settles", () => {
  const swap = market.choose({});
  expect(idsOf([...swap.assetsIn, ...swap.assetsOut])).not.toContain(TRSY);
  const deposit = market.choose({ action: "deposit" });
  expect([idsOf(deposit.assetsIn), idsOf(deposit.assetsOut)]).toEqual([[USDC, BOND], [TRSY]]);
  const redemption = market.choose({ action: "redeem", assetOut: BOND });
  expect([redemption.pair?.assetIn.id, redemption.pair?.assetOut.id]).toEqual([TRSY, BOND]);
  expect([deposit, redemption].map(({ pair }) => pair?.settlement.id)).toEqual([TRSY, TRSY]);
});

it("says when a link names what is not offered, and never offers an asset that is closed", () => {
  expect(market.choose({ assetIn: USDC, assetOut: GOLD }).isOther).toBe(false);
  expect(market.choose({ assetIn: DAI, assetOut: GOLD })).toMatchObject({ pair: null, isOther: true });
  expect(market.choose({ assetIn: id("6"), assetOut: USDC })).toMatchObject({ pair: null, isOther: true });
  expect(market.choose({ assetIn: GOLD, assetOut: BOND, lp: DAI })).toMatchObject({ pair: null, isOther: true });
  expect(idsOf(market.choose({}).assetsIn)).not.toContain(id("6"));
  expect(new Market({ stablecoins: [], rwas: [] }).choose({}).pair).toBe(null);
});

it("names assets of the same symbol so that they differ, also while only one of them can be swapped", () => {
  const { assetsIn } = new Market({
    stablecoins: [
      stablecoin("1", { symbol: "USD", stablecoinRates: [stablecoinRate("2")] }),
      stablecoin("2", { symbol: "EUR", stablecoinRates: [stablecoinRate("1")] }),
      stablecoin("3", { symbol: "USD", accepted: false }),
    ],
    rwas: [],
  }).choose({});
  expect(assetsIn.map(({ symbol }) => symbol)).toEqual(["USD (0x1111…1111)", "EUR"]);
});
