/** Lets one process at a time index into a schema of PostgreSQL. */
import { setTimeout as sleep } from "node:timers/promises";
import { getEnvironmentData, setEnvironmentData } from "node:worker_threads";
import { type Client, DatabaseError, escapeIdentifier } from "pg";
import { logger } from "./ponderCommon.ts";
import { createClient } from "./postgresClients.ts";
import {
  KEEP_ALIVE_SETTINGS,
  prepareConnection,
  RESTART_EXIT_CODE,
  rememberLock,
  SCHEMA_LOCK_KEY,
} from "./postgresConnection.ts";

const RETRY_MS = 500;

/**
 * The key of the lock that this process holds. After an edit, `ponder dev` runs the configuration again in new modules.
 */
const HELD_SCHEMA = "coreswap.heldSchema";

/**
 * Takes a lock on the server that ends with the connection, and holds it as long as this process runs. Waits while
 * another process holds it. Ponder's own lock is not sufficient: another indexer takes it over after seconds of
 * silence, even if its holder was only paused and will continue to write alongside its successor.
 *
 * When the connection breaks, the process ends as soon as the server answers again, because another process may have
 * taken over.
 * @throws Error of the driver when the server cannot be reached
 */
export async function holdSchema(connectionString: string, schema: string): Promise<void> {
  if (getEnvironmentData(HELD_SCHEMA) === schema) return;
  const client = createClient({
    connectionString,
    application_name: "coreswap_lock",
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  await client.connect();
  await client.query(KEEP_ALIVE_SETTINGS);
  // This session is idle as long as the process runs.
  await client.query("SET idle_session_timeout = 0");
  let isWaiting = false;
  while (!(await isLocked(client, schema))) {
    if (!isWaiting) logger().warn({ msg: `Another process indexes into the schema "${schema}". Waiting for it` });
    isWaiting = true;
    await sleep(RETRY_MS);
  }
  await forgetLaterHeartbeat(client, schema);
  await forgetIndexedBlock(client, schema);
  client.once("error", () => void endWhenServerAnswers(connectionString, schema));
  const { rows } = await client.query<{ processId: number }>('SELECT pg_backend_pid() AS "processId"');
  const processId = rows[0]?.processId;
  if (processId === undefined) throw new Error("PostgreSQL did not name its process");
  rememberLock({ schema, processId });
  setEnvironmentData(HELD_SCHEMA, schema);
}

/**
 * Lets Ponder start after a run that was killed while its clock was ahead. Ponder waits until some seconds after the
 * time of that run's last heartbeat, which may be hours from now. The seconds are waited for: a run that has lost
 * only the session with its lock writes until it notices, and its heartbeat goes on until then.
 */
async function forgetLaterHeartbeat(client: Client, schema: string): Promise<void> {
  const table = `${escapeIdentifier(schema)}._ponder_meta`;
  if (!(await exists(client, table))) return;
  await client.query(
    `UPDATE ${table} SET value = jsonb_set(value, '{heartbeat_at}', to_jsonb($1::bigint))
    WHERE key = 'app' AND (value->>'heartbeat_at')::bigint > $1::bigint`,
    [Date.now()],
  );
}

/**
 * Marks the index as not live. Ponder now removes the rows of blocks that are not final, and the state that the run
 * before wrote would otherwise count until it is too old, or until this run writes its own. A worse state is kept.
 */
async function forgetIndexedBlock(client: Client, schema: string): Promise<void> {
  const table = "core_offchain.indexing_status";
  if (!(await exists(client, table))) return;
  await client.query(
    `UPDATE ${table}
    SET state = 'backfill', state_since = clock_timestamp(), reason = NULL, indexed_number = NULL, indexed_time = NULL
    WHERE schema_name = $1 AND state NOT IN ('damaged', 'forked')`,
    [schema],
  );
}

async function exists(client: Client, table: string): Promise<boolean> {
  const { rows } = await client.query<{ isThere: boolean }>('SELECT to_regclass($1) IS NOT NULL AS "isThere"', [table]);
  return rows[0]?.isThere === true;
}

/**
 * Waits for the server and then ends the process, also if the server refuses this session: connections that were open
 * before could still write. Until the server answers, nobody can write, and a restart would be useless.
 */
async function endWhenServerAnswers(connectionString: string, schema: string): Promise<never> {
  for (;;) {
    const client = createClient({ connectionString, application_name: "coreswap_lock" });
    try {
      await client.connect();
      // This ends the process with its own message if the server has restarted or is a different one.
      await prepareConnection(client);
      endWithoutLock(schema);
    } catch (error) {
      if (error instanceof DatabaseError && !isStarting(error)) endWithoutLock(schema);
      // The server is not available yet, or was lost again. The next attempt will tell.
      await client.end().catch(() => undefined);
      await sleep(RETRY_MS);
    }
  }
}

/** The server ends or starts, and has no other sessions then. */
function isStarting({ code }: DatabaseError): boolean {
  return code?.startsWith("57P") === true;
}

function endWithoutLock(schema: string): never {
  logger().error({ msg: `The connection that holds the schema "${schema}" was lost. The indexer ends` });
  process.exit(RESTART_EXIT_CODE);
}

async function isLocked(client: Client, schema: string): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    `SELECT pg_try_advisory_lock(${SCHEMA_LOCK_KEY}) AS locked`,
    [schema],
  );
  return rows[0]?.locked === true;
}
