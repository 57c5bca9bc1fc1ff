/** Keeps the status row of one network current. It is written every second, so its age on a standby is the standby's lag. */
import { within } from "../../../config/deadline.ts";
import type { NodeReport } from "../../../config/nodeReports.ts";
import { type DeepFork, describeFork, type LastAudit } from "../shared/health.ts";
import type { ChainHead, HeadReader } from "./head.ts";
import { createIdleTimer } from "./idleTime.ts";
import type { IndexedProgress } from "./progress.ts";
import { decideState, type IndexingState } from "./state.ts";
import type { StatusRecord } from "./table.ts";

/** How long to wait for a statement. A read that takes longer counts as "nothing was indexed". */
const ANSWER_TIMEOUT_MS = 10_000;

/** The sources and the database of the writer of one network. */
interface StatusWriterOptions {
  readonly readHead: HeadReader;
  readonly readProgress: () => Promise<IndexedProgress>;
  /** Returns what the thread that indexes reports about its nodes, or null before its first report. */
  readonly nodeReport: () => NodeReport | null;
  readonly fork: () => DeepFork | null;
  readonly audit: () => LastAudit | null;
  readonly write: (record: StatusRecord) => Promise<void>;
  /** Idle seconds after which the state is `stalled`. */
  readonly stalledAfterSeconds: number;
  /** Called with the idle time of the network while it is `stalled`. */
  readonly onStall: (idleSeconds: number) => void;
  /** Returns the time in seconds since 1970. */
  readonly now: () => bigint;
  /** Returns the milliseconds of a monotonic clock. */
  readonly clock?: () => number;
}

/** Creates the writer of one network. The caller decides when its two cycles run. */
export function createStatusWriter(options: StatusWriterOptions) {
  const { readHead, readProgress, nodeReport, fork, audit, write, stalledAfterSeconds, onStall, now } = options;
  const clock = options.clock ?? (() => performance.now());
  const idleTimer = createIdleTimer();
  const readPatiently = oneAtATime(readProgress);
  const writePatiently = oneAtATime(write);
  let head: StatusRecord["head"] = null;
  let headAnsweredAt: number | null = null;
  /** Whether the last request for the head returned only heads of another chain. */
  let isHeadForeign = false;
  let known: IndexedProgress | null = null;
  let state: { readonly name: IndexingState; readonly since: bigint } | null = null;

  function reasonFor(name: IndexingState): string | null {
    const problem = nodeReport()?.problem ?? null;
    if (name === problem?.kind) return problem.message;
    const failed = audit();
    if (name === "damaged") return failed?.difference ?? null;
    const found = fork();
    if (name === "forked" && found !== null) return describeFork(found);
    if (name === "unreachable") {
      return isHeadForeign
        ? "the newest block that the node returns is of another chain"
        : "the node does not return its newest block";
    }
    if (name === "stalled") return "the chain advances, but nothing is indexed";
    return null;
  }

  /**
   * Whether a head is certainly of another chain: it is lower than the newest final block, and younger. That of a node
   * which is only behind is older. A higher head does not lead to the indexed blocks, which the indexer reports.
   */
  function isForeign({ blockNumber, timestamp }: ChainHead): boolean {
    const final = known?.final ?? null;
    return final !== null && blockNumber < final.blockNumber && timestamp > final.timestamp;
  }

  return {
    /** Requests the head, and keeps the last one while no node answers with one of this chain. */
    async refreshHead(): Promise<void> {
      let wasForeign = false;
      const answer = await readHead((candidate) => {
        wasForeign = isForeign(candidate);
        return wasForeign;
      });
      isHeadForeign = wasForeign;
      if (answer === null) return;
      headAnsweredAt = clock();
      head = { ...answer, askedAt: now() };
    },

    /**
     * Checks the network, and writes the row.
     * @throws when the database fails
     */
    async check(): Promise<void> {
      known = (await readPatiently()) ?? known;
      const at = clock();
      const idleSeconds = idleTimer.observe({
        at,
        head: head?.blockNumber ?? null,
        indexed: known?.indexed?.blockNumber ?? null,
        mark: known?.mark ?? null,
      });
      const report = nodeReport();
      const isForked = report?.problem?.kind === "forked" || fork() !== null;
      const name = decideState({
        // Rows of another chain fail the audit, too. What has to be mended is then the fork.
        isDamaged: report?.problem?.kind === "damaged" || (audit()?.result === "failed" && !isForked),
        isForked,
        rowAgeSeconds: 0,
        headAgeSeconds: headAnsweredAt === null ? null : (at - headAnsweredAt) / 1000,
        isNodeLost: report?.problem?.kind === "unreachable",
        idleSeconds,
        stalledAfterSeconds,
        isBackfilling: known?.isBackfilling ?? true,
      });
      if (state?.name !== name) state = { name, since: now() };
      if (name === "stalled") onStall(idleSeconds);
      await writePatiently({
        state: name,
        stateSince: state.since,
        reason: reasonFor(name),
        head,
        indexed: known?.indexed ?? null,
        finalNumber: known?.final?.blockNumber ?? null,
        reorganizations: report?.reorganizations ?? 0,
        audit: audit(),
        confirmed: report?.confirmed ?? null,
      });
    },
  };
}

/**
 * Runs a task and waits for it for a limited time, because on PGlite it may have to wait for the indexer's transaction.
 * If a task takes longer, the next call continues to wait for it instead of starting another one.
 * @returns the function that runs it; it returns null when the task is not done yet
 */
function oneAtATime<Arguments extends unknown[], T>(
  task: (...given: Arguments) => Promise<T>,
): (...given: Arguments) => Promise<T | null> {
  let running: Promise<T> | null = null;
  return (...given) => {
    running ??= task(...given).finally(() => {
      running = null;
    });
    return within(ANSWER_TIMEOUT_MS, running, null);
  };
}
