/** What has failed the audit of a network and has not passed since. */
import type { LastAudit } from "../shared/health.ts";

const RECHECK_INTERVAL_MS = 30_000;
/** Differences that a line of the log names. */
const LOGGED_DIFFERENCES = 5;

/** What is audited: a range of blocks, or the values in force at one. */
interface Subject {
  readonly key: string;
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  /** Beginnings of sentences, for the log. */
  readonly passes: string;
  readonly fails: string;
}

interface Failure {
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  readonly difference: string;
  /** Time of the last audit, in seconds since 1970. */
  readonly finishedAt: bigint;
  /** The same on the given clock. */
  checkedAt: number;
}

interface FailuresOptions {
  /** Name of the network, for the log. */
  readonly name: string;
  /** The last audit of the previous process. */
  readonly before: LastAudit | null;
  /** Returns the time in seconds since 1970. */
  readonly now: () => bigint;
  /** Returns the milliseconds of a monotonic clock. */
  readonly clock: () => number;
  readonly logWarning: (message: string) => void;
}

/** Key of the values in force, which do not belong to a range. */
const CURRENT = "current";

export function blocksOf(fromBlock: bigint, toBlock: bigint): Subject {
  const range = `${fromBlock} to ${toBlock}`;
  return {
    key: `${fromBlock} ${toBlock}`,
    fromBlock,
    toBlock,
    passes: `blocks ${range} pass the audit`,
    fails: `Blocks ${range} fail the audit`,
  };
}

export function valuesAt(blockNumber: bigint): Subject {
  return {
    key: CURRENT,
    fromBlock: blockNumber,
    toBlock: blockNumber,
    passes: "the values in force pass the audit",
    fails: `Values in force fail the audit at block ${blockNumber}`,
  };
}

/**
 * Creates the list of failures. It starts with the failure of the previous process, for its blocks and for the values in
 * force, because the status row does not say which of the two failed.
 */
export function createFailures({ name, before, now, clock, logWarning }: FailuresOptions) {
  const failures = new Map<string, Failure>();
  if (before?.result === "failed") {
    const { fromBlock, toBlock, difference, finishedAt } = before;
    // The failure is due at once.
    const checkedAt = clock() - RECHECK_INTERVAL_MS;
    const failure = { fromBlock, toBlock, difference: difference ?? "", finishedAt, checkedAt };
    failures.set(blocksOf(fromBlock, toBlock).key, failure);
    failures.set(CURRENT, { ...failure });
  }
  return {
    /** Adds a failure, or replaces an earlier one. Only the first is logged. */
    raise({ key, fromBlock, toBlock, fails }: Subject, differences: readonly string[]): void {
      if (!failures.has(key)) {
        const shown = differences.slice(0, LOGGED_DIFFERENCES).join("; ");
        logWarning(`${name}: the index is damaged. ${fails}: ${shown}`);
      }
      failures.set(key, {
        fromBlock,
        toBlock,
        difference: differences[0] ?? "",
        finishedAt: now(),
        checkedAt: clock(),
      });
    },

    /** Removes the failure of what has passed, if there was one. */
    resolve({ key, passes }: Subject): void {
      if (failures.delete(key)) logWarning(`${name}: ${passes} again`);
    },

    /** Returns failed blocks that have to be audited again, and does not return them again for 30 seconds. */
    takeDue(): Pick<Failure, "fromBlock" | "toBlock"> | undefined {
      for (const [key, failure] of failures) {
        if (key === CURRENT || clock() - failure.checkedAt < RECHECK_INTERVAL_MS) continue;
        failure.checkedAt = clock();
        return failure;
      }
      return undefined;
    },

    lowest(): Omit<Failure, "checkedAt"> | undefined {
      return [...failures.values()].sort((a, b) => (a.fromBlock < b.fromBlock ? -1 : 1))[0];
    },
  };
}
