/** What a swap leg is worth. Exact: amounts are only ever multiplied. */
import type { Hex } from "viem";
import type { RegisteredAsset } from "./registry.ts";

/** Decimals of WAD, the scale of prices, rates and stablecoin value. */
const WAD_DECIMALS = 18;

/**
 * An amount in smallest units of a token, scaled to 18 decimals.
 * @throws RangeError when the token has more than 18 decimals, which CoreSwap never registers
 */
function toWad(amount: bigint, decimals: number): bigint {
  if (decimals > WAD_DECIMALS) throw new RangeError(`cannot scale ${decimals} decimals to ${WAD_DECIMALS} exactly`);
  return amount * 10n ** BigInt(WAD_DECIMALS - decimals);
}

/** What a leg adds to the volume, and to which of an LP's series. */
export interface LegValue {
  /** Input RWA whose price values the leg when read; empty for a leg valued in stablecoin. */
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

/**
 * Values a leg. Stablecoin input counts with its amount. Stablecoin output counts with its amount and all fees, which
 * together are what the input was worth. RWA to RWA counts with the input amount, to be priced when read.
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
