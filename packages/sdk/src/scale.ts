/** Scales of the contracts, and division that rounds up. */

/** One, as a WAD fraction. */
export const WAD = 10n ** 18n;

/** One, at the scale of the growth index and of multipliers. */
export const INDEX_ONE = 10n ** 36n;

/** Seconds of a day, by which rates are posted. */
export const DAY_SECONDS = 86_400n;

const MAXIMUM_DECIMALS = 18;

/**
 * Units of WAD in one unit of a token: `10^(18 - decimals)`.
 * @throws RangeError when CoreSwap could not register a token with these decimals
 */
export function wadPerUnit(decimals: number): bigint {
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > MAXIMUM_DECIMALS) {
    throw new RangeError(`decimals is ${decimals}, expected a whole number from 0 to ${MAXIMUM_DECIMALS}`);
  }
  return 10n ** BigInt(MAXIMUM_DECIMALS - decimals);
}

/** `⌈dividend / divisor⌉` of a dividend that is not negative and a divisor above zero. */
export function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
