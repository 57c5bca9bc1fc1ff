/** Prepares each connection to PostgreSQL before it is used, in every thread. */
import { getEnvironmentData, isMainThread, setEnvironmentData } from "node:worker_threads";
import { Client, type ClientBase, type ClientConfig } from "pg";
import { hasOwnSession } from "./ownSession.ts";
import { logger } from "./ponderCommon.ts";

/** The key under which threads share the start time of the server to which this process first connected. */
const FIRST_SERVER_START = "coreswap.firstServerStart";

/** Ponder's exit code for failures that a restart may fix. */
export const RESTART_EXIT_CODE = 75;

/** The session that holds the schema of this process. */
interface LockSession {
  readonly schema: string;
  readonly processId: number;
}

/** The key under which threads share it. */
const LOCK_SESSION = "coreswap.lockSession";

/** SQL expression of the key of the lock on a schema. $1 is the schema. */
export const SCHEMA_LOCK_KEY = "hashtextextended('coreswap indexes into ' || $1, 0)";

/**
 * Makes the server end the session of a machine that no longer responds after about eleven seconds instead of two
 * hours. If the machine comes back, it has no session in which it could write, and gets no new one: see
 * {@link prepareConnection}.
 *
 * The last setting, in milliseconds, is for a session whose reply was on its way. Linux sends no probes while sent bytes
 * are not acknowledged, and would repeat these bytes for some 15 minutes. It also ends the session of a client that does
 * not read its reply for as long. To that client the connection is broken: its process repeats the statement in a new
 * session, or ends and is started again.
 */
export const KEEP_ALIVE_SETTINGS =
  "SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3; " +
  "SET tcp_user_timeout = 11000";

/**
 * Lets a statement wait for a lock as long as the statement itself may take. Ponder makes the API's statements fail
 * after 0.5 seconds, but autovacuum on a busy machine may need longer to truncate a catalog that every statement reads.
 */
const WAIT_FOR_LOCKS = "SET lock_timeout = 0";

/**
 * Settings of connections that only read. There is no search path, because every statement names its schema. A statement
 * ends before the replica gives up its answer, so that the server does not work on what nobody waits for.
 */
const REPLICA_SETTINGS = `SET default_transaction_read_only = on; SET statement_timeout = '2s'; ${WAIT_FOR_LOCKS}`;

/**
 * Leaves the memory of a statement to the server. Ponder lets each sort and hash of the API's statements take 512 MB,
 * which is more than the server has once thirty connections do. None of our statements needs more than a few.
 */
const SERVER_MEMORY = "RESET work_mem";

/**
 * A replica's connection to PostgreSQL or to a pooler. Takes the place of Ponder's client, which sends a statement
 * timeout with the start of the connection, where poolers refuse it, and sets a search path, which a pooler in
 * transaction mode would pass on to replicas of other schemas.
 */
export class ReplicaClient extends Client {
  constructor(config: ClientConfig = {}) {
    super({ ...config, statement_timeout: undefined });
  }
}

/**
 * Prepares a replica's connection. Behind a pooler in transaction mode, the settings get to one of the server's sessions,
 * which all replicas share: they are the same for every replica, and no answer depends on them.
 */
export async function prepareReplica(client: ClientBase): Promise<void> {
  // In one message, and so in one session.
  await client.query(REPLICA_SETTINGS);
}

/** @throws Error when the connection leads to a pooler */
export async function requireOwnSession(client: ClientBase): Promise<void> {
  if (await hasOwnSession(client)) return;
  throw new Error(
    "DATABASE_URL leads to a pooler such as pgbouncer. Only `serve` can use one: connect directly to PostgreSQL here.",
  );
}

/**
 * Lets statements wait for locks, leaves their memory to the server, and makes the connection's commits synchronous.
 * Ponder disables synchronous commits after each connect, whatever the role, the database or the URL say. A crash of the
 * database could then lose rows on which the indexer has built.
 *
 * A server that has restarted since this process first connected may lack committed data, because a standby took over
 * or a backup was restored. The process would continue from its memory, so it ends before it writes to that server.
 * After a restart it continues from the state of the database. It also ends when the session that holds the schema has
 * ended: another process may hold the schema since, and a machine that was cut off does not learn it otherwise.
 *
 * It ends, too, where triggers do not run. They record the rows that a reorganization takes back.
 * @throws Error when the server has restarted or is a different one, the schema is not held any more, or triggers do not
 * run; in the main thread, the process ends instead
 */
export async function prepareConnection(client: ClientBase): Promise<void> {
  await client.query(KEEP_ALIVE_SETTINGS);
  await client.query(WAIT_FOR_LOCKS);
  await client.query(SERVER_MEMORY);
  await client.query("SET synchronous_commit = on");
  const { rows } = await client.query<{ serverStart: string; replicationRole: string }>(
    `SELECT extract(epoch FROM pg_postmaster_start_time())::text AS "serverStart",
      current_setting('session_replication_role') AS "replicationRole"`,
  );
  const { serverStart, replicationRole } = rows[0] ?? {};
  if (replicationRole === "replica") {
    return end(
      "session_replication_role is replica, by a setting of the role, the database or the server. PostgreSQL then runs no " +
        "triggers, and a reorganization would leave rows of replaced blocks. Reset it. If blocks were indexed meanwhile, " +
        "index into a new DATABASE_SCHEMA",
    );
  }
  const first = getEnvironmentData(FIRST_SERVER_START);
  if (first === undefined) return setEnvironmentData(FIRST_SERVER_START, serverStart);
  if (first !== serverStart) {
    return end("PostgreSQL has restarted, or another server took over. The indexer ends so that it can be restarted.");
  }
  const lock = getEnvironmentData(LOCK_SESSION) as LockSession | undefined;
  if (lock !== undefined && !(await holdsSchema(client, lock))) {
    end(
      `The session that held the schema "${lock.schema}" has ended, and another process may hold it. The indexer ends`,
    );
  }
}

/** Remembers the session that holds the schema, without which no thread of this process may write. */
export function rememberLock(lock: LockSession): void {
  setEnvironmentData(LOCK_SESSION, { ...lock });
}

async function holdsSchema(client: ClientBase, { schema, processId }: LockSession): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT FROM pg_locks
    WHERE locktype = 'advisory' AND granted AND pid = $2
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND (classid::bigint << 32 | objid::bigint) = ${SCHEMA_LOCK_KEY}`,
    [schema, processId],
  );
  return rowCount !== 0;
}

function end(message: string): never {
  // In a worker thread, only the connection is refused. The heartbeat of the main thread detects the same problem
  // within seconds.
  if (!isMainThread) throw new Error(message);
  logger().error({ msg: message });
  // Exits immediately: a graceful end would take seconds, and there is nothing to write to that server.
  process.exit(RESTART_EXIT_CODE);
}
