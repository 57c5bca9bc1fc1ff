/** Lets one process at a time index into a schema of PostgreSQL. */
import { setTimeout as delay } from "node:timers/promises";
import { getEnvironmentData, setEnvironmentData } from "node:worker_threads";
import { Client } from "pg";
import { KEEP_ALIVE_SETTINGS, logger, prepareConnection, RESTART_EXIT_CODE } from "./postgresConnection.ts";

const RETRY_MS = 500;

/** What this process holds. `ponder dev` runs the configuration again after an edit, in modules of its own. */
const HELD_SCHEMA = "coreswap.heldSchema";

/**
 * Takes a lock of the server that ends with the connection, and holds it for as long as this process lives. Waits while
 * another process has it: Ponder's own lock passes on after seconds of silence, also from a process that was only paused,
 * and that would go on to write beside the one that took its place.
 *
 * When the connection breaks, the process ends as soon as the server answers again: another one may have taken its place.
 * @throws Error of the driver when the server cannot be reached
 */
export async function holdSchema(connectionString: string, schema: string): Promise<void> {
  if (getEnvironmentData(HELD_SCHEMA) === schema) return;
  const client = new Client({ connectionString, application_name: "coreswap_lock" });
  await client.connect();
  await client.query(KEEP_ALIVE_SETTINGS);
  let isWaiting = false;
  while (!(await isLocked(client, schema))) {
    if (!isWaiting) logger().warn({ msg: `Another process indexes into the schema "${schema}". Waiting for its end` });
    isWaiting = true;
    await delay(RETRY_MS);
  }
  client.once("error", () => void endWhenServerAnswers(connectionString, schema));
  setEnvironmentData(HELD_SCHEMA, schema);
}

/** Until the server answers nobody writes, and a restart would be in vain. */
async function endWhenServerAnswers(connectionString: string, schema: string): Promise<never> {
  for (;;) {
    const client = new Client({ connectionString, application_name: "coreswap_lock" });
    try {
      await client.connect();
      // Says so when it is another server, or the same one started anew.
      await prepareConnection(client);
      logger().error({ msg: `The connection that holds the schema "${schema}" broke. The indexer ends` });
      process.exit(RESTART_EXIT_CODE);
    } catch {
      // Not there yet, or lost again: the next attempt tells.
      await client.end().catch(() => undefined);
      await delay(RETRY_MS);
    }
  }
}

async function isLocked(client: Client, schema: string): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    "SELECT pg_try_advisory_lock(hashtextextended('coreswap indexes into ' || $1, 0)) AS locked",
    [schema],
  );
  return rows[0]?.locked === true;
}
