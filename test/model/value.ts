/** What an amount of one token is worth in another. */
import { MAX_UINT256, mulDivDown, mulDivUp } from "./arithmetic.ts";

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

/** Whether an amount at 18 decimals is beyond what the protocol can hold. */
export function overflowsWad(amount: bigint, decimals: number): boolean {
  return toWad(amount, decimals) > MAX_UINT256;
}

function toWad(amount: bigint, decimals: number): bigint {
  return amount * unitsPerWad(decimals);
}

function unitsPerWad(decimals: number): bigint {
  return 10n ** BigInt(18 - decimals);
}
