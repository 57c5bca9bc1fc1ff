/**
 * The arithmetic of the treasury token's yield, as its delegate computes it: from a year's rate to a day's growth, and
 * from growth to a cumulative index. Exact in bigint; everything rounds down.
 */

/** One, as a WAD fraction. */
const WAD = 10n ** 18n;

/** One, at the scale of the index. */
export const INDEX_ONE = 10n ** 36n;

const DAYS_PER_YEAR = 365n;

/** Largest rate that a delegate can post: 100 % APY. */
const MAXIMUM_RATE_WAD = WAD;

/** `x^365` by squaring, from the exponent's lowest bit on, every product divided by 1e36 and floored. */
function powYear(x: bigint): bigint {
  let power = INDEX_ONE;
  let base = x;
  for (let exponent = DAYS_PER_YEAR; exponent !== 0n; exponent >>= 1n) {
    if (exponent & 1n) power = (power * base) / INDEX_ONE;
    base = (base * base) / INDEX_ONE;
  }
  return power;
}

/**
 * Growth of a day in WAD: the largest `g` for which `powYear((WAD + g) * WAD) <= (WAD + rate) * WAD`. Found by
 * bisection, which needs only that `powYear` never falls.
 * @param rateWad net APY, WAD
 * @throws RangeError when the rate is none that a delegate can post
 */
export function dailyGrowthWad(rateWad: bigint): bigint {
  if (rateWad < 0n || rateWad > MAXIMUM_RATE_WAD) throw new RangeError(`a net APY of ${rateWad} WAD cannot be posted`);
  const known = growthOf.get(rateWad);
  if (known !== undefined) return known;
  const target = (WAD + rateWad) * WAD;
  // (1 + g)^365 >= 1 + 365 g, so g is at most a 365th of the rate.
  let [fits, tooMuch] = [0n, rateWad / DAYS_PER_YEAR + 1n];
  while (tooMuch - fits > 1n) {
    const middle = (fits + tooMuch) / 2n;
    if (powYear((WAD + middle) * WAD) <= target) fits = middle;
    else tooMuch = middle;
  }
  if (growthOf.size >= MAXIMUM_KNOWN_RATES) growthOf.clear();
  growthOf.set(rateWad, fits);
  return fits;
}

/** Rates repeat from request to request. */
const growthOf = new Map<bigint, bigint>();
const MAXIMUM_KNOWN_RATES = 10_000;

/** The index through a day, from that through the day before. */
export function nextIndex(indexE36: bigint, growthWad: bigint): bigint {
  return (indexE36 * (WAD + growthWad)) / WAD;
}
