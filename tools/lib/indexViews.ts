/**
 * Schemas of views, each of which shows one index to the replicas of the API. An upgrade indexes into a new schema
 * beside the old one; then one transaction redefines all views.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type ClientBase, DatabaseError, escapeIdentifier, type Pool } from "pg";
import { z } from "zod";
import { SCHEMA_LOCK_KEY } from "../../config/postgresConnection.ts";
import type { Database } from "../../src/api/shared/database.ts";
import { IDENTITY_VIEW, INDEX_FORMAT } from "../../src/api/shared/indexIdentity.ts";
import { decideReadState } from "../../src/api/status/state.ts";
import { readStatusRows } from "../../src/api/status/table.ts";
import { UsageError } from "./runTool.ts";

/**
 * How long requests wait for the views at most, per attempt. It is below PostgreSQL's `deadlock_timeout` of one second,
 * so that this transaction gives in if it and a request wait for each other.
 */
const LOCKED_MS = 500;
const RETRY_MS = 500;
const DEADLINE_MS = 30_000;

/** SQLSTATE of a statement that took longer than its limit, and of views whose columns would change. */
const QUERY_CANCELED = "57014";
const INVALID_TABLE_DEFINITION = "42P16";

/**
 * The relations of the state that belongs to each answer. Requests lock them last, in this order (`stateSql`). The views
 * are replaced in the same order, because a request and this transaction could otherwise wait for each other.
 */
const STATE_RELATIONS = [IDENTITY_VIEW, "_ponder_checkpoint", "chain_state"];

/** Without `contracts`, which name those of each chain, the index was created before the view had them. */
const identityRow = z.object({
  schema: z.string(),
  format: z.number(),
  contracts: z.record(z.string(), z.string()).nullable(),
});

type Identity = z.output<typeof identityRow>;

interface ShowOptions {
  /** Schema of the views; it is created when it does not exist. */
  readonly views: string;
  /** Schema of the index that they will show. */
  readonly index: string;
  readonly deadlineMs?: number;
}

/**
 * Makes views show an index. Each request sees either the previous index or this one, never a mixture.
 * @param pool connects as the role that indexes, which owns the tables
 * @returns the schema of the index that the views showed before; null when there were no views
 * @throws UsageError if the index does not meet the conditions. Nothing has changed then.
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
      // Readers are locked out now, so none of them can have seen more of the previous index than this.
      const lag = before === null ? null : await lagBehind(client, index, before);
      if (lag !== null) throw new NotYet(lag);
      return before;
    });
    if (!(outcome instanceof NotYet)) return outcome;
    if (performance.now() > deadline) throw new UsageError(outcome.message);
    await sleep(RETRY_MS);
  }
}

/**
 * Drops the schema and the state of an index that no views show and no indexer writes any more.
 * @throws UsageError if it is in use, or is not an index
 */
export async function dropIndex(pool: Pool, index: string): Promise<void> {
  const outcome = await inTransaction(pool, async (client) => {
    const identity = await identityOf(client, index);
    if (identity?.schema !== index) throw new UsageError(`Schema ${index} is not an index, so it is not dropped.`);
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
      [escapeIdentifier(index)],
    );
    if (users.length > 0) {
      const names = users.map(({ name }) => name).join(", ");
      throw new UsageError(`Views in schema ${names} show schema ${index}. Switch them to another index first.`);
    }
    await requireNoAbandonedBlocks(client, index);
    await client.query(`DROP SCHEMA ${escapeIdentifier(index)} CASCADE`);
    await client.query("DELETE FROM core_offchain.indexing_status WHERE schema_name = $1", [index]);
  });
  if (outcome instanceof NotYet) throw new UsageError(outcome.message);
}

/**
 * The raw data of an index on an abandoned chain may hold no block that shows it, but for the final block that the index
 * has recorded. Without that record, a new index would be built on the raw data.
 */
async function requireNoAbandonedBlocks(client: ClientBase, index: string): Promise<void> {
  const { rowCount: rawData } = await client.query("SELECT FROM pg_tables WHERE schemaname = 'ponder_sync'");
  if (rawData === 0) return;
  const { rows } = await client.query<{ chainId: string }>(
    `SELECT chain_id::text AS "chainId" FROM core_offchain.indexing_status AS status
     WHERE schema_name = $1 AND state = 'forked' AND EXISTS (
       SELECT FROM ponder_sync.intervals
       WHERE intervals.chain_id = status.chain_id AND blocks @> confirmed_number::numeric
     )`,
    [index],
  );
  const [forked] = rows;
  if (forked === undefined) return;
  throw new UsageError(
    `Schema ${index} is forked, and ponder_sync has blocks of chain ${forked.chainId} from its chain. Remove them first: docs/operate/runbook.md, CoreSwapForked.`,
  );
}

/** A problem that may pass by itself. */
class NotYet extends Error {}

/**
 * Runs a task in a transaction, one at a time in the database. The transaction is rolled back if the task throws.
 * @returns the task's result, or the reason to try again
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
    // If the connection is broken, the server takes the changes back by itself.
    await client.query("ROLLBACK").catch(() => undefined);
    if (error instanceof NotYet) return error;
    if (!(error instanceof DatabaseError)) throw error;
    if (error.code === QUERY_CANCELED) {
      return new NotYet("Other transactions kept the views locked (see pg_stat_activity). Nothing was changed.");
    }
    if (error.code === INVALID_TABLE_DEFINITION) {
      throw new UsageError(`The tables differ from those that the views show (${error.message}). Nothing was changed.`);
    }
    throw error;
  } finally {
    client.release();
  }
}

/** Returns the index that the views show; null if there are no views yet. */
async function shownBefore(client: ClientBase, views: string, index: string): Promise<string | null> {
  const identity = await requireIndex(client, index);
  const relations = await relationsOf(client, views);
  if (relations.length === 0) return null;
  const shown = await identityOf(client, views);
  if (shown === null || relations.some(({ kind }) => kind !== "v")) {
    throw new UsageError(
      `Schema ${views} has relations that are not views of an index. Name another schema for the views.`,
    );
  }
  if (shown.format !== INDEX_FORMAT) {
    throw new UsageError(
      `The views in schema ${views} have format ${shown.format}, and ${index} has format ${INDEX_FORMAT}. ` +
        "Name another schema for views of the new format, and restart the replicas one by one with that schema.",
    );
  }
  const [networks, networksBefore] = [await networksOf(client, index), await networksOf(client, shown.schema)];
  const missing = networksBefore.filter((name) => !networks.includes(name));
  if (missing.length > 0) {
    throw new UsageError(`Schema ${index} does not index ${missing.join(", ")}, which the views in ${views} show.`);
  }
  refuseOtherContracts(views, shown, identity);
  return shown.schema;
}

/** Refuses an index whose contracts are not those that the replicas of the views read in their deployment files. */
function refuseOtherContracts(views: string, shown: Identity, { schema, contracts }: Identity): void {
  for (const [chainId, known] of Object.entries(shown.contracts ?? {})) {
    const found = contracts?.[chainId] ?? known;
    if (found === known) continue;
    throw new UsageError(
      `The views in schema ${views} show contracts ${known} of chain ${chainId}, and ${schema} has ${found}. ` +
        "Name another schema for views of it, and restart the replicas one by one with that schema and deployment file.",
    );
  }
}

/** Returns the identity of an index. Refuses a schema that is not one which this version of CoreSwap can read. */
async function requireIndex(client: ClientBase, index: string): Promise<Identity> {
  const identity = await identityOf(client, index);
  if (identity === null) {
    throw new UsageError(
      `Schema ${index} is not an index: it has no view ${IDENTITY_VIEW}, which its indexer creates.`,
    );
  }
  if (identity.schema !== index) {
    throw new UsageError(`Schema ${index} has views that show ${identity.schema}. Name the schema of an index.`);
  }
  if (identity.format !== INDEX_FORMAT) {
    throw new UsageError(
      `Schema ${index} was built by another version of CoreSwap: its format is ${identity.format}, ` +
        `and this version reads format ${INDEX_FORMAT}.`,
    );
  }
  return identity;
}

async function identityOf(client: ClientBase, schema: string): Promise<Identity | null> {
  const view = `${escapeIdentifier(schema)}.${IDENTITY_VIEW}`;
  const { rows: found } = await client.query<{ exists: boolean }>("SELECT to_regclass($1) IS NOT NULL AS exists", [
    view,
  ]);
  if (found[0]?.exists !== true) return null;
  const { rows } = await client.query(
    `SELECT schema_name AS schema, format, to_jsonb(identity) -> 'contracts' AS contracts FROM ${view} AS identity`,
  );
  return identityRow.parse(rows[0]);
}

async function networksOf(client: ClientBase, index: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT chain_name AS name FROM ${escapeIdentifier(index)}._ponder_checkpoint ORDER BY chain_name`,
  );
  return rows.map(({ name }) => name);
}

/** Refuses an index that no indexer keeps up with the chain. */
async function requireLive(client: ClientBase, index: string): Promise<void> {
  const { rows: chains } = await client.query<{ name: string; chainId: number }>(
    `SELECT chain_name AS name, chain_id::integer AS "chainId" FROM ${escapeIdentifier(index)}._ponder_checkpoint`,
  );
  // Uses this connection, because a second one might never become available.
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

/** Describes how far an index is behind another one, in all or in final blocks; null if it is not behind. */
async function lagBehind(client: ClientBase, index: string, before: string): Promise<string | null> {
  const { rows } = await client.query<{ name: string; has: string; needed: string }>(
    `SELECT chain_name AS name, ${blockSql("new.latest_checkpoint")} AS has, ${blockSql("old.latest_checkpoint")} AS needed
     FROM ${escapeIdentifier(before)}._ponder_checkpoint AS old
     JOIN ${escapeIdentifier(index)}._ponder_checkpoint AS new USING (chain_name)
     WHERE new.latest_checkpoint COLLATE "C" < old.latest_checkpoint COLLATE "C"
       OR new.safe_checkpoint COLLATE "C" < old.safe_checkpoint COLLATE "C"`,
  );
  const [behind] = rows;
  if (behind === undefined) return null;
  const { name, has, needed } = behind;
  return `Schema ${index} is behind ${before}: it has ${name} up to block ${has}, or fewer final blocks; expected ${needed}.`;
}

/** The block of one of Ponder's checkpoints, which begin with 10 digits of time and 16 of the chain. */
function blockSql(checkpoint: string): string {
  return `substring(${checkpoint} FROM 27 FOR 16)::bigint::text`;
}

/** Builds one statement, so that one time limit applies to all views. */
async function viewsSql(client: ClientBase, views: string, index: string): Promise<string> {
  const relations = await relationsOf(client, index);
  const schema = escapeIdentifier(views);
  const definitions = relations.map(({ name }) => {
    const relation = escapeIdentifier(name);
    return `CREATE OR REPLACE VIEW ${schema}.${relation} AS SELECT * FROM ${escapeIdentifier(index)}.${relation};`;
  });
  return `DO $views$ BEGIN CREATE SCHEMA IF NOT EXISTS ${schema};\n${definitions.join("\n")}\nEND $views$`;
}

/**
 * Returns the tables and views of a schema that the API may read, those of the state last, without partitions and without
 * Ponder's tables for reorganizations.
 */
async function relationsOf(client: ClientBase, schema: string): Promise<{ name: string; kind: string }[]> {
  const { rows } = await client.query<{ name: string; kind: string }>(
    `SELECT relname AS name, relkind AS kind
     FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
     WHERE nspname = $1 AND relkind IN ('r', 'p', 'v', 'm') AND NOT relispartition AND relname NOT LIKE '\\_reorg\\_\\_%'
     ORDER BY coalesce(array_position($2::name[], relname), 0), relname`,
    [schema, STATE_RELATIONS],
  );
  return rows;
}
