/** What each connection to PostgreSQL goes through before it is used, in every thread. */
import { getEnvironmentData, isMainThread, setEnvironmentData } from "node:worker_threads";
import type { ClientBase } from "pg";

/** Under which threads hand on the start time of the server that this process met first. */
const FIRST_SERVER_START = "coreswap.firstServerStart";

/** Ponder's own, for what a restart may mend. */
export const RESTART_EXIT_CODE = 75;

/**
 * Has the server end a session whose machine is gone after some eleven seconds, rather than two hours. What such a machine
 * sends when it comes back finds no session to write through.
 */
export const KEEP_ALIVE_SETTINGS =
  "SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3";

/**
 * Lets a statement wait for a lock as long as it may take as a whole. Ponder has the API's statements fail after half a
 * second, which autovacuum on a busy machine takes to cut pages off the end of a catalog that every statement reads.
 */
export async function waitForLocks(client: ClientBase): Promise<void> {
  await client.query("SET lock_timeout = 0");
}

/**
 * Does what `waitForLocks` does, and makes the connection's commits synchronous. Ponder switches that off after each
 * connect, whatever the role, the database or the URL say: a crash of the database would then lose rows that the indexer
 * goes on from.
 *
 * A server that was started since the process met it may hold less than was committed: a standby took over, or a backup
 * was restored. The process goes on from memory, so it ends before it writes there. The restart goes on from what the
 * database has.
 * @throws Error when the server is not the one met first; in the main thread the process ends instead
 */
export async function prepareConnection(client: ClientBase): Promise<void> {
  await client.query(KEEP_ALIVE_SETTINGS);
  await waitForLocks(client);
  await client.query("SET synchronous_commit = on");
  const { rows } = await client.query<{ serverStart: string }>(
    `SELECT extract(epoch FROM pg_postmaster_start_time())::text AS "serverStart"`,
  );
  const serverStart = rows[0]?.serverStart;
  const first = getEnvironmentData(FIRST_SERVER_START);
  if (first === undefined) return setEnvironmentData(FIRST_SERVER_START, serverStart);
  if (first === serverStart) return;
  const message =
    "PostgreSQL was started anew, or another server took over. The indexer ends, so as to be started again.";
  // A thread of its own is only refused the connection: the heartbeat of the main one finds out within seconds, too.
  if (!isMainThread) throw new Error(message);
  logger().error({ msg: message });
  // Not in good order: that would take seconds, and there is nothing to write there.
  process.exit(RESTART_EXIT_CODE);
}

/** Ponder's. */
export function logger() {
  const { PONDER_COMMON } = globalThis as typeof globalThis & {
    readonly PONDER_COMMON: {
      readonly logger: { warn(entry: { msg: string }): void; error(entry: { msg: string }): void };
    };
  };
  return PONDER_COMMON.logger;
}
