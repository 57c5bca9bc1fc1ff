/** Converts a year's rate to a day's growth. */
import { E36, WAD } from "./arithmetic.ts";

/**
 * Returns a day's growth in WAD: the largest integer `g` for which 365 days of it do not exceed a year's rate.
 * Bisection tests the definition itself.
 * @param apyWad net APY, WAD
 */
export function dailyGrowth(apyWad: bigint): bigint {
  const yearE36 = (WAD + apyWad) * WAD;
  // 365 days of zero never exceed a year's rate, and 365 days of the year's rate plus one always do.
  let fits = 0n;
  let passes = apyWad + 1n;
  while (passes - fits > 1n) {
    const candidate = (fits + passes) / 2n;
    if (power365((WAD + candidate) * WAD) <= yearE36) fits = candidate;
    else passes = candidate;
  }
  return fits;
}

/** Returns `x^365` at scale 1e36, by squaring from the exponent's lowest bit, with every product rounded down. */
export function power365(x: bigint): bigint {
  let result = E36;
  let square = x;
  for (let exponent = 365n; ; ) {
    if (exponent % 2n === 1n) result = (result * square) / E36;
    exponent /= 2n;
    if (exponent === 0n) return result;
    square = (square * square) / E36;
  }
}
