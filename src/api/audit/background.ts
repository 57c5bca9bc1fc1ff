/**
 * Audits a network for as long as the process runs.
 *
 * Three audits run:
 * - Blocks are compared with the chain: each block as it becomes final and, in the remaining time, the earlier blocks,
 *   one by one down to the first, and then again from the newest.
 * - Blocks are compared with each other, a thousand at a time, from the newest down, and after a pause again.
 * - The values in force are compared at the newest final block, at most once every five seconds.
 *
 * A failed block is audited again every 30 seconds and is forgotten when it passes. Only the first failure survives the
 * process, in the status row. After a restart, the audit starts with that failure, and calls the index undamaged only
 * when its blocks and the values in force have passed, because the status row does not say which of the two failed.
 */
import type { LastAudit } from "../shared/health.ts";
import { type AuditOutcome, type AuditTarget, auditBlock, auditConsistency } from "./auditor.ts";
import { auditCurrent } from "./currentAudit.ts";

/** Blocks compared with each other at once. */
const RANGE_BLOCKS = 1_000n;
/** Such a comparison takes at most a twentieth of the time, however many legs the blocks have. */
const RANGE_PAUSE: Pause = { factor: 20, shortestMs: 2_000 };
/** The same after all blocks. A short history would otherwise be compared with itself all the time. */
const PASS_PAUSE: Pause = { factor: 20, shortestMs: 10_000 };
/**
 * The maximum number of blocks by which the audit may be behind the newest final block. Further behind, as in a
 * backfill, it skips to the newest.
 */
const LONGEST_GAP = 100n;
const IDLE_INTERVAL_MS = 2_000;
/** Delay after a request that got no answer. */
const RETRY_INTERVAL_MS = 10_000;
const RECHECK_INTERVAL_MS = 30_000;
/** An audit of the values in force takes at most a sixth of the time. */
const CURRENT_PAUSE: Pause = { factor: 5, shortestMs: 5_000 };
const LONGEST_PAUSE_MS = 60_000;

/** The pause after something, as a multiple of its duration. */
interface Pause {
  readonly factor: number;
  readonly shortestMs: number;
}

/** A range of blocks that failed. */
interface Failure {
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  readonly difference: string;
  /** Time of the last audit, in seconds since 1970. */
  readonly finishedAt: bigint;
  /** The same on the given clock. */
  checkedAt: number;
}

interface BackgroundAuditOptions {
  readonly target: AuditTarget;
  /** Newest final block according to the status, or null while there is none. */
  readonly finalNumber: () => Promise<bigint | null>;
  /** The last audit of the previous process. */
  readonly before: LastAudit | null;
  /** Returns the time in seconds since 1970. */
  readonly now: () => bigint;
  readonly logWarning: (message: string, error?: unknown) => void;
  /** Returns the milliseconds of a monotonic clock. */
  readonly clock?: () => number;
}

/**
 * Creates the audit of one network. The caller runs its three cycles. Each returns the milliseconds until its next run.
 */
export function createBackgroundAudit(options: BackgroundAuditOptions) {
  const { target, finalNumber, before, now, logWarning } = options;
  const clock = options.clock ?? (() => performance.now());
  const { name, startBlock } = target.network;
  const failures = new Map<string, Failure>();
  if (before?.result === "failed") {
    const { fromBlock, toBlock, difference, finishedAt } = before;
    // The failure is due at once.
    const checkedAt = clock() - RECHECK_INTERVAL_MS;
    const failure = { fromBlock, toBlock, difference: difference ?? "", finishedAt, checkedAt };
    failures.set(keyOf(fromBlock, toBlock), failure);
    failures.set(CURRENT, { ...failure });
  }
  /** What was not compared and has been logged. */
  const noted = new Set<string>();
  /** When blocks were last compared with the chain; null before the first time. */
  let blocksAt = before?.finishedAt ?? null;
  /** Since when something cannot be compared, by what. Empty while everything can. */
  const waiting = new Map<"values" | "rows", bigint>();
  /** The blocks audited against the chain, both ends inclusive, or null before the first. */
  let audited: { readonly low: bigint; readonly high: bigint } | null = null;
  let isWaiting = false;
  /** Last block of the next range whose rows are compared with each other. Null to start at the newest. */
  let rangeEnd: bigint | null = null;

  /**
   * Records an outcome. Rows that only agree with each other do not count as audited, because the age of the last audit
   * must grow while no node answers.
   */
  function note(fromBlock: bigint, toBlock: bigint, outcome: AuditOutcome, comparedWith: "chain" | "rows"): void {
    if (outcome.kind === "unfinished") {
      if (!isWaiting) logWarning(`${name}: the audit of block ${fromBlock} waits: ${outcome.reason}`);
      isWaiting = true;
      return;
    }
    if (comparedWith === "chain") isWaiting = false;
    if (comparedWith === "chain") blocksAt = now();
    const key = keyOf(fromBlock, toBlock);
    if (outcome.kind === "passed") {
      if (failures.delete(key)) logWarning(`${name}: blocks ${fromBlock} to ${toBlock} pass the audit again`);
      return;
    }
    const difference = outcome.differences[0] ?? "";
    if (!failures.has(key)) {
      logWarning(
        `${name}: the index is damaged. Blocks ${fromBlock} to ${toBlock} fail the audit: ${outcome.differences.slice(0, 5).join("; ")}`,
      );
    }
    failures.set(key, { fromBlock, toBlock, difference, finishedAt: now(), checkedAt: clock() });
  }

  /** Runs both audits of a range. The outcome is unfinished if either is, unless the other fails. */
  async function auditWhole(fromBlock: bigint, toBlock: bigint): Promise<AuditOutcome> {
    const consistency = await auditConsistency(target, fromBlock, toBlock);
    if (consistency.kind !== "passed") return consistency;
    for (let block = fromBlock; block <= toBlock; block += 1n) {
      const outcome = await auditBlock(target, block);
      if (outcome.kind !== "passed") return outcome;
    }
    return consistency;
  }

  /** Finds the smallest part of a range that still fails, by halving it. */
  async function narrow(low: bigint, high: bigint): Promise<{ low: bigint; high: bigint; outcome: AuditOutcome }> {
    const outcome = await auditConsistency(target, low, high);
    if (outcome.kind !== "failed" || low === high) return { low, high, outcome };
    const middle = (low + high) / 2n;
    for (const [start, end] of [
      [low, middle],
      [middle + 1n, high],
    ] as const) {
      const part = await narrow(start, end);
      if (part.outcome.kind === "failed") return part;
    }
    return { low, high, outcome };
  }

  function dueFailure(): Failure | undefined {
    for (const [key, failure] of failures) {
      if (key !== CURRENT && clock() - failure.checkedAt >= RECHECK_INTERVAL_MS) return failure;
    }
    return undefined;
  }

  /** Notes that something waits, if it does not wait already. */
  function wait(what: "values" | "rows"): void {
    if (!waiting.has(what)) waiting.set(what, now());
  }

  /** Runs a comparison. It waits, too, when the database fails. */
  async function orWait<T>(what: "values" | "rows", compare: () => Promise<T>): Promise<T> {
    try {
      return await compare();
    } catch (error) {
      wait(what);
      throw error;
    }
  }

  /** Audits the values in force, and records the outcome. */
  async function checkCurrent(): Promise<void> {
    const outcome = await orWait("values", () => auditCurrent(target));
    if (outcome.kind === "unfinished") {
      if (!waiting.has("values")) logWarning(`${name}: the audit of the values in force waits: ${outcome.reason}`);
      wait("values");
      return;
    }
    waiting.delete("values");
    const { blockNumber, differences } = outcome;
    for (const note of outcome.notCompared.filter((text) => !noted.has(text))) {
      logWarning(`${name}: the audit does not compare ${note}`);
      noted.add(note);
    }
    const [difference] = differences;
    if (difference === undefined) {
      if (failures.delete(CURRENT)) logWarning(`${name}: the values in force pass the audit again`);
      return;
    }
    if (!failures.has(CURRENT)) {
      logWarning(
        `${name}: the index is damaged. Values in force fail the audit at block ${blockNumber}: ${differences.slice(0, 5).join("; ")}`,
      );
    }
    const range = { fromBlock: blockNumber, toBlock: blockNumber };
    failures.set(CURRENT, { ...range, difference, finishedAt: now(), checkedAt: clock() });
  }

  return {
    /**
     * The audit in the status row: the lowest failure if there is one, and otherwise the blocks that were audited, with
     * the time since which all audits have passed.
     */
    current(): LastAudit | null {
      const failure = [...failures.values()].sort((a, b) => (a.fromBlock < b.fromBlock ? -1 : 1))[0];
      if (failure !== undefined) {
        const { fromBlock, toBlock, finishedAt, difference } = failure;
        return { fromBlock, toBlock, finishedAt, result: "failed", difference };
      }
      if (blocksAt === null) return null;
      // While one of them waits, the age of the audit must grow.
      let finishedAt = blocksAt;
      for (const since of waiting.values()) if (since < finishedAt) finishedAt = since;
      const range = audited ?? (before && { low: before.fromBlock, high: before.toBlock });
      return range && { fromBlock: range.low, toBlock: range.high, finishedAt, result: "passed", difference: null };
    },

    /** Audits one block against the chain, or a block that failed before. */
    async auditNext(): Promise<number> {
      const failure = dueFailure();
      if (failure !== undefined) {
        failure.checkedAt = clock();
        note(failure.fromBlock, failure.toBlock, await auditWhole(failure.fromBlock, failure.toBlock), "chain");
        return 0;
      }
      const newest = await finalNumber();
      if (newest === null || newest < startBlock) return IDLE_INTERVAL_MS;
      const isDone = audited !== null && audited.high >= newest && audited.low <= startBlock;
      const isLeftBehind = audited !== null && newest - audited.high > LONGEST_GAP;
      if (isDone || isLeftBehind) audited = null;
      const block = audited === null ? newest : audited.high < newest ? audited.high + 1n : audited.low - 1n;
      const outcome = await auditWhole(block, block);
      if (outcome.kind === "unfinished") {
        note(block, block, outcome, "chain");
        return RETRY_INTERVAL_MS;
      }
      audited = {
        low: audited === null || block < audited.low ? block : audited.low,
        high: audited === null || block > audited.high ? block : audited.high,
      };
      note(block, block, outcome, "chain");
      return 0;
    },

    /** Audits the values in force, unless no block is final yet. */
    async auditCurrent(): Promise<number> {
      const newest = await finalNumber();
      if (newest === null || newest < startBlock) return IDLE_INTERVAL_MS;
      const startedAt = clock();
      await checkCurrent();
      return pauseAfter(clock() - startedAt, CURRENT_PAUSE);
    },

    /** Compares the rows of the next range of blocks with each other. */
    async compareNext(): Promise<number> {
      const newest = await finalNumber();
      if (newest === null || newest < startBlock) return IDLE_INTERVAL_MS;
      const startedAt = clock();
      const high = rangeEnd ?? newest;
      const low = high - RANGE_BLOCKS + 1n > startBlock ? high - RANGE_BLOCKS + 1n : startBlock;
      const found = await orWait("rows", () => narrow(low, high));
      waiting.delete("rows");
      note(found.low, found.high, found.outcome, "rows");
      rangeEnd = low > startBlock ? low - 1n : null;
      return pauseAfter(clock() - startedAt, rangeEnd === null ? PASS_PAUSE : RANGE_PAUSE);
    },
  };
}

function pauseAfter(durationMs: number, { factor, shortestMs }: Pause): number {
  return Math.min(LONGEST_PAUSE_MS, Math.max(shortestMs, factor * durationMs));
}

/** Key of a failure of the values in force, which do not belong to a range. */
const CURRENT = "current";

function keyOf(fromBlock: bigint, toBlock: bigint): string {
  return `${fromBlock} ${toBlock}`;
}
