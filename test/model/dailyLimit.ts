/** A sum with a limit. It leaks that limit evenly over each 86,400 seconds. */
import { DAY_SECONDS, mulDivDown } from "./arithmetic.ts";

/** A sum at a time in seconds since 1970. */
export interface LeakingSum {
  readonly amount: bigint;
  readonly since: bigint;
}

export const EMPTY_SUM: LeakingSum = { amount: 0n, since: 0n };

/**
 * Returns the sum after leaking until now, in whole units only.
 * @returns the unchanged sum while less than one unit has leaked, so that the fraction of a unit is not lost
 */
export function leak(sum: LeakingSum, limitPerDay: bigint, now: bigint): LeakingSum {
  const leaked = mulDivDown(limitPerDay, now - sum.since, DAY_SECONDS);
  if (leaked === 0n) return sum;
  return { amount: leaked < sum.amount ? sum.amount - leaked : 0n, since: now };
}

/** Returns what may still be added to a sum, or zero when the limit was lowered below it. */
export function roomFor({ amount }: LeakingSum, limitPerDay: bigint): bigint {
  return amount < limitPerDay ? limitPerDay - amount : 0n;
}
