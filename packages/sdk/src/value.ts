/** Values of amounts at CoreSwap's prices. */
import { maxUint128 } from "viem";
import { divideUp, WAD, wadPerUnit } from "./scale.ts";

/** Largest amount of a leg, at 18 decimals, and largest price: 2^128 - 1. */
const MAXIMUM_WAD = maxUint128;

/** A token and the USD value of a whole one, WAD: an RWA's price, a stablecoin's USD value. */
export interface Priced {
  readonly decimals: number;
  readonly usdPerTokenWad: bigint;
}

/** Amount of `to` that is worth an amount of `from`; every step rounds down. */
export function convertDown(amount: bigint, from: Priced, to: Priced): bigint {
  requirePrices(from, to);
  const usdE36 = amount * wadPerUnit(from.decimals) * from.usdPerTokenWad;
  return usdE36 / to.usdPerTokenWad / wadPerUnit(to.decimals);
}

/** Amount of `to` that is worth an amount of `from`; every step rounds up. */
export function convertUp(amount: bigint, from: Priced, to: Priced): bigint {
  requirePrices(from, to);
  const usdE36 = amount * wadPerUnit(from.decimals) * from.usdPerTokenWad;
  return divideUp(divideUp(usdE36, to.usdPerTokenWad), wadPerUnit(to.decimals));
}

/** USD value of an amount, WAD, rounded down. */
export function valueUsdWad(amount: bigint, { decimals, usdPerTokenWad }: Priced): bigint {
  return (amount * wadPerUnit(decimals) * usdPerTokenWad) / WAD;
}

/** Whether a leg may have an amount: above zero and, at 18 decimals, at most 2^128 - 1. */
export function isLegAmount(amount: bigint, decimals: number): boolean {
  return amount > 0n && amount * wadPerUnit(decimals) <= MAXIMUM_WAD;
}

/** Whether CoreSwap accepts a price: above zero and at most 2^128 - 1. */
export function isPrice(usdPerTokenWad: bigint): boolean {
  return usdPerTokenWad > 0n && usdPerTokenWad <= MAXIMUM_WAD;
}

function requirePrices(...assets: readonly Priced[]): void {
  for (const { usdPerTokenWad } of assets) {
    if (!isPrice(usdPerTokenWad)) {
      throw new RangeError(`the price is ${usdPerTokenWad}, expected 1 to ${MAXIMUM_WAD}`);
    }
  }
}
