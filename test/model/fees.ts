/**
 * The fee split: first the protocol fee, and then the LP's rates in turn on the remainder. All rates are WAD fractions,
 * and all amounts are in units of the settling stablecoin.
 */
import { mulDivDown, mulDivUp, WAD } from "./arithmetic.ts";

export interface FeeRates {
  /** Issuer-paid protocol fee, on the gross value. */
  readonly issuerPaid: bigint;
  /** The protocol's part of the LP's spread. */
  readonly take: bigint;
  /** The LP's rate of the leg. */
  readonly first: bigint;
  /** The LP's second rate: that of the RWA out when an RWA is swapped for an RWA, and otherwise zero. */
  readonly second: bigint;
}

export interface FeeSplit {
  readonly gross: bigint;
  readonly net: bigint;
  readonly issuerFee: bigint;
  readonly spreadFee: bigint;
  readonly lpFee: bigint;
}

/** Splits a gross value. Every fee is rounded up, and the protocol's part of the spread is rounded down. */
export function splitGross(gross: bigint, { issuerPaid, take, first, second }: FeeRates): FeeSplit {
  const issuerFee = mulDivUp(gross, issuerPaid, WAD);
  const base = gross - issuerFee;
  const afterFirst = base - mulDivUp(base, first, WAD);
  const net = afterFirst - mulDivUp(afterFirst, second, WAD);
  return { gross, net, issuerFee, ...splitSpread(base - net, take) };
}

/** The inverse: the gross value required for a net value, with each step rounded up. */
export function splitNet(net: bigint, { issuerPaid, take, first, second }: FeeRates): FeeSplit {
  const afterFirst = mulDivUp(net, WAD, WAD - second);
  const base = mulDivUp(afterFirst, WAD, WAD - first);
  const gross = mulDivUp(base, WAD, WAD - issuerPaid);
  return { gross, net, issuerFee: gross - base, ...splitSpread(base - net, take) };
}

function splitSpread(spread: bigint, take: bigint) {
  const spreadFee = mulDivDown(spread, take, WAD);
  return { spreadFee, lpFee: spread - spreadFee };
}
