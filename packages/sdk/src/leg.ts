/** One leg of a swap: its route, who settles it, its amounts, its bound and what its user approves. */
import type { Address, Hex } from "viem";
import { type FeeSplit, type LegRates, splitGross, splitNet } from "./fees.ts";
import { convertDown, convertUp, isLegAmount, type Priced } from "./value.ts";

interface RegisteredToken {
  /** Asset id in CoreSwap. */
  readonly id: Hex;
  readonly tokenAddress: Address;
  readonly decimals: number;
}

/** An RWA that CoreSwap has registered. */
export interface RwaToken extends RegisteredToken {
  readonly kind: "rwa";
}

/** A stablecoin that CoreSwap has registered. */
export interface StablecoinToken extends RegisteredToken {
  readonly kind: "stablecoin";
  readonly delegateAddress: Address;
  readonly isYieldBearing: boolean;
}

/** One side of a leg, whatever its price. */
export type AssetToken = RwaToken | StablecoinToken;

/** An RWA that CoreSwap accepts, with its price. */
export interface Rwa extends RwaToken, Priced {}

/** A stablecoin that CoreSwap accepts, with its USD value. */
export interface Stablecoin extends StablecoinToken, Priced {}

/** One side of a leg, with its price. */
export type Asset = Rwa | Stablecoin;

/** The amount of a leg that is given: what goes in, or what comes out. */
export type ExactSide = "in" | "out";

/** The assets of a leg, whatever their prices. */
export interface LegTokens {
  readonly assetIn: AssetToken;
  readonly assetOut: AssetToken;
  /** The stablecoin whose delegate settles. */
  readonly settlement: StablecoinToken;
}

/** The assets of a leg, with their prices. */
export interface LegAssets extends LegTokens {
  readonly assetIn: Asset;
  readonly assetOut: Asset;
  readonly settlement: Stablecoin;
}

/** The value of redeemed tokens of a yield-bearing stablecoin for the user, in token units. */
export interface Redemption {
  /** Value of an amount, rounded down: the amount plus the result of `getYieldAmount`. */
  valueOf(amount: bigint): bigint;
  /** The least amount worth at least a value: `getAmountForTargetValue`. */
  amountFor(value: bigint): bigint;
}

/** A leg without its amounts. */
export interface LegTerms extends LegAssets {
  readonly rates: LegRates;
  /** Needed when a yield-bearing stablecoin goes in. */
  readonly redemption?: Redemption;
}

/** Amounts of a leg: `amountIn` and `amountOut` in units of their tokens, fees in units of the settling stablecoin. */
export interface LegAmounts extends Pick<FeeSplit, "issuerFee" | "spreadFee" | "lpFee"> {
  readonly amountIn: bigint;
  readonly amountOut: bigint;
}

/** An amount of a leg is zero or, at 18 decimals, above 2^128 - 1. `contractError` is the name of CoreSwap's error. */
export class LegAmountError extends Error {
  override readonly name = "LegAmountError";
  readonly contractError: `Insufficient${"RWA" | "Stablecoin"}${"Input" | "Output"}`;

  constructor(amount: bigint, { kind }: AssetToken, side: "Input" | "Output") {
    const contractError = `Insufficient${kind === "rwa" ? "RWA" : "Stablecoin"}${side}` as const;
    super(`${contractError}: the amount is ${amount}, expected above zero and at most 2^128 - 1 at 18 decimals`);
    this.contractError = contractError;
  }
}

/** Id of the route between two kinds of assets, 1 to 8. */
export function routeIdOf({ assetIn, assetOut }: Pick<LegTokens, "assetIn" | "assetOut">, exact: ExactSide): bigint {
  const pair = { rwa: { stablecoin: 1n, rwa: 5n }, stablecoin: { rwa: 3n, stablecoin: 7n } }[assetIn.kind][
    assetOut.kind
  ];
  return exact === "in" ? pair : pair + 1n;
}

/**
 * Returns the stablecoins whose delegates can settle a leg, starting with the one that CoreSwap expects. Null if any
 * accepted stablecoin can, as between RWAs. Empty if no leg is possible: from an asset to itself, and between two
 * yield-bearing stablecoins.
 */
export function settlementsOf(pair: Pick<LegAssets, "assetIn" | "assetOut">): readonly Stablecoin[] | null;
export function settlementsOf(pair: Pick<LegTokens, "assetIn" | "assetOut">): readonly StablecoinToken[] | null;
export function settlementsOf({
  assetIn,
  assetOut,
}: Pick<LegTokens, "assetIn" | "assetOut">): readonly StablecoinToken[] | null {
  if (assetIn.id === assetOut.id) return [];
  if (assetIn.kind === "rwa") return assetOut.kind === "rwa" ? null : [assetOut];
  if (assetOut.kind === "rwa") return [assetIn];
  if (assetIn.isYieldBearing) return assetOut.isYieldBearing ? [] : [assetIn];
  return assetOut.isYieldBearing ? [assetOut] : [assetOut, assetIn];
}

/**
 * Returns the approval that a leg needs: for the delegate that settles it, never for CoreSwap, and of the token that
 * goes in.
 * @throws RangeError when that stablecoin cannot settle a leg between these assets
 */
export function approvalOf(leg: LegTokens): { readonly tokenAddress: Address; readonly spender: Address } {
  requireSettlement(leg);
  return { tokenAddress: leg.assetIn.tokenAddress, spender: leg.settlement.delegateAddress };
}

/**
 * Computes the amounts of a leg with an exact amount in. The amount out rounds down. The result equals `quoteSwap` at
 * these prices.
 * @throws LegAmountError where CoreSwap reverts, RangeError when the terms do not form a leg
 */
export function amountsOfExactIn(amountIn: bigint, terms: LegTerms): LegAmounts {
  requireSettlement(terms);
  const { assetIn, assetOut, settlement, rates } = terms;
  if (!isLegAmount(amountIn, assetIn.decimals)) throw new LegAmountError(amountIn, assetIn, "Input");
  const redemption = redemptionOf(terms);
  const gross =
    redemption === null ? between(convertDown, amountIn, assetIn, settlement) : redemption.valueOf(amountIn);
  const { net, issuerFee, spreadFee, lpFee } = splitGross(gross, rates);
  const amountOut = between(convertDown, net, settlement, assetOut);
  if (!isLegAmount(amountOut, assetOut.decimals)) throw new LegAmountError(amountOut, assetOut, "Output");
  return { amountIn, amountOut, issuerFee, spreadFee, lpFee };
}

/**
 * Computes the amounts of a leg with an exact amount out. The amount in rounds up. The result equals `quoteSwap` at
 * these prices.
 * @throws LegAmountError where CoreSwap reverts, RangeError when the terms do not form a leg
 */
export function amountsOfExactOut(amountOut: bigint, terms: LegTerms): LegAmounts {
  requireSettlement(terms);
  const { assetIn, assetOut, settlement, rates } = terms;
  if (!isLegAmount(amountOut, assetOut.decimals)) throw new LegAmountError(amountOut, assetOut, "Output");
  const { gross, issuerFee, spreadFee, lpFee } = splitNet(between(convertUp, amountOut, assetOut, settlement), rates);
  const redemption = redemptionOf(terms);
  const amountIn = redemption === null ? between(convertUp, gross, settlement, assetIn) : redemption.amountFor(gross);
  if (!isLegAmount(amountIn, assetIn.decimals)) throw new LegAmountError(amountIn, assetIn, "Input");
  return { amountIn, amountOut, issuerFee, spreadFee, lpFee };
}

const BASIS_POINTS = 10_000n;

/**
 * Returns the least amount out to accept for a quoted one. Rounds up, so that the slippage is never more than
 * requested. It is above zero, because zero in a leg sets no bound.
 * @param slippageBps basis points, below 10,000
 */
export function minimumOut(quotedAmountOut: bigint, slippageBps: bigint): bigint {
  requireBound(quotedAmountOut, slippageBps);
  const missing = (quotedAmountOut * slippageBps) / BASIS_POINTS;
  return quotedAmountOut - missing;
}

/**
 * Returns the largest amount in to pay for a quoted one. Rounds down, so that the slippage is never more than
 * requested.
 * @param slippageBps basis points, below 10,000
 */
export function maximumIn(quotedAmountIn: bigint, slippageBps: bigint): bigint {
  requireBound(quotedAmountIn, slippageBps);
  return quotedAmountIn + (quotedAmountIn * slippageBps) / BASIS_POINTS;
}

/** A leg as `swap` and `quoteSwap` of CoreSwap take it. */
export interface SwapInputs {
  readonly routeId: bigint;
  readonly assetInID: Hex;
  readonly assetOutID: Hex;
  readonly stablecoinDelegateID: Hex;
  readonly assetInAmt: bigint;
  readonly assetOutAmt: bigint;
}

/** A leg to send, from its quoted amounts: the exact side as it is, the other one as a bound by slippage. */
export function swapInputsOf(
  leg: LegTokens,
  exact: ExactSide,
  { amountIn, amountOut }: Pick<LegAmounts, "amountIn" | "amountOut">,
  slippageBps: bigint,
): SwapInputs {
  requireSettlement(leg);
  return {
    routeId: routeIdOf(leg, exact),
    assetInID: leg.assetIn.id,
    assetOutID: leg.assetOut.id,
    stablecoinDelegateID: leg.settlement.id,
    assetInAmt: exact === "in" ? amountIn : maximumIn(amountIn, slippageBps),
    assetOutAmt: exact === "out" ? amountOut : minimumOut(amountOut, slippageBps),
  };
}

/** An amount of the settling stablecoin is its own value, without a conversion that would round. */
function between(convert: typeof convertDown, amount: bigint, from: Asset, to: Asset): bigint {
  return from.id === to.id ? amount : convert(amount, from, to);
}

/** How the asset that goes in is redeemed; null when it is not yield-bearing. */
function redemptionOf({ assetIn, redemption }: LegTerms): Redemption | null {
  if (assetIn.kind === "rwa" || !assetIn.isYieldBearing) return null;
  if (redemption === undefined)
    throw new RangeError(`stablecoin ${assetIn.id} is yield-bearing, so redemption is required`);
  return redemption;
}

function requireSettlement({ assetIn, assetOut, settlement }: LegTokens): void {
  const allowed = settlementsOf({ assetIn, assetOut });
  if (assetIn.id === assetOut.id) throw new RangeError(`asset ${assetIn.id} is on both sides of the leg`);
  if (allowed !== null && !allowed.some(({ id }) => id === settlement.id)) {
    const accepted = allowed.map(({ id }) => id).join(" or ") || "none, because both are yield-bearing";
    throw new RangeError(`stablecoin ${settlement.id} cannot settle this leg, expected ${accepted}`);
  }
}

function requireBound(amount: bigint, slippageBps: bigint): void {
  if (amount <= 0n) throw new RangeError(`the quoted amount is ${amount}, expected above zero`);
  if (slippageBps < 0n || slippageBps >= BASIS_POINTS) {
    throw new RangeError(`the slippage is ${slippageBps} basis points, expected 0 to ${BASIS_POINTS - 1n}`);
  }
}
