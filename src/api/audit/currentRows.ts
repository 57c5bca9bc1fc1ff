/** Reads rows of the tables with the values in force. */
import { z } from "@hono/zod-openapi";
import { escapeIdentifier } from "pg";
import { type Database, prepared } from "../shared/database.ts";
import type { ApiNetwork } from "../shared/networks.ts";
import { finalNumberOf } from "../shared/state.ts";
import { CURRENT_TABLE_NAMES, type CurrentTableName, currentTable, gainOf, type NamedRow } from "./currentTables.ts";

/**
 * Ponder records each change of a row in `_reorg__<table>`, under the checkpoint of its block, until that block is
 * final. A change that another process makes gets this checkpoint. The indexer's own changes carry it only inside their
 * open transaction.
 */
const NOT_OF_A_BLOCK = "9".repeat(75);

const columns = z.record(z.string(), z.string().nullable());

const currentRow = z.object({
  table: z.enum(CURRENT_TABLE_NAMES),
  key: z.array(z.string()),
  columns,
  /** Whether a block that is not final changed the row. */
  isChanged: z.boolean(),
});

const reading = z.object({ safeCheckpoint: z.string().nullable(), rows: z.array(currentRow) });

/** A row. Unless `isChanged` is set, it has the values of the newest final block. */
export type CurrentRow = z.output<typeof currentRow>;

/** The rows that answers show, in one snapshot. */
interface CurrentRows {
  readonly rows: readonly CurrentRow[];
  /** Newest block whose rows are final, or null while there is none. */
  readonly finalNumber: bigint | null;
}

/**
 * Makes the reader of all rows that answers show and views can confirm. Accounts with credits are not among them,
 * because the contracts keep no list of them.
 */
export function currentRowsReader(database: Database, network: ApiNetwork): () => Promise<CurrentRows> {
  const statement = prepared(`audit_current_${network.name}`, currentSql(network));
  return async () => {
    const [row] = await database.query({ ...statement, values: [] });
    const { safeCheckpoint, rows } = reading.parse(row);
    return { rows, finalNumber: finalNumberOf(network, safeCheckpoint) };
  };
}

const namedReading = z.object({
  found: z.array(
    z.object({ table: z.enum(CURRENT_TABLE_NAMES), key: z.array(z.string()), columns: columns.nullable() }),
  ),
});

/** A row that events name, as the index has it. */
export type FoundRow = z.output<typeof namedReading>["found"][number];

/**
 * Makes the reader of rows by key. A row that does not exist has null for its columns. Rows of contracts that are not
 * registered as delegates are omitted.
 */
export function namedRowsReader(
  database: Database,
  network: ApiNetwork,
): (named: readonly NamedRow[]) => Promise<readonly FoundRow[]> {
  const statement = prepared(`audit_named_${network.name}`, namedSql(network));
  return async (named) => {
    if (named.length === 0) return [];
    const keys = named.map(({ table, key }) => ({
      table,
      ...Object.fromEntries(key.map((part, at) => [`k${at}`, part])),
    }));
    const [row] = await database.query({ ...statement, values: [JSON.stringify(keys)] });
    return namedReading.parse(row).found;
  };
}

function columnsJson(name: CurrentTableName, more: readonly string[] = []): string {
  const columns = currentTable(name).columns.map((column) => `'${column}', entry."${column}"::text`);
  return `json_build_object(${[...columns, ...more].join(", ")})`;
}

/** SQL query for the delegates of registered stablecoins. */
export function registeredDelegatesSql({ schema, chainId }: ApiNetwork): string {
  return `SELECT delegate_address FROM ${escapeIdentifier(schema)}.stablecoin
    WHERE chain_id = ${chainId} AND token_address IS NOT NULL AND delegate_address IS NOT NULL`;
}

function currentSql(network: ApiNetwork): string {
  const { schema, chainId, name: chain } = network;
  const tables = escapeIdentifier(schema);
  const select = (name: CurrentTableName) => {
    const { key, isOfDelegate } = currentTable(name);
    const sameKey = ["chain_id", ...key].map((column) => `change."${column}" = entry."${column}"`).join(" AND ");
    return `
SELECT '${name}' AS "table",
  json_build_array(${key.map((column) => `entry."${column}"::text`).join(", ")}) AS key,
  ${columnsJson(name)} AS columns,
  EXISTS (
    SELECT FROM ${tables}._reorg__${name} AS change, safe
    WHERE change.checkpoint > safe.checkpoint AND change.checkpoint <> '${NOT_OF_A_BLOCK}' AND ${sameKey}
  ) AS "isChanged"
FROM ${tables}.${name} AS entry
WHERE entry.chain_id = ${chainId}
  ${isOfDelegate ? `AND entry.delegate_address IN (${registeredDelegatesSql(network)})` : ""}`;
  };
  return `
WITH safe AS MATERIALIZED (
  SELECT safe_checkpoint AS checkpoint FROM ${tables}._ponder_checkpoint WHERE chain_name = '${chain}'
)
SELECT
  (SELECT checkpoint FROM safe) AS "safeCheckpoint",
  coalesce((SELECT json_agg(found) FROM (
    ${CURRENT_TABLE_NAMES.filter((name) => !currentTable(name).isList)
      .map(select)
      .join("\nUNION ALL\n")}
  ) AS found), '[]'::json) AS rows`;
}

/** SQL join of the account's entry before `entry`; of its newest entry if `entry` is the account itself. */
function entryBeforeSql({ schema, chainId }: ApiNetwork, name: CurrentTableName): string {
  const place = (alias: string) => `(${alias}.second, ${alias}.block_number, ${alias}.log_index)`;
  return `LEFT JOIN LATERAL (
  SELECT * FROM ${escapeIdentifier(schema)}.credit_entry AS earlier
  WHERE earlier.chain_id = ${chainId}
    AND earlier.delegate_address = entry.delegate_address AND earlier.account = entry.account
    ${name === "credit_entry" ? `AND ${place("earlier")} < ${place("entry")}` : ""}
  ORDER BY earlier.second DESC, earlier.block_number DESC, earlier.log_index DESC
  LIMIT 1
) AS before ON true`;
}

/**
 * SQL of rows by key. The key gets the types of its columns, so that each row is one look-up of the primary key: any
 * contract can emit thousands of the events in one block.
 */
function namedSql(network: ApiNetwork): string {
  const { schema, chainId } = network;
  const select = (name: CurrentTableName) => {
    const { key, totals = [], isOfDelegate } = currentTable(name);
    const row = `${escapeIdentifier(schema)}.${name}`;
    const keyParts = key.map((column, at) => `'${column}', named.k${at}`).join(", ");
    const sameKey = key.map((column) => `AND entry."${column}" = wanted."${column}"`).join(" ");
    const gains = totals.map(
      (total) => `'${gainOf(total)}', trunc(entry.${total} - coalesce(before.${total}, 0))::text`,
    );
    return `
SELECT named."table",
  json_build_array(${key.map((_column, at) => `named.k${at}`).join(", ")}) AS key,
  CASE WHEN entry.chain_id IS NOT NULL THEN ${columnsJson(name, gains)} END AS columns
FROM named
CROSS JOIN LATERAL json_populate_record(NULL::${row}, json_build_object(${keyParts})) AS wanted
LEFT JOIN ${row} AS entry ON entry.chain_id = ${chainId} ${sameKey}
${totals.length > 0 ? entryBeforeSql(network, name) : ""}
WHERE named."table" = '${name}'
  ${isOfDelegate ? `AND named.k0 IN (${registeredDelegatesSql(network)})` : ""}`;
  };
  return `
WITH named AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::json) AS named("table" text, k0 text, k1 text, k2 text, k3 text, k4 text)
)
SELECT coalesce((SELECT json_agg(found) FROM (
  ${CURRENT_TABLE_NAMES.map(select).join("\nUNION ALL\n")}
) AS found), '[]'::json) AS found`;
}
