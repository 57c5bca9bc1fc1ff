/**
 * Fees of a leg, as CoreSwap splits them: the protocol's fee first, then the LP's rates, one after the other. All
 * amounts are in units of the stablecoin that settles the leg, and `gross = net + issuerFee + spreadFee + lpFee`,
 * exactly.
 */
import { divideUp, WAD } from "./scale.ts";

/** Largest rate of an LP and of the issuer-paid fee: 99 %. */
const MAXIMUM_RATE_WAD = (99n * WAD) / 100n;

/** Rates of one leg, all WAD fractions. */
export interface LegRates {
  /** Protocol fee on the gross value, at most 0.99. Zero for a settling stablecoin that is exempt. */
  readonly issuerRateWad: bigint;
  /** Part of the LP's spread that the protocol takes, at most 1. Zero for a settling stablecoin that is exempt. */
  readonly takeRateWad: bigint;
  /** The LP's rate, at most 0.99. */
  readonly firstRateWad: bigint;
  /** The LP's second rate, between RWAs only, at most 0.99; else zero. */
  readonly secondRateWad: bigint;
}

/** A value of a leg before and after its fees. */
export interface FeeSplit {
  readonly gross: bigint;
  readonly net: bigint;
  /** Protocol fee on the gross value. */
  readonly issuerFee: bigint;
  /** The protocol's part of the LP's spread. */
  readonly spreadFee: bigint;
  /** What remains of the spread for the LP. */
  readonly lpFee: bigint;
}

/**
 * Splits a gross value. Deductions round up, so net rounds down; the protocol's part of the spread rounds down.
 * @throws RangeError when a rate is beyond its bound
 */
export function splitGross(gross: bigint, rates: LegRates): FeeSplit {
  requireRates(rates);
  const base = gross - shareUp(gross, rates.issuerRateWad);
  const afterFirst = base - shareUp(base, rates.firstRateWad);
  const net = afterFirst - shareUp(afterFirst, rates.secondRateWad);
  return splitOf({ gross, base, net }, rates.takeRateWad);
}

/**
 * Finds the least gross value that leaves a net value, and splits it: the mirror of `splitGross`, each step rounded up.
 * @throws RangeError when a rate is beyond its bound
 */
export function splitNet(net: bigint, rates: LegRates): FeeSplit {
  requireRates(rates);
  const base = wholeUp(wholeUp(net, rates.secondRateWad), rates.firstRateWad);
  return splitOf({ gross: wholeUp(base, rates.issuerRateWad), base, net }, rates.takeRateWad);
}

interface LegValues {
  readonly gross: bigint;
  readonly base: bigint;
  readonly net: bigint;
}

function splitOf({ gross, base, net }: LegValues, takeRateWad: bigint): FeeSplit {
  const spread = base - net;
  const spreadFee = (spread * takeRateWad) / WAD;
  return { gross, net, issuerFee: gross - base, spreadFee, lpFee: spread - spreadFee };
}

function shareUp(amount: bigint, rateWad: bigint): bigint {
  return divideUp(amount * rateWad, WAD);
}

/** The least amount that leaves `remaining` when a rate is taken from it. */
function wholeUp(remaining: bigint, rateWad: bigint): bigint {
  return divideUp(remaining * WAD, WAD - rateWad);
}

function requireRates({ takeRateWad, ...rates }: LegRates): void {
  for (const [name, rate, maximum] of [
    ...Object.entries(rates).map(([rateName, value]) => [rateName, value, MAXIMUM_RATE_WAD] as const),
    ["takeRateWad", takeRateWad, WAD] as const,
  ]) {
    if (rate < 0n || rate > maximum) throw new RangeError(`${name} is ${rate}, expected 0 to ${maximum}`);
  }
}
