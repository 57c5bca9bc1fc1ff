/**
 * Integer arithmetic of the model. JavaScript's bigint has no bounds, so the bounds of the protocol are checked here.
 */
import { maxUint128, maxUint256 } from "viem";

/** One, at 18 decimals. */
export const WAD = 10n ** 18n;
/** One, at 36 decimals. */
export const E36 = 10n ** 36n;
export const DAY_SECONDS = 86_400n;
export const MAX_UINT256 = maxUint256;
/** Upper bound of a leg's amount at 18 decimals and of a price. */
export const MAX_WAD = maxUint128;

/** Returns `x * y / denominator`, rounded down. All operands are non-negative. */
export function mulDivDown(x: bigint, y: bigint, denominator: bigint): bigint {
  return (x * y) / denominator;
}

/** Returns `x * y / denominator`, rounded up. All operands are non-negative. */
export function mulDivUp(x: bigint, y: bigint, denominator: bigint): bigint {
  return (x * y + denominator - 1n) / denominator;
}

export function min(first: bigint, second: bigint): bigint {
  // Math.min does not accept bigint.
  return first < second ? first : second;
}

/** Number of whole days from the epoch to a time in seconds. */
export function dayOf(timestamp: bigint): bigint {
  return timestamp / DAY_SECONDS;
}

/** The first day that begins at or after a time in seconds. */
export function firstDayFrom(timestamp: bigint): bigint {
  return mulDivUp(timestamp, 1n, DAY_SECONDS);
}
