/** Computes the value and the fees of a swap leg. They are exact, because amounts are only multiplied. */
import type { Hex } from "viem";
import type { RegisteredAsset } from "./registry.ts";

/** Decimals of WAD, the scale of prices, rates and stablecoin value. */
const WAD_DECIMALS = 18;

/**
 * Scales an amount in smallest units of a token to 18 decimals.
 * @throws RangeError when the token has more than 18 decimals, which CoreSwap never registers
 */
function toWad(amount: bigint, decimals: number): bigint {
  if (decimals > WAD_DECIMALS) throw new RangeError(`cannot scale ${decimals} decimals to ${WAD_DECIMALS} exactly`);
  return amount * 10n ** BigInt(WAD_DECIMALS - decimals);
}

/** The amount that a leg adds to the volume, and the LP's series to which it belongs. */
export interface LegValue {
  /** The input RWA, whose price values the leg when it is read. Empty for a leg valued in stablecoin. */
  readonly assetId: Hex | "";
  readonly decimals: number;
  readonly amount: bigint;
}

/** Realized amounts of a leg, in smallest units of the tokens. */
export interface LegAmounts {
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  /** Sum of the event's fees, in units of the settling stablecoin. */
  readonly fees: bigint;
}

/** Fees of a leg in nominal units of the settling stablecoin, times 10^18. */
export interface LegFees {
  readonly issuerFeeWad: bigint;
  readonly spreadFeeWad: bigint;
  readonly lpFeeWad: bigint;
}

/** Fees of a `Swap` event, in smallest units of the settling stablecoin. */
interface FeeAmounts {
  readonly issuerFeeAmt: bigint;
  readonly spreadFeeAmt: bigint;
  readonly lpFeeAmt: bigint;
}

/**
 * Values a leg. A stablecoin input counts with its amount. A stablecoin output counts with its amount plus all fees,
 * which together equal the value of the input. An RWA to RWA leg counts with the input amount, which is priced when it
 * is read.
 * @throws RangeError when a stablecoin has more than 18 decimals, which CoreSwap never registers
 */
export function legValue(
  assetIn: RegisteredAsset,
  assetOut: RegisteredAsset,
  { amountIn, amountOut, fees }: LegAmounts,
): LegValue {
  if (assetIn.kind === "stablecoin") {
    return { assetId: "", decimals: WAD_DECIMALS, amount: toWad(amountIn, assetIn.decimals) };
  }
  if (assetOut.kind === "stablecoin") {
    return { assetId: "", decimals: WAD_DECIMALS, amount: toWad(amountOut + fees, assetOut.decimals) };
  }
  return { assetId: assetIn.id, decimals: assetIn.decimals, amount: amountIn };
}

/**
 * Scales the fees of a leg. CoreSwap charges them in the settling stablecoin on every route, also between two RWAs.
 * @throws RangeError when the stablecoin has more than 18 decimals, which CoreSwap never registers
 */
export function legFees(
  { decimals }: Pick<RegisteredAsset, "decimals">,
  { issuerFeeAmt, spreadFeeAmt, lpFeeAmt }: FeeAmounts,
): LegFees {
  return {
    issuerFeeWad: toWad(issuerFeeAmt, decimals),
    spreadFeeWad: toWad(spreadFeeAmt, decimals),
    lpFeeWad: toWad(lpFeeAmt, decimals),
  };
}
