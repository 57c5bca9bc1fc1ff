/** Figures of repeated runs. */

export interface Distribution {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly runs: number;
}

/** @throws RangeError without a value */
export function distributionOf(values: readonly number[]): Distribution {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values), runs: values.length };
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/**
 * The smallest value that at least this share of all values does not exceed.
 * @throws RangeError without a value
 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
  if (value === undefined) throw new RangeError("no value has no percentile");
  return value;
}
