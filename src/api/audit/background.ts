/**
 * Audits a network for as long as the process runs.
 *
 * Three audits run:
 * - Blocks are compared with the chain: each block as it becomes final and, in the remaining time, the earlier blocks,
 *   one by one down to the first, and then again from the newest.
 * - Blocks are compared with each other, a thousand at a time, from the newest down, and after a pause again.
 * - The values in force are compared at the newest final block, at most once every five seconds.
 *
 * A failed block is audited again every 30 seconds and is forgotten when it passes. Only the lowest failure survives the
 * process, in the status row. After a restart, the audit starts with that failure, and calls the index undamaged only
 * when its blocks and the values in force have passed.
 */
import type { LastAudit } from "../shared/health.ts";
import { type AuditOutcome, type AuditTarget, auditBlock, auditConsistency } from "./auditor.ts";
import { type BlockRange, createBlockWalk, createRangeWalk } from "./blockWalk.ts";
import { auditCurrent } from "./currentAudit.ts";
import { blocksOf, createFailures, valuesAt } from "./failures.ts";

/** Such a comparison takes at most a twentieth of the time, however many legs the blocks have. */
const RANGE_PAUSE: Pause = { factor: 20, shortestMs: 2_000 };
/** The same after all blocks. A short history would otherwise be compared with itself all the time. */
const PASS_PAUSE: Pause = { factor: 20, shortestMs: 10_000 };
const IDLE_INTERVAL_MS = 2_000;
/** Delay after a request that got no answer. */
const RETRY_INTERVAL_MS = 10_000;
/** An audit of the values in force takes at most a sixth of the time. */
const CURRENT_PAUSE: Pause = { factor: 5, shortestMs: 5_000 };
const LONGEST_PAUSE_MS = 60_000;

/** The pause after something, as a multiple of its duration. */
interface Pause {
  readonly factor: number;
  readonly shortestMs: number;
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
  const failures = createFailures({ name, before, now, clock, logWarning });
  const blocks = createBlockWalk(startBlock);
  const ranges = createRangeWalk(startBlock);
  /** What was not compared and has been logged. */
  const noted = new Set<string>();
  /** When blocks were last compared with the chain; null before the first time. */
  let blocksAt = before?.finishedAt ?? null;
  /** Since when something cannot be compared, by what. Empty while everything can. */
  const waiting = new Map<"values" | "rows", bigint>();
  /** Whether the log says what is waited for. */
  let isWaiting = false;

  /**
   * Records an outcome. Rows that only agree with each other do not count as audited, because the age of the last audit
   * must grow while no node answers.
   */
  function note(fromBlock: bigint, toBlock: bigint, outcome: AuditOutcome, comparedWith: "chain" | "rows"): void {
    if (outcome.kind === "unfinished") {
      if (isWaiting || blocks.isWaiting(fromBlock)) return;
      logWarning(`${name}: the audit of block ${fromBlock} waits: ${outcome.reason}`);
      isWaiting = true;
      return;
    }
    if (comparedWith === "chain") isWaiting = false;
    if (comparedWith === "chain") blocksAt = now();
    const subject = blocksOf(fromBlock, toBlock);
    if (outcome.kind === "passed") failures.resolve(subject);
    else failures.raise(subject, outcome.differences);
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
  async function narrow({ low, high }: BlockRange): Promise<BlockRange & { readonly outcome: AuditOutcome }> {
    const outcome = await auditConsistency(target, low, high);
    if (outcome.kind !== "failed" || low === high) return { low, high, outcome };
    const middle = (low + high) / 2n;
    for (const half of [
      { low, high: middle },
      { low: middle + 1n, high },
    ]) {
      const part = await narrow(half);
      if (part.outcome.kind === "failed") return part;
    }
    return { low, high, outcome };
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
    const subject = valuesAt(blockNumber);
    if (differences.length === 0) failures.resolve(subject);
    else failures.raise(subject, differences);
  }

  return {
    /**
     * The audit in the status row: the lowest failure if there is one, and otherwise the blocks that were audited, with
     * the time since which all audits have passed.
     */
    current(): LastAudit | null {
      const failure = failures.lowest();
      if (failure !== undefined) {
        const { fromBlock, toBlock, finishedAt, difference } = failure;
        return { fromBlock, toBlock, finishedAt, result: "failed", difference };
      }
      if (blocksAt === null) return null;
      // While one of them waits, the age of the audit must grow.
      let finishedAt = blocksAt;
      for (const since of [...waiting.values(), blocks.waitingSince()]) {
        if (since !== null && since < finishedAt) finishedAt = since;
      }
      const range = blocks.audited() ?? (before && { low: before.fromBlock, high: before.toBlock });
      return range && { fromBlock: range.low, toBlock: range.high, finishedAt, result: "passed", difference: null };
    },

    /** Audits one block against the chain, or a block that failed before. */
    async auditNext(): Promise<number> {
      const failure = failures.takeDue();
      if (failure !== undefined) {
        note(failure.fromBlock, failure.toBlock, await auditWhole(failure.fromBlock, failure.toBlock), "chain");
        return 0;
      }
      const newest = await finalNumber();
      if (newest === null || newest < startBlock) return IDLE_INTERVAL_MS;
      const block = blocks.next(newest);
      const outcome = await auditWhole(block, block).catch((error: unknown) => {
        // The caller reports the database, which may refuse only the rows of this block.
        blocks.wait(block, now());
        throw error;
      });
      note(block, block, outcome, "chain");
      if (outcome.kind === "unfinished") blocks.wait(block, now());
      else blocks.add(block);
      return outcome.kind === "unfinished" ? RETRY_INTERVAL_MS : 0;
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
      const range = ranges.next(newest);
      const found = await orWait("rows", () => narrow(range));
      waiting.delete("rows");
      note(found.low, found.high, found.outcome, "rows");
      return pauseAfter(clock() - startedAt, ranges.add(range) ? PASS_PAUSE : RANGE_PAUSE);
    },
  };
}

function pauseAfter(durationMs: number, { factor, shortestMs }: Pause): number {
  return Math.min(LONGEST_PAUSE_MS, Math.max(shortestMs, factor * durationMs));
}
