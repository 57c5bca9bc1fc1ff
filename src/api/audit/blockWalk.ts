/** In which order the blocks of a network are audited. */

/**
 * The maximum number of blocks by which the audit may be behind the newest final block. Further behind, as in a
 * backfill, it skips to the newest.
 */
const LONGEST_GAP = 100n;
/** Blocks compared with each other at once. */
const RANGE_BLOCKS = 1_000n;

/** Blocks, both ends inclusive. */
export interface BlockRange {
  readonly low: bigint;
  readonly high: bigint;
}

/** Walks over single blocks: each new one, and in between the earlier ones down to the first, and then all again. */
export function createBlockWalk(startBlock: bigint) {
  /** Null before the first block. */
  let audited: BlockRange | null = null;
  /** Since when the next blocks cannot be audited, by number: the one above those that were audited, and the one below. */
  const waiting = new Map<bigint, bigint>();

  function waitingSince(): bigint | null {
    return [...waiting.values()].reduce<bigint | null>(
      (first, at) => (first !== null && first < at ? first : at),
      null,
    );
  }

  return {
    audited: () => audited,
    waitingSince,
    isWaiting: (block: bigint) => waiting.has(block),

    /** @param newest the newest final block */
    next(newest: bigint): bigint {
      const isDone = audited !== null && audited.high >= newest && audited.low <= startBlock;
      const isLeftBehind = audited !== null && newest - audited.high > LONGEST_GAP;
      if (isDone || isLeftBehind) audited = null;
      if (audited === null) return newest;
      return audited.high < newest ? audited.high + 1n : audited.low - 1n;
    },

    /** Notes that a block cannot be audited yet. */
    wait(block: bigint, now: bigint): void {
      if (waiting.has(block)) return;
      // At the beginning, the next block is always the newest one.
      const since = audited === null ? waitingSince() : null;
      if (audited === null) waiting.clear();
      waiting.set(block, since ?? now);
    },

    /** Notes that a block was audited. */
    add(block: bigint): void {
      if (audited === null) waiting.clear();
      waiting.delete(block);
      audited = {
        low: audited === null || block < audited.low ? block : audited.low,
        high: audited === null || block > audited.high ? block : audited.high,
      };
    },
  };
}

/** Walks over ranges of blocks, from the newest down to the first, and then again. */
export function createRangeWalk(startBlock: bigint) {
  /** Last block of the next range. Null to start at the newest. */
  let end: bigint | null = null;
  return {
    /** @param newest the newest final block */
    next(newest: bigint): BlockRange {
      const high = end ?? newest;
      return { low: high - RANGE_BLOCKS + 1n > startBlock ? high - RANGE_BLOCKS + 1n : startBlock, high };
    },

    /**
     * Notes that a range was compared.
     * @returns whether it was the lowest one
     */
    add({ low }: BlockRange): boolean {
      end = low > startBlock ? low - 1n : null;
      return end === null;
    },
  };
}
