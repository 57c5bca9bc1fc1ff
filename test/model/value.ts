/** What an amount of one token is worth in another. */
import { MAX_WAD, mulDivDown, mulDivUp } from "./arithmetic.ts";

/** A token and the USD value of a whole one, in WAD. */
export interface Valued {
  readonly decimals: number;
  readonly usdWad: bigint;
}

/** Amount of `to` worth an amount of `from`, every step rounded down. */
export function worthDown(amount: bigint, from: Valued, to: Valued): bigint {
  return mulDivDown(toWad(amount, from.decimals), from.usdWad, to.usdWad) / unitsPerWad(to.decimals);
}

/** Amount of `to` worth an amount of `from`, every step rounded up. */
export function worthUp(amount: bigint, from: Valued, to: Valued): bigint {
  return mulDivUp(mulDivUp(toWad(amount, from.decimals), from.usdWad, to.usdWad), 1n, unitsPerWad(to.decimals));
}

/** Whether a leg may have an amount: above zero, and at 18 decimals within the bound. */
export function isLegAmount(amount: bigint, decimals: number): boolean {
  return amount > 0n && toWad(amount, decimals) <= MAX_WAD;
}

function toWad(amount: bigint, decimals: number): bigint {
  return amount * unitsPerWad(decimals);
}

function unitsPerWad(decimals: number): bigint {
  return 10n ** BigInt(18 - decimals);
}
