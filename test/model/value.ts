/** Converts an amount of one token to the amount of another with the same worth. */
import { MAX_WAD, mulDivDown, mulDivUp } from "./arithmetic.ts";

/** A token, and the USD value of a whole token in WAD. */
export interface Valued {
  readonly decimals: number;
  readonly usdWad: bigint;
}

/** The amount of `to` that is worth an amount of `from`, with every step rounded down. */
export function worthDown(amount: bigint, from: Valued, to: Valued): bigint {
  return mulDivDown(toWad(amount, from.decimals), from.usdWad, to.usdWad) / unitsPerWad(to.decimals);
}

/** The amount of `to` that is worth an amount of `from`, with every step rounded up. */
export function worthUp(amount: bigint, from: Valued, to: Valued): bigint {
  return mulDivUp(mulDivUp(toWad(amount, from.decimals), from.usdWad, to.usdWad), 1n, unitsPerWad(to.decimals));
}

/** Returns whether a leg may have an amount: above zero, and within the bound at 18 decimals. */
export function isLegAmount(amount: bigint, decimals: number): boolean {
  return amount > 0n && toWad(amount, decimals) <= MAX_WAD;
}

function toWad(amount: bigint, decimals: number): bigint {
  return amount * unitsPerWad(decimals);
}

function unitsPerWad(decimals: number): bigint {
  return 10n ** BigInt(18 - decimals);
}
