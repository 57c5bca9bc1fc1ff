/** Determines whether a network is being indexed while its chain advances. `stalled` and the watchdog depend on it. */

/** The result of one check of a network. */
export interface Observation {
  /** Milliseconds of a monotonic clock. */
  readonly at: number;
  /** Number of the node's newest block, or null while it is unknown. */
  readonly head: bigint | null;
  /** Number of the newest indexed block, or null before there is one. */
  readonly indexed: bigint | null;
  /** Changes whenever something was indexed or, during the backfill, fetched. Null when it could not be read. */
  readonly mark: string | null;
}

/**
 * Longest time between two checks that is counted. A process that was stopped, or whose event loop was blocked, could
 * not index either, and must not be ended as soon as it continues.
 */
const LONGEST_STEP_MS = 15_000;

/** Counts the seconds in which the head rose and nothing was indexed. */
export function createIdleTimer() {
  let idleMs = 0;
  let lastAt: number | null = null;
  let lastMark: string | null = null;
  /** The head at the time when something was last indexed. */
  let headThen: bigint | null = null;
  return {
    /**
     * Records a check.
     * @returns the idle seconds so far
     */
    observe({ at, head, indexed, mark }: Observation): number {
      const step = lastAt === null ? 0 : Math.min(at - lastAt, LONGEST_STEP_MS);
      lastAt = at;
      if (mark !== null && mark !== lastMark) {
        lastMark = mark;
        headThen = head;
        idleMs = 0;
      } else if (headThen === null) {
        headThen = head;
      } else if (mark !== null && head !== null && head > headThen && (indexed === null || head > indexed)) {
        // The head is requested separately, so the index may have been ahead of it when the mark changed.
        idleMs += step;
      }
      return idleMs / 1000;
    },
  };
}
