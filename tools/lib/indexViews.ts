/**
 * Schemas of views, each of which shows one index to the replicas of the API. An upgrade indexes into a new schema
 * beside the old one; then one transaction redefines all views.
 */
import { setTimeout as delay } from "node:timers/promises";
import { type ClientBase, DatabaseError, type Pool } from "pg";
import { z } from "zod";
import { SCHEMA_LOCK_KEY } from "../../config/schemaLock.ts";
import { type Database, quoteIdentifier } from "../../src/api/shared/database.ts";
import { IDENTITY_VIEW, INDEX_FORMAT } from "../../src/api/shared/indexIdentity.ts";
import { decideReadState } from "../../src/api/status/state.ts";
import { readStatusRows } from "../../src/api/status/table.ts";
import { UsageError } from "./indexRange.ts";

/**
 * How long requests wait for the views at most, per attempt. Below PostgreSQL's `deadlock_timeout` of one second: where
 * a request and this transaction wait for each other, this one gives in.
 */
const LOCKED_MS = 500;
const RETRY_MS = 500;
const DEADLINE_MS = 30_000;

/** SQLSTATE of a statement that took longer than its limit, and of views whose columns would change. */
const QUERY_CANCELED = "57014";
const INVALID_TABLE_DEFINITION = "42P16";

const identityRow = z.object({ schema: z.string(), format: z.number() });

interface ShowOptions {
  /** Schema of the views; it is created when it does not exist. */
  readonly views: string;
  /** Schema of the index that they shall show. */
  readonly index: string;
  readonly deadlineMs?: number;
}

/**
 * Makes views show an index. Requests see either the index before or this one, as a whole.
 * @param pool connects as the role that indexes, which owns the tables
 * @returns the schema of the index that the views showed before; null when there were no views
 * @throws UsageError when the index is not fit for it. Nothing has changed then.
 */
export async function showIndex(
  pool: Pool,
  { views, index, deadlineMs = DEADLINE_MS }: ShowOptions,
): Promise<string | null> {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    const outcome = await inTransaction(pool, async (client) => {
      const before = await shownBefore(client, views, index);
      if (before === index) return before;
      if (before !== null) await requireLive(client, index);
      await client.query(`SET LOCAL statement_timeout = ${LOCKED_MS}`);
      await client.query(await viewsSql(client, views, index));
      // Now that readers are locked out, none can have seen more than this of the index before.
      const lag = before === null ? null : await lagBehind(client, index, before);
      if (lag !== null) throw new NotYet(lag);
      return before;
    });
    if (!(outcome instanceof NotYet)) return outcome;
    if (performance.now() > deadline) throw new UsageError(outcome.message);
    await delay(RETRY_MS);
  }
}

/**
 * Drops the schema of an index that nothing shows or writes any more, and its state.
 * @throws UsageError when it is in use, or no index
 */
export async function dropIndex(pool: Pool, index: string): Promise<void> {
  const outcome = await inTransaction(pool, async (client) => {
    const identity = await identityOf(client, index);
    if (identity?.schema !== index) throw new UsageError(`Schema ${index} is no index: it is not dropped.`);
    const { rows: locks } = await client.query<{ locked: boolean }>(
      `SELECT pg_try_advisory_xact_lock(${SCHEMA_LOCK_KEY}) AS locked`,
      [index],
    );
    if (locks[0]?.locked !== true) throw new UsageError(`An indexer runs on schema ${index}: stop it first.`);
    const { rows: users } = await client.query<{ name: string }>(
      `SELECT DISTINCT user_view.relnamespace::regnamespace::text AS name
       FROM pg_depend
       JOIN pg_class AS used ON used.oid = refobjid AND refclassid = 'pg_class'::regclass
       JOIN pg_rewrite ON pg_rewrite.oid = objid AND classid = 'pg_rewrite'::regclass
       JOIN pg_class AS user_view ON user_view.oid = ev_class
       WHERE used.relnamespace = $1::regnamespace AND user_view.relnamespace <> used.relnamespace`,
      [quoteIdentifier(index)],
    );
    if (users.length > 0) {
      const names = users.map(({ name }) => name).join(", ");
      throw new UsageError(`Views in schema ${names} show schema ${index}: let them show another index first.`);
    }
    await client.query(`DROP SCHEMA ${quoteIdentifier(index)} CASCADE`);
    await client.query("DELETE FROM core_offchain.indexing_status WHERE schema_name = $1", [index]);
  });
  if (outcome instanceof NotYet) throw new UsageError(outcome.message);
}

/** A reason that may pass by itself. */
class NotYet extends Error {}

/**
 * Runs a task in a transaction, one at a time in the database. It is rolled back when the task throws.
 * @returns the task's result, or why to try again
 */
async function inTransaction<T>(pool: Pool, task: (client: ClientBase) => Promise<T>): Promise<T | NotYet> {
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    await client.query("SELECT pg_advisory_xact_lock(hashtext('coreswap views'))");
    const result = await task(client);
    await client.query("COMMIT");
    return result;
  } catch (error) {
    await client.query("ROLLBACK");
    if (error instanceof NotYet) return error;
    if (!(error instanceof DatabaseError)) throw error;
    if (error.code === QUERY_CANCELED) {
      return new NotYet(
        "Other transactions kept the views locked all the time: see pg_stat_activity. Nothing changed.",
      );
    }
    if (error.code === INVALID_TABLE_DEFINITION) {
      throw new UsageError(`The tables differ from those that the views show (${error.message}). Nothing changed.`);
    }
    throw error;
  } finally {
    client.release();
  }
}

/** The index that views show; null when there are none yet. */
async function shownBefore(client: ClientBase, views: string, index: string): Promise<string | null> {
  await requireIndex(client, index);
  const relations = await relationsOf(client, views);
  if (relations.length === 0) return null;
  const shown = await identityOf(client, views);
  if (shown === null || relations.some(({ kind }) => kind !== "v")) {
    throw new UsageError(
      `Schema ${views} holds something else than views of an index: name another one for the views.`,
    );
  }
  if (shown.format !== INDEX_FORMAT) {
    throw new UsageError(
      `The views in schema ${views} have format ${shown.format}, and ${index} has format ${INDEX_FORMAT}: ` +
        "give the views of the new format another schema, and restart the replicas with it one by one.",
    );
  }
  const [networks, networksBefore] = [await networksOf(client, index), await networksOf(client, shown.schema)];
  const missing = networksBefore.filter((name) => !networks.includes(name));
  if (missing.length > 0) {
    throw new UsageError(`Schema ${index} has no index of ${missing.join(", ")}, which the views in ${views} show.`);
  }
  return shown.schema;
}

/** Refuses a schema that is not an index which this version of CoreSwap can read. */
async function requireIndex(client: ClientBase, index: string): Promise<void> {
  const identity = await identityOf(client, index);
  if (identity === null) {
    throw new UsageError(`Schema ${index} is no index: it has no view ${IDENTITY_VIEW}, which its indexer creates.`);
  }
  if (identity.schema !== index) {
    throw new UsageError(`Schema ${index} holds views that show ${identity.schema}: name the schema of an index.`);
  }
  if (identity.format !== INDEX_FORMAT) {
    throw new UsageError(
      `Schema ${index} was built by another version of CoreSwap: its format is ${identity.format}, ` +
        `and this version reads format ${INDEX_FORMAT}.`,
    );
  }
}

async function identityOf(client: ClientBase, schema: string) {
  const view = `${quoteIdentifier(schema)}.${IDENTITY_VIEW}`;
  const { rows: found } = await client.query<{ exists: boolean }>("SELECT to_regclass($1) IS NOT NULL AS exists", [
    view,
  ]);
  if (found[0]?.exists !== true) return null;
  const { rows } = await client.query(`SELECT schema_name AS schema, format FROM ${view}`);
  return identityRow.parse(rows[0]);
}

async function networksOf(client: ClientBase, index: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT chain_name AS name FROM ${quoteIdentifier(index)}._ponder_checkpoint ORDER BY chain_name`,
  );
  return rows.map(({ name }) => name);
}

/** Refuses an index that an indexer does not follow the chain with. */
async function requireLive(client: ClientBase, index: string): Promise<void> {
  const { rows: chains } = await client.query<{ name: string; chainId: number }>(
    `SELECT chain_name AS name, chain_id::integer AS "chainId" FROM ${quoteIdentifier(index)}._ponder_checkpoint`,
  );
  // On this connection: a second one could be waited for in vain.
  const database: Database = {
    query: async ({ text, values }) => (await client.query(text, [...values])).rows,
  };
  const states = await readStatusRows(
    database,
    chains.map(({ chainId }) => ({ schema: index, chainId })),
  );
  for (const [place, { name }] of chains.entries()) {
    const row = states[place] ?? null;
    const state = decideReadState(row?.state ?? null, { rowAgeSeconds: row?.ageSeconds ?? null, isForked: false });
    if (state !== "live") throw new UsageError(`Schema ${index} is not ready: ${name} is in state ${state}, not live.`);
  }
}

/** What an index lacks that another one has, final or not; null when it is at least as far. */
async function lagBehind(client: ClientBase, index: string, before: string): Promise<string | null> {
  const { rows } = await client.query<{ name: string; has: string; needed: string }>(
    `SELECT chain_name AS name, ${blockSql("new.latest_checkpoint")} AS has, ${blockSql("old.latest_checkpoint")} AS needed
     FROM ${quoteIdentifier(before)}._ponder_checkpoint AS old
     JOIN ${quoteIdentifier(index)}._ponder_checkpoint AS new USING (chain_name)
     WHERE new.latest_checkpoint COLLATE "C" < old.latest_checkpoint COLLATE "C"
       OR new.safe_checkpoint COLLATE "C" < old.safe_checkpoint COLLATE "C"`,
  );
  const [behind] = rows;
  if (behind === undefined) return null;
  const { name, has, needed } = behind;
  return `Schema ${index} is behind ${before}: it has ${name} up to block ${has}, or fewer final blocks; needed is ${needed}.`;
}

/** The block of one of Ponder's checkpoints, which begin with 10 digits of time and 16 of the chain. */
function blockSql(checkpoint: string): string {
  return `substring(${checkpoint} FROM 27 FOR 16)::bigint::text`;
}

/** One statement, so that its time limit is that of all views. */
async function viewsSql(client: ClientBase, views: string, index: string): Promise<string> {
  const relations = await relationsOf(client, index);
  const schema = quoteIdentifier(views);
  const definitions = relations.map(({ name }) => {
    const relation = quoteIdentifier(name);
    return `CREATE OR REPLACE VIEW ${schema}.${relation} AS SELECT * FROM ${quoteIdentifier(index)}.${relation};`;
  });
  return `DO $views$ BEGIN CREATE SCHEMA IF NOT EXISTS ${schema};\n${definitions.join("\n")}\nEND $views$`;
}

/** Tables and views of a schema that the API may read: no partitions, and not what Ponder keeps for reorganizations. */
async function relationsOf(client: ClientBase, schema: string): Promise<{ name: string; kind: string }[]> {
  const { rows } = await client.query<{ name: string; kind: string }>(
    `SELECT relname AS name, relkind AS kind
     FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
     WHERE nspname = $1 AND relkind IN ('r', 'p', 'v', 'm') AND NOT relispartition AND relname NOT LIKE '\\_reorg\\_\\_%'
     ORDER BY relname`,
    [schema],
  );
  return rows;
}
