/** Resolves a leg: its assets, and then both amounts and the fees, on every route. */
import type { Address, Hex } from "viem";
import { type FeeRates, type FeeSplit, splitGross, splitNet } from "../fees.ts";
import { demand } from "../state.ts";
import { isLegAmount, type Valued, worthDown, worthUp } from "../value.ts";
import { Registry, type RwaRecord, type StablecoinRecord } from "./registry.ts";
import type { Token } from "./token.ts";
import { TreasuryDelegateModel } from "./treasuryDelegate.ts";

/** One leg, as a caller of `swap` gives it. */
export interface SwapInputs {
  readonly routeId: bigint;
  readonly assetInID: Hex;
  readonly assetOutID: Hex;
  readonly stablecoinDelegateID: Hex;
  readonly assetInAmt: bigint;
  readonly assetOutAmt: bigint;
}

export interface Quote {
  readonly tokenInAmt: bigint;
  readonly tokenOutAmt: bigint;
  readonly issuerFeeAmt: bigint;
  readonly spreadFeeAmt: bigint;
  readonly lpFeeAmt: bigint;
}

/** One side of a leg. */
export interface Side extends Valued {
  readonly id: Hex;
  readonly token: Token;
  readonly rwa: RwaRecord | null;
}

export interface ResolvedLeg {
  readonly isExactIn: boolean;
  readonly in: Side;
  readonly out: Side;
  /** The stablecoin whose delegate settles. */
  readonly settling: StablecoinRecord;
  readonly quote: Quote;
}

interface Route {
  readonly isRWAIn: boolean;
  readonly isRWAOut: boolean;
  readonly isExactIn: boolean;
}

function routeOf(routeId: bigint): Route {
  demand(routeId >= 1n && routeId <= 8n, "UnsupportedRouteId", routeId);
  const isExactIn = routeId % 2n === 1n;
  if (routeId <= 2n) return { isRWAIn: true, isRWAOut: false, isExactIn };
  if (routeId <= 4n) return { isRWAIn: false, isRWAOut: true, isExactIn };
  return { isRWAIn: routeId <= 6n, isRWAOut: routeId <= 6n, isExactIn };
}

export abstract class Quoting extends Registry {
  quoteSwap(user: Address, leg: SwapInputs): Quote {
    return this.resolve(user, leg, false).quote;
  }

  /**
   * Resolves a leg in the current state, ignoring its bound.
   * @param isDerived whether the leg is a prefund or sweep, which pays no protocol fee
   */
  protected resolve(user: Address, leg: SwapInputs, isDerived: boolean): ResolvedLeg {
    const route = routeOf(leg.routeId);
    if (leg.assetInID === leg.assetOutID) {
      demand(!route.isRWAIn || !route.isRWAOut, "IdenticalAssets");
      demand(route.isRWAIn || route.isRWAOut, "IdenticalStablecoins");
    }
    const rwaIn = route.isRWAIn ? this.acceptedRwa(leg.assetInID) : null;
    const stablecoinIn = route.isRWAIn ? null : this.acceptedStablecoin(leg.assetInID);
    const rwaOut = route.isRWAOut ? this.acceptedRwa(leg.assetOutID) : null;
    const stablecoinOut = route.isRWAOut ? null : this.acceptedStablecoin(leg.assetOutID);
    const settling = this.#settling(leg.stablecoinDelegateID, stablecoinIn, stablecoinOut);

    const sideIn = this.#side(leg.assetInID, rwaIn, stablecoinIn);
    const sideOut = this.#side(leg.assetOutID, rwaOut, stablecoinOut);
    const settlingValue = { decimals: settling.token.decimals, usdWad: this.usdValueOf(settling.id) };
    const guarded = new Set([
      settling.id,
      ...(stablecoinIn ? [leg.assetInID] : []),
      ...(stablecoinOut ? [leg.assetOutID] : []),
    ]);
    for (const id of guarded) this.guard(id);

    const rates = this.#rates(settling, sideIn, sideOut, isDerived);
    if (isDerived) this.demandAgreedTerms(sideIn.id === settling.id ? sideOut.id : sideIn.id, rates.first);
    const resolution = { user, leg, in: sideIn, out: sideOut, settling, settlingValue, rates };
    const quote = route.isExactIn ? this.#exactIn(resolution) : this.#exactOut(resolution);
    return { isExactIn: route.isExactIn, in: sideIn, out: sideOut, settling, quote };
  }

  /**
   * The stablecoin that `stablecoinDelegateID` must name: on a pair with an RWA the stablecoin of the pair, and on
   * other pairs the yield-bearing one.
   */
  #settling(id: Hex, stablecoinIn: StablecoinRecord | null, stablecoinOut: StablecoinRecord | null): StablecoinRecord {
    const sides = [stablecoinIn, stablecoinOut].filter((side) => side !== null);
    const [only] = sides;
    if (only === undefined) return this.acceptedStablecoin(id);
    const yieldBearing = sides.filter((side) => side.yieldBearing);
    const allowed = yieldBearing.length > 0 ? yieldBearing : sides;
    const settling = yieldBearing.length > 1 ? undefined : allowed.find((side) => side.id === id);
    const expected = allowed.at(-1) ?? only;
    demand(settling !== undefined, "InvalidStablecoinDelegateID", id, expected.id);
    return settling;
  }

  #side(id: Hex, rwa: RwaRecord | null, stablecoin: StablecoinRecord | null): Side {
    const token = (rwa ?? stablecoin)?.token;
    if (token === undefined) throw new Error(`${id} is neither an RWA nor a stablecoin`);
    const usdWad = rwa === null ? this.usdValueOf(id) : this.priceOf(id);
    return { id, token, rwa, decimals: token.decimals, usdWad };
  }

  #rates(settling: StablecoinRecord, sideIn: Side, sideOut: Side, isDerived: boolean): FeeRates {
    const isFree = isDerived || this.protocolFeeExempt(settling.id);
    const protocol = {
      issuerPaid: isFree ? 0n : this.issuerPaidProtocolFeeRates(settling.id),
      take: isFree ? 0n : this.takeRate.value,
    };
    const redemption = sideOut.rwa === null ? 0n : this.pairRate("redemption", settling.id, sideOut.id);
    if (sideIn.rwa !== null) {
      return { ...protocol, first: this.pairRate("discount", settling.id, sideIn.id), second: redemption };
    }
    if (sideOut.rwa !== null) return { ...protocol, first: redemption, second: 0n };
    const first =
      sideOut.id === settling.id
        ? this.pairRate("acceptance", settling.id, sideIn.token.address)
        : this.pairRate("stablecoinRedemption", settling.id, sideOut.token.address);
    return { ...protocol, first, second: 0n };
  }

  #exactIn({ user, leg, in: sideIn, out: sideOut, settling, settlingValue, rates }: Resolution): Quote {
    const amountIn = leg.assetInAmt;
    demand(isLegAmount(amountIn, sideIn.decimals), inputError(sideIn));
    const gross =
      sideIn.id === settling.id
        ? redemptionOf(settling, sideOut).value(user, amountIn)
        : worthDown(amountIn, sideIn, settlingValue);
    const split = splitGross(gross, rates);
    const amountOut = sideOut.id === settling.id ? split.net : worthDown(split.net, settlingValue, sideOut);
    demand(isLegAmount(amountOut, sideOut.decimals), outputError(sideOut));
    return toQuote(amountIn, amountOut, split);
  }

  #exactOut({ user, leg, in: sideIn, out: sideOut, settling, settlingValue, rates }: Resolution): Quote {
    const amountOut = leg.assetOutAmt;
    demand(isLegAmount(amountOut, sideOut.decimals), outputError(sideOut));
    const net = sideOut.id === settling.id ? amountOut : worthUp(amountOut, sideOut, settlingValue);
    const split = splitNet(net, rates);
    const amountIn =
      sideIn.id === settling.id
        ? redemptionOf(settling, sideOut).amountFor(user, split.gross)
        : worthUp(split.gross, settlingValue, sideIn);
    demand(isLegAmount(amountIn, sideIn.decimals), inputError(sideIn));
    return toQuote(amountIn, amountOut, split);
  }
}

interface Resolution {
  readonly user: Address;
  readonly leg: SwapInputs;
  readonly in: Side;
  readonly out: Side;
  readonly settling: StablecoinRecord;
  readonly settlingValue: Valued;
  readonly rates: FeeRates;
}

/**
 * The value of the settling stablecoin when it comes in: its amount, plus the user's yield when it is yield-bearing.
 */
function redemptionOf({ delegate, yieldBearing }: StablecoinRecord, sideOut: Side) {
  if (!yieldBearing) {
    return { value: (_user: Address, amount: bigint) => amount, amountFor: (_user: Address, gross: bigint) => gross };
  }
  if (!(delegate instanceof TreasuryDelegateModel)) throw new Error("a yield-bearing stablecoin without yield");
  const isStablecoinWithdrawal = sideOut.rwa === null;
  return {
    value: (user: Address, amount: bigint) => amount + delegate.getYieldAmount(user, amount, isStablecoinWithdrawal),
    amountFor: (user: Address, gross: bigint) => delegate.getAmountForTargetValue(user, gross, isStablecoinWithdrawal),
  };
}

function toQuote(tokenInAmt: bigint, tokenOutAmt: bigint, { issuerFee, spreadFee, lpFee }: FeeSplit): Quote {
  return { tokenInAmt, tokenOutAmt, issuerFeeAmt: issuerFee, spreadFeeAmt: spreadFee, lpFeeAmt: lpFee };
}

export function inputError({ rwa }: Side): string {
  return rwa ? "InsufficientRWAInput" : "InsufficientStablecoinInput";
}

export function outputError({ rwa }: Side): string {
  return rwa ? "InsufficientRWAOutput" : "InsufficientStablecoinOutput";
}
