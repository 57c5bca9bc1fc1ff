/** Starts what the process that indexes does for its status: the rows of its networks, and the watchdog. */
import { Pool } from "pg";
import { databaseLocation } from "../../../config/database.ts";
import { type NodeReport, onNodeReport } from "../../../config/nodeReports.ts";
import { type Database, databaseOf } from "../database.ts";
import type { DeepFork } from "../forks/watch.ts";
import type { ApiNetwork } from "../networks.ts";
import { repeatInBackground } from "../schedule.ts";
import { openProgress } from "./checkpoint.ts";
import { headOf } from "./head.ts";
import { type LastAudit, writeStatusRow } from "./table.ts";
import { createStatusWriter } from "./writer.ts";

const LOOK_INTERVAL_MS = 1_000;
const HEAD_INTERVAL_MS = 5_000;

/** How long the database is waited for. */
const ANSWER_TIMEOUT_MS = 5_000;

/** A network that this process indexes. */
interface WatchedNetwork {
  readonly network: ApiNetwork;
  readonly rpcUrls: readonly string[];
  readonly fork: () => DeepFork | null;
  readonly audit: () => LastAudit | null;
}

interface StatusOptions {
  /** Where the rows are; their table exists. */
  readonly database: Database;
  readonly networks: readonly WatchedNetwork[];
  /** Idle seconds after which the process ends; half of them make the state `stalled`. */
  readonly watchdogSeconds: number;
  /** Ends the process. Null where nobody would start it again. */
  readonly end: ((message: string) => void) | null;
  /** Seconds since 1970. */
  readonly now: () => bigint;
  readonly logWarning: (message: string, error?: unknown) => void;
}

/** A connection of its own on PostgreSQL: Ponder's pools are read-only or busy indexing. */
export function openStatusDatabase(logWarning: StatusOptions["logWarning"]): Database {
  const location = databaseLocation();
  if (location.kind !== "postgres") throw new Error("DATABASE_URL is not set, although Ponder runs on PostgreSQL");
  const pool = new Pool({
    connectionString: location.connectionString,
    max: 1,
    application_name: "coreswap_status",
    allowExitOnIdle: true,
    query_timeout: ANSWER_TIMEOUT_MS,
    connectionTimeoutMillis: ANSWER_TIMEOUT_MS,
  });
  // Without a listener, a connection that breaks while idle would end the process.
  pool.on("error", (error) => logWarning("connection of the indexing status broke", error));
  return databaseOf(pool);
}

/** Starts the writers in place of those that an earlier call started. Call it before indexing begins. */
export async function startIndexingStatus(options: StatusOptions): Promise<void> {
  const { database, networks, watchdogSeconds, end, now, logWarning } = options;
  const reports = new Map<number, NodeReport>();
  let isEnding = false;
  const writers = await Promise.all(
    networks.map(async ({ network, rpcUrls, fork, audit }) =>
      createStatusWriter({
        askHead: headOf(rpcUrls),
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
            `${network.name}: the head rises, and nothing was indexed for ${Math.floor(idleSeconds)} seconds. ` +
              "The process ends, to be started again",
          );
        },
        now,
      }),
    ),
  );
  // Else the first look would find the head unknown, and tell of a node that is away.
  await Promise.all(writers.map((writer) => writer.refreshHead()));
  repeatInBackground("heads", {
    cycles: writers.map((writer) => async () => {
      await writer.refreshHead();
      return HEAD_INTERVAL_MS;
    }),
    delayAfterFailureMs: HEAD_INTERVAL_MS,
    onFailure: (error) => logWarning("the newest block could not be asked for", error),
  });
  repeatInBackground("indexing status", {
    cycles: writers.map((writer) => async () => {
      await writer.look();
      return LOOK_INTERVAL_MS;
    }),
    delayAfterFailureMs: HEAD_INTERVAL_MS,
    onFailure: (error) => logWarning("the indexing status could not be written", error),
    onStop: onNodeReport((report) => reports.set(report.chainId, report)),
  });
}
