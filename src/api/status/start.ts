/** Starts the status work of the indexing process: the rows of its networks, and the watchdog. */
import { type NodeReport, onNodeReport } from "../../../config/nodeReports.ts";
import type { Database } from "../shared/database.ts";
import type { DeepFork, LastAudit } from "../shared/health.ts";
import type { ApiNetwork } from "../shared/networks.ts";
import { repeatInBackground } from "../shared/schedule.ts";
import { headOf } from "./head.ts";
import { openProgress } from "./progress.ts";
import { writeStatusRow } from "./table.ts";
import { createStatusWriter } from "./writer.ts";

const LOOK_INTERVAL_MS = 1_000;
const HEAD_INTERVAL_MS = 5_000;

/** A network that this process indexes. */
interface WatchedNetwork {
  readonly network: ApiNetwork;
  readonly rpcUrls: readonly string[];
  readonly fork: () => DeepFork | null;
  readonly audit: () => LastAudit | null;
}

interface StatusOptions {
  /** The database with the rows. Their table exists. */
  readonly database: Database;
  readonly networks: readonly WatchedNetwork[];
  /** Idle seconds after which the process ends. Half of them make the state `stalled`. */
  readonly watchdogSeconds: number;
  /** Ends the process. Null where nothing would restart it. */
  readonly end: ((message: string) => void) | null;
  /** Returns the time in seconds since 1970. */
  readonly now: () => bigint;
  readonly logWarning: (message: string, error?: unknown) => void;
}

/** Starts the writers, replacing those that an earlier call started. Call it before indexing begins. */
export async function startIndexingStatus(options: StatusOptions): Promise<void> {
  const { database, networks, watchdogSeconds, end, now, logWarning } = options;
  const reports = new Map<number, NodeReport>();
  let isEnding = false;
  const writers = await Promise.all(
    networks.map(async ({ network, rpcUrls, fork, audit }) =>
      createStatusWriter({
        readHead: headOf(rpcUrls),
        readProgress: await openProgress(database, network),
        nodeReport: () => reports.get(network.chainId) ?? null,
        fork,
        audit,
        write: (record) => writeStatusRow(database, network, record),
        stalledAfterSeconds: watchdogSeconds / 2,
        onStall: (idleSeconds) => {
          if (end === null || isEnding || idleSeconds < watchdogSeconds) return;
          isEnding = true;
          end(
            `${network.name}: the chain advances, but nothing was indexed for ${Math.floor(idleSeconds)} seconds. ` +
              "The process ends so that it can be restarted",
          );
        },
        now,
      }),
    ),
  );
  // Without this, the first check would find no head and report an unreachable node.
  await Promise.all(writers.map((writer) => writer.refreshHead()));
  repeatInBackground("heads", {
    cycles: writers.map((writer) => async () => {
      await writer.refreshHead();
      return HEAD_INTERVAL_MS;
    }),
    delayAfterFailureMs: HEAD_INTERVAL_MS,
    onFailure: (error) => logWarning("the newest block could not be requested", error),
  });
  repeatInBackground("indexing status", {
    cycles: writers.map((writer) => async () => {
      await writer.check();
      return LOOK_INTERVAL_MS;
    }),
    delayAfterFailureMs: HEAD_INTERVAL_MS,
    onFailure: (error) => logWarning("the indexing status could not be written", error),
    onStop: onNodeReport((report) => reports.set(report.chainId, report)),
  });
}
