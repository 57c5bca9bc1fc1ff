/**
 * The arithmetic of the treasury token's yield, as its delegate computes it: from a year's rate to a day's growth, and
 * from growth to a cumulative index. Exact in bigint; everything rounds down.
 */
import { INDEX_ONE, WAD } from "./scale.ts";

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
 * @throws RangeError when a delegate cannot post the rate
 */
export function dailyGrowthWad(rateWad: bigint): bigint {
  if (rateWad < 0n || rateWad > MAXIMUM_RATE_WAD)
    throw new RangeError(`the net APY is ${rateWad}, expected 0 to ${MAXIMUM_RATE_WAD}`);
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

/**
 * The APY of growth over whole days: the largest WAD fraction `a` for which `(1 + a)^days <= growth^365`, where growth is
 * the quotient of two indexes. Exact, without a root: it compares powers of integers.
 * @param fromIndexE36 index through the day before the first of these days
 * @param toIndexE36 index through the last of them; at least `fromIndexE36`
 * @param days number of days, above zero
 * @throws RangeError when the index falls or `days` is below one
 */
export function annualizedGrowthWad(fromIndexE36: bigint, toIndexE36: bigint, days: bigint): bigint {
  if (days <= 0n) throw new RangeError(`days is ${days}, expected at least 1`);
  if (fromIndexE36 <= 0n || toIndexE36 < fromIndexE36) {
    throw new RangeError(`the index must not fall, but goes from ${fromIndexE36} to ${toIndexE36}`);
  }
  const [from, to] = [fromIndexE36 ** DAYS_PER_YEAR, toIndexE36 ** DAYS_PER_YEAR * WAD ** days];
  const fits = (apyWad: bigint) => (WAD + apyWad) ** days * from <= to;
  let tooMuch = WAD;
  while (fits(tooMuch)) tooMuch *= 2n;
  let largest = 0n;
  while (tooMuch - largest > 1n) {
    const middle = (largest + tooMuch) / 2n;
    if (fits(middle)) largest = middle;
    else tooMuch = middle;
  }
  return largest;
}
