/**
 * `core_offchain.indexing_status`: one row per database schema and network. The process that indexes it writes the row,
 * and every replica reads it. The table is in a schema that Ponder does not own, so that it survives the indexed
 * tables.
 */
import { z } from "@hono/zod-openapi";
import type { ConfirmedBlock } from "../../../config/nodeReports.ts";
import { createOffchainTables } from "../../../config/offchainTables.ts";
import { bytes32Column, integerColumn } from "../shared/columns.ts";
import { type Database, prepared } from "../shared/database.ts";
import type { LastAudit } from "../shared/health.ts";
import { INDEXING_STATES } from "./state.ts";

const TABLE = "core_offchain.indexing_status";

const CREATE_SQL = createOffchainTables(`
CREATE TABLE IF NOT EXISTS ${TABLE} (
  schema_name text NOT NULL,
  chain_id bigint NOT NULL,
  state text NOT NULL,
  state_since timestamptz NOT NULL,
  -- Why, for a state that needs a reason. Holds no RPC URL.
  reason text,
  -- The node's newest block, and when the node was asked.
  head_number bigint,
  head_hash text,
  head_time timestamptz,
  head_asked_at timestamptz,
  -- Newest indexed block, and newest block that no reorganization can roll back.
  indexed_number bigint,
  indexed_time timestamptz,
  final_number bigint,
  -- Followed by this run of the indexer.
  reorganizations integer NOT NULL,
  -- Last audit: through what it went, and how it ended.
  audit_from bigint,
  audit_to bigint,
  audited_at timestamptz,
  audit_result text CHECK (audit_result IN ('passed', 'failed')),
  audit_difference text,
  written_at timestamptz NOT NULL,
  -- A final block of the indexed chain. Kept until there is a newer one.
  confirmed_number bigint,
  confirmed_hash text,
  PRIMARY KEY (schema_name, chain_id)
);`);

const CREATE = prepared("create_indexing_status", CREATE_SQL);

/**
 * Creates the table when it is missing. The indexing process calls this function. Replicas, which may be read-only,
 * rely on it.
 */
export async function createStatusTable(database: Database): Promise<void> {
  await database.query({ ...CREATE, values: [] });
}

/** A block of the chain, as in the row. Times are in seconds since 1970. */
const head = z.object({
  blockNumber: integerColumn,
  blockHash: bytes32Column,
  timestamp: integerColumn,
  askedAt: integerColumn,
});

const lastAudit: z.ZodType<LastAudit> = z.object({
  fromBlock: integerColumn,
  toBlock: integerColumn,
  finishedAt: integerColumn,
  result: z.enum(["passed", "failed"]),
  /** The first difference of a failed audit. */
  difference: z.string().nullable(),
});

const statusRow = z.object({
  schema: z.string(),
  chainId: z.int(),
  state: z.enum(INDEXING_STATES),
  stateSince: integerColumn,
  reason: z.string().nullable(),
  head: head.nullable(),
  indexed: z.object({ blockNumber: integerColumn, timestamp: integerColumn }).nullable(),
  finalNumber: integerColumn.nullable(),
  reorganizations: z.int(),
  audit: lastAudit.nullable(),
  writtenAt: integerColumn,
  /** Age by the clock of the database, which also set `writtenAt`. */
  ageSeconds: z.number(),
});

/** The row of a network, as it is read. */
export type StatusRow = z.output<typeof statusRow>;

/** What the writer knows. Block times are by the chain's clock, and all others by the writer's, except `writtenAt`. */
export type StatusRecord = Omit<StatusRow, "schema" | "chainId" | "writtenAt" | "ageSeconds"> & {
  readonly confirmed: ConfirmedBlock | null;
};

/** The key of a network's row: its database schema and chain. */
interface Place {
  readonly schema: string;
  readonly chainId: number;
}

const seconds = (column: string) => `floor(extract(epoch FROM ${column}))::bigint::text`;

const READ_SQL = `
SELECT coalesce(json_agg(json_build_object(
  'schema', schema_name,
  'chainId', chain_id,
  'state', state,
  'stateSince', ${seconds("state_since")},
  'reason', reason,
  'head', CASE WHEN head_number IS NOT NULL THEN json_build_object(
    'blockNumber', head_number::text, 'blockHash', head_hash,
    'timestamp', ${seconds("head_time")}, 'askedAt', ${seconds("head_asked_at")}
  ) END,
  'indexed', CASE WHEN indexed_number IS NOT NULL THEN json_build_object(
    'blockNumber', indexed_number::text, 'timestamp', ${seconds("indexed_time")}
  ) END,
  'finalNumber', final_number::text,
  'reorganizations', reorganizations,
  'audit', CASE WHEN audit_result IS NOT NULL THEN json_build_object(
    'fromBlock', audit_from::text, 'toBlock', audit_to::text, 'finishedAt', ${seconds("audited_at")},
    'result', audit_result, 'difference', audit_difference
  ) END,
  'writtenAt', ${seconds("written_at")},
  'ageSeconds', extract(epoch FROM clock_timestamp() - written_at)
)), '[]'::json) AS rows
FROM ${TABLE}
WHERE (schema_name, chain_id) IN (SELECT * FROM unnest($1::text[], $2::bigint[]))`;

const READ = prepared("api_indexing_status", READ_SQL);

const reading = z.object({ rows: z.array(statusRow) });

/** Reads the rows of networks, in the given order, with null for one that no indexer has written. */
export async function readStatusRows(database: Database, places: readonly Place[]): Promise<(StatusRow | null)[]> {
  const [row] = await database.query({
    ...READ,
    values: [places.map(({ schema }) => schema), places.map(({ chainId }) => chainId)],
  });
  const { rows } = reading.parse(row);
  return places.map(
    ({ schema, chainId }) => rows.find((found) => found.schema === schema && found.chainId === chainId) ?? null,
  );
}

/** The columns that the writer knows, and the SQL that makes the value of each from its parameter. */
const COLUMNS = {
  schema_name: plain,
  chain_id: plain,
  state: plain,
  state_since: time,
  reason: plain,
  head_number: plain,
  head_hash: plain,
  head_time: time,
  head_asked_at: time,
  indexed_number: plain,
  indexed_time: time,
  final_number: plain,
  reorganizations: plain,
  audit_from: plain,
  audit_to: plain,
  audited_at: time,
  audit_result: plain,
  audit_difference: plain,
  confirmed_number: plain,
  confirmed_hash: plain,
};

type Column = keyof typeof COLUMNS;

const COLUMN_NAMES = Object.keys(COLUMNS) as Column[];

function plain(parameter: string): string {
  return parameter;
}

function time(parameter: string): string {
  return `to_timestamp(${parameter}::bigint)`;
}

/** The value of a column when a row replaces another one. Without a newer confirmed block, the previous one is kept. */
function replacement(column: Column): string {
  const isKept = column === "confirmed_number" || column === "confirmed_hash";
  return isKept ? `coalesce(excluded.${column}, indexing_status.${column})` : `excluded.${column}`;
}

const WRITE_SQL = `
INSERT INTO ${TABLE} (${COLUMN_NAMES.join(", ")}, written_at)
VALUES (${COLUMN_NAMES.map((column, at) => COLUMNS[column](`$${at + 1}`)).join(", ")}, clock_timestamp())
ON CONFLICT (schema_name, chain_id) DO UPDATE SET
  ${COLUMN_NAMES.map((column) => `${column} = ${replacement(column)}`).join(", ")}, written_at = excluded.written_at`;

const WRITE = prepared("write_indexing_status", WRITE_SQL);

/** Writes the row of a network, replacing the previous one. */
export async function writeStatusRow(
  database: Database,
  { schema, chainId }: Place,
  { state, stateSince, reason, head, indexed, finalNumber, reorganizations, audit, confirmed }: StatusRecord,
): Promise<void> {
  const values: Record<Column, bigint | number | string | null | undefined> = {
    schema_name: schema,
    chain_id: chainId,
    state,
    state_since: stateSince,
    reason,
    head_number: head?.blockNumber,
    head_hash: head?.blockHash,
    head_time: head?.timestamp,
    head_asked_at: head?.askedAt,
    indexed_number: indexed?.blockNumber,
    indexed_time: indexed?.timestamp,
    final_number: finalNumber,
    reorganizations,
    audit_from: audit?.fromBlock,
    audit_to: audit?.toBlock,
    audited_at: audit?.finishedAt,
    audit_result: audit?.result,
    audit_difference: audit?.difference,
    confirmed_number: confirmed?.number,
    confirmed_hash: confirmed?.hash,
  };
  await database.query({ ...WRITE, values: COLUMN_NAMES.map((column) => parameterOf(values[column])) });
}

function parameterOf(value: bigint | number | string | null | undefined) {
  return typeof value === "bigint" ? value.toString() : (value ?? null);
}

const READ_CONFIRMED = prepared(
  "read_confirmed_block",
  `
SELECT confirmed_number::text AS number, confirmed_hash AS hash
FROM ${TABLE}
WHERE schema_name = $1 AND chain_id = $2 AND confirmed_hash IS NOT NULL`,
);

const confirmedRow = z.object({ number: integerColumn, hash: bytes32Column });

/** Reads a final block that an earlier run of the indexer has recorded, or null if none has. */
export async function readConfirmedBlock(database: Database, { schema, chainId }: Place) {
  const [row] = await database.query({ ...READ_CONFIRMED, values: [schema, chainId] });
  return row === undefined ? null : confirmedRow.parse(row);
}

const READ_FETCHED = prepared(
  "read_fetched_block",
  `
SELECT confirmed_number::text AS number, confirmed_hash AS hash
FROM ${TABLE} AS status
WHERE chain_id = $2 AND confirmed_hash IS NOT NULL
  AND EXISTS (
    SELECT FROM ponder_sync.intervals
    WHERE intervals.chain_id = status.chain_id AND blocks @> numrange(confirmed_number, confirmed_number + 1, '[]')
  )
  AND confirmed_number >= coalesce(
    (SELECT own.confirmed_number FROM ${TABLE} AS own WHERE own.schema_name = $1 AND own.chain_id = $2), 0
  )
ORDER BY confirmed_number DESC, schema_name = $1 DESC
LIMIT 1`,
);

/**
 * Reads the newest final block that an index of any schema has recorded, and that Ponder will not fetch again because its
 * raw data covers it. Null if there is none. A record of another chain stays when the raw data is emptied: it no longer
 * counts then, nor when the given index has come as far itself.
 */
export async function readFetchedBlock(database: Database, { schema, chainId }: Place) {
  const [row] = await database.query({ ...READ_FETCHED, values: [schema, chainId] });
  return row === undefined ? null : confirmedRow.parse(row);
}

const WRITE_FORK = prepared(
  "write_fork",
  `
UPDATE ${TABLE} SET state = 'forked', state_since = clock_timestamp(), reason = $3, written_at = clock_timestamp()
WHERE schema_name = $1 AND chain_id = $2 AND state NOT IN ('damaged', 'forked')`,
);

/** Marks a network as forked whose indexer does not start. A worse state is kept. */
export async function writeFork(database: Database, { schema, chainId }: Place, reason: string): Promise<void> {
  await database.query({ ...WRITE_FORK, values: [schema, chainId, reason] });
}
