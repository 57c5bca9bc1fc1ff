/** Median and spread of repeated measurements. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly runs: number;
}

/** @throws RangeError without values */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle];
  const lower = sorted[sorted.length - 1 - middle];
  const [min] = sorted;
  const max = sorted.at(-1);
  if (upper === undefined || lower === undefined || min === undefined || max === undefined) {
    throw new RangeError("no values to take a median of");
  }
  return { median: (lower + upper) / 2, min, max, runs: sorted.length };
}
