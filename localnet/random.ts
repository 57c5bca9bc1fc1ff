/**
 * Seeded random numbers: SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
 * Not for secrets. The same seed gives the same numbers on every machine.
 */

const MASK_64 = (1n << 64n) - 1n;

export class Random {
  #state: bigint;

  /** @param seed any integer; its low 64 bits count */
  constructor(seed: bigint) {
    this.#state = seed & MASK_64;
  }

  /** The next 64 bits. */
  next(): bigint {
    this.#state = (this.#state + 0x9e3779b97f4a7c15n) & MASK_64;
    let mixed = this.#state;
    mixed = ((mixed ^ (mixed >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK_64;
    mixed = ((mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn) & MASK_64;
    return mixed ^ (mixed >> 31n);
  }

  /**
   * An integer of `minimum` … `maximum`, both inclusive; the range may span at most 2^64 values. The bias of the
   * remainder is below 1 in 2^64 per value of the range.
   * @throws RangeError for an empty or too large range
   */
  between(minimum: bigint, maximum: bigint): bigint {
    const span = maximum - minimum + 1n;
    if (span < 1n || span > MASK_64 + 1n) throw new RangeError(`${minimum} … ${maximum} has no integer, or too many`);
    return minimum + (this.next() % span);
  }

  /** Like `between`, for small numbers. */
  integer(minimum: number, maximum: number): number {
    return Number(this.between(BigInt(minimum), BigInt(maximum)));
  }

  /** True in `numerator` of `denominator` cases. */
  chance(numerator: number, denominator: number): boolean {
    return this.integer(1, denominator) <= numerator;
  }

  /**
   * One of the items, all equally likely.
   * @throws RangeError when there is none
   */
  pick<T>(items: readonly T[]): T {
    return items[this.integer(0, items.length - 1)] as T;
  }

  /** The items in random order (Fisher and Yates). */
  shuffled<T>(items: readonly T[]): T[] {
    const result = [...items];
    for (let last = result.length - 1; last > 0; last--) {
      const other = this.integer(0, last);
      [result[last], result[other]] = [result[other] as T, result[last] as T];
    }
    return result;
  }
}
