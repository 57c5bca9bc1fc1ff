/**
 * Records about traces in the database: the blocks whose calls they named, and whether they were ever wrong.
 *
 * `core_offchain.traced_calls` has one row per chain, which all indexes of a database share, as they share raw chain
 * data. `core_offchain.redone_calls` names the indexes that were built without the traces that turned out wrong.
 */
import { escapeIdentifier, escapeLiteral } from "pg";
import { createOffchainTables } from "../../../offchainTables.ts";

/**
 * The methods that Ponder's query builders share. Statements are strings, because the drivers of PGlite and PostgreSQL
 * differ.
 */
interface Statements {
  wrap<T>(query: (database: { execute(sql: string): Promise<{ readonly rows: unknown[] }> }) => Promise<T>): Promise<T>;
}

/** A query builder of Ponder. */
export interface LedgerDatabase {
  transaction<T>(callback: (transaction: Statements) => Promise<T>): Promise<T>;
}

const CREATE = createOffchainTables(`
CREATE TABLE IF NOT EXISTS core_offchain.traced_calls (
  chain_id bigint PRIMARY KEY,
  -- Blocks whose calls trace_filter named: [first, last + 1] for each range, as in ponder_sync.intervals.
  blocks nummultirange NOT NULL DEFAULT '{}',
  -- Set when trace_filter was found wrong, for good.
  refuted_at timestamptz,
  reason text
);
CREATE TABLE IF NOT EXISTS core_offchain.redone_calls (
  schema_name text NOT NULL,
  chain_id bigint NOT NULL,
  PRIMARY KEY (schema_name, chain_id)
);`);

interface LedgerEntry {
  readonly isRefuted: boolean;
  /** Whether traces named the calls of any block. */
  readonly isUsed: boolean;
}

async function rowsOf(statements: Statements, sql: string): Promise<readonly Record<string, unknown>[]> {
  const { rows } = await statements.wrap((database) => database.execute(sql));
  return rows as Record<string, unknown>[];
}

/** Creates the tables and the row of a chain when they are missing, and reads the row. */
export function openLedger(database: LedgerDatabase, chainId: number): Promise<LedgerEntry> {
  return database.transaction(async (transaction) => {
    await rowsOf(transaction, CREATE);
    await rowsOf(
      transaction,
      `INSERT INTO core_offchain.traced_calls (chain_id) VALUES (${chainId}) ON CONFLICT DO NOTHING`,
    );
    const [row] = await rowsOf(
      transaction,
      `SELECT refuted_at IS NOT NULL AS is_refuted, NOT isempty(blocks) AS is_used
      FROM core_offchain.traced_calls WHERE chain_id = ${chainId}`,
    );
    return { isRefuted: row?.is_refuted === true, isUsed: row?.is_used === true };
  });
}

/**
 * Records that traces name the calls of a range of blocks, before the raw data of the range is written.
 * @returns false when traces were refuted meanwhile
 */
export function noteTraced(
  database: LedgerDatabase,
  chainId: number,
  [from, to]: readonly [number, number],
): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const rows = await rowsOf(
      transaction,
      `UPDATE core_offchain.traced_calls SET blocks = blocks + nummultirange(numrange(${from}, ${to + 1}, '[]'))
      WHERE chain_id = ${chainId} AND refuted_at IS NULL RETURNING chain_id`,
    );
    return rows.length > 0;
  });
}

/**
 * Records for good that traces were wrong. The first reason is kept.
 * @returns whether traces had named the calls of any block, so that indexes must be built again
 */
export function refuteTraces(database: LedgerDatabase, chainId: number, reason: string): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const [row] = await rowsOf(
      transaction,
      `UPDATE core_offchain.traced_calls
      SET refuted_at = coalesce(refuted_at, now()), reason = coalesce(reason, ${escapeLiteral(reason)})
      WHERE chain_id = ${chainId} RETURNING NOT isempty(blocks) AS is_used`,
    );
    return row?.is_used === true;
  });
}

/**
 * Runs before an index starts. If traces of the chain were refuted, an existing index is refused. A new index first
 * removes the blocks whose calls traces named from the intervals of the raw data, so that they are fetched again.
 *
 * An index is never built again in its own schema, because clients hold ETags of its answers, and the right answers may
 * have the same ETags.
 * @param transaction the transaction of the start of an index, which holds the lock of the schema
 * @returns why the index is refused; null otherwise
 */
export async function refuseTraced(transaction: Statements, schema: string, chainId: number): Promise<string | null> {
  const [known] = await rowsOf(
    transaction,
    "SELECT to_regclass('core_offchain.redone_calls') IS NOT NULL AS has_ledger",
  );
  if (known?.has_ledger !== true) return null;
  const name = escapeLiteral(schema);
  const [row] = await rowsOf(
    transaction,
    `SELECT reason, EXISTS (SELECT FROM ${escapeIdentifier(schema)}._ponder_meta WHERE key = 'app') AS is_built
    FROM core_offchain.traced_calls WHERE chain_id = ${chainId} AND refuted_at IS NOT NULL AND NOT isempty(blocks)
      AND NOT EXISTS (SELECT FROM core_offchain.redone_calls WHERE schema_name = ${name} AND chain_id = ${chainId})`,
  );
  if (row === undefined) return null;
  if (row.is_built === true) {
    return (
      `Schema "${schema}" may lack calls of chain ${chainId}, because traces were wrong: ${String(row.reason)}. ` +
      "Build a new index: set DATABASE_SCHEMA to another name"
    );
  }
  await dropRawData(transaction, chainId);
  await rowsOf(transaction, `INSERT INTO core_offchain.redone_calls VALUES (${name}, ${chainId})`);
  return null;
}

/**
 * Removes the traced blocks from the intervals of raw data, which `tools/lib/rawCache.ts` explains. The stored blocks
 * remain, because they are right and are written again.
 */
async function dropRawData(transaction: Statements, chainId: number): Promise<void> {
  await rowsOf(
    transaction,
    `UPDATE ponder_sync.intervals SET blocks = (
      SELECT coalesce(range_agg(rest), '{}') FROM unnest(intervals.blocks - (
        SELECT range_agg(numrange(lower(traced), upper(traced), '()'))
        FROM core_offchain.traced_calls, unnest(traced_calls.blocks) AS traced WHERE chain_id = ${chainId}
      )) AS rest WHERE upper(rest) > lower(rest)
    ) WHERE chain_id = ${chainId} AND fragment_id LIKE 'transaction\\_%'`,
  );
  await rowsOf(transaction, `DELETE FROM ponder_sync.intervals WHERE chain_id = ${chainId} AND isempty(blocks)`);
}
