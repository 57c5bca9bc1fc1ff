/** Reads the rows of a block from the index, in the form of `expectedRows`, and the newest final block. */
import { z } from "@hono/zod-openapi";
import { escapeIdentifier } from "pg";
import { classesMatching } from "../../indexing/filterClass.ts";
import { type Database, prepared } from "../shared/database.ts";
import type { ApiNetwork } from "../shared/networks.ts";
import { finalNumberOf } from "../shared/state.ts";
import { registeredDelegatesSql } from "./currentRows.ts";
import { type CurrentTableName, currentTable } from "./currentTables.ts";
import type { ExpectedRows, Rows } from "./expected.ts";

/** Columns except the key, as text. Amounts are compared as digits. */
const COLUMNS = {
  transaction: [
    ...["hash", "block_hash", "timestamp", "sender", "recipient", "nonce", "value", "selector", "outcome", "gas_used"],
    ...["effective_gas_price", "direct_call", "filter_class", "wallets"],
  ],
  swap: [
    ...["contract", "user", "operator", "receiver", "route_id", "asset_in_id", "asset_out_id"],
    ...["stablecoin_delegate_id", "lp_address", "amount_in", "amount_out", "issuer_fee", "spread_fee", "lp_fee"],
  ],
  allowlist_change: ["contract", "action", "wallet"],
} as const;

/** One index scan for each class, because no other key finds the rows of a block. */
const EVERY_CLASS = classesMatching({});

const storedRow = z.object({ key: z.string(), columns: z.record(z.string(), z.string().nullable()) });
const reading = z.object({
  safeCheckpoint: z.string().nullable(),
  rows: z.array(storedRow),
  listedRows: z.array(z.string()),
});

/** The rows of a block in the index, in one snapshot. */
interface StoredBlock {
  readonly rows: Rows;
  /**
   * Names of the block's changes of price adapters, of the NAVs that these adapters posted in it, and of the credit
   * entries of registered delegates.
   */
  readonly listedRows: readonly string[];
  /** Newest block whose rows are final, or null while there is none. */
  readonly finalNumber: bigint | null;
}

/** Makes the reader of a block's rows and of its expected rows in the index. */
export function storedBlockReader(database: Database, network: ApiNetwork) {
  const statement = prepared(`audit_block_${network.name}`, blockSql(network));
  return async (
    blockNumber: bigint,
    { hashes, wallets }: Pick<ExpectedRows, "hashes" | "wallets">,
  ): Promise<StoredBlock> => {
    const [row] = await database.query({
      ...statement,
      values: [blockNumber.toString(), hashes, wallets, EVERY_CLASS],
    });
    const { safeCheckpoint, rows, listedRows } = reading.parse(row);
    return {
      rows: new Map(
        rows.map(({ key, columns }) => [key, key.startsWith("transaction ") ? sortWallets(columns) : columns]),
      ),
      listedRows,
      finalNumber: finalNumberOf(network, safeCheckpoint),
    };
  };
}

/** The order of wallets has no meaning. */
function sortWallets(columns: z.output<typeof storedRow>["columns"]) {
  return { ...columns, wallets: columns.wallets?.split(",").sort().join(",") ?? null };
}

function blockSql(network: ApiNetwork): string {
  const { schema, name, chainId } = network;
  const tables = escapeIdentifier(schema);
  const place = "block_number || '/' || transaction_index";
  const select = (table: string, key: string, columns: readonly string[], condition: string) => `
SELECT '${table} ' || ${key} AS key,
  json_build_object(${columns.map((column) => `'${column}', "${column}"::text`).join(", ")}) AS columns
FROM ${tables}.${table}
WHERE chain_id = ${chainId} AND ${condition}`;
  const ofBlock = "block_number = $1::integer";
  const selectName = (name: CurrentTableName) => `
SELECT '${name} ' || concat_ws('/', ${currentTable(name).key.join(", ")}) AS name
FROM ${tables}.${name}
WHERE chain_id = ${chainId} AND ${ofBlock}`;
  return `
SELECT
  (SELECT safe_checkpoint FROM ${tables}._ponder_checkpoint WHERE chain_name = '${name}') AS "safeCheckpoint",
  coalesce((SELECT json_agg(found) FROM (
    ${[
      select("transaction", place, COLUMNS.transaction, ofBlock),
      select("swap", `${place} || '/' || log_index`, COLUMNS.swap, ofBlock),
      select("allowlist_change", `${place} || '/' || log_index`, COLUMNS.allowlist_change, ofBlock),
      `
SELECT 'transaction_by_hash ' || hash AS key, json_build_object('place', ${place}) AS columns
FROM ${tables}.transaction_by_hash
WHERE chain_id = ${chainId} AND hash = ANY($2::text[])`,
      select(
        "transaction_by_filter",
        `coalesce(nullif(wallet, ''), 'any') || ' ' || filter_class || ' ' || ${place}`,
        [],
        `wallet = ANY($3::text[]) AND filter_class = ANY($4::integer[]) AND ${ofBlock}`,
      ),
    ].join("\nUNION ALL\n")}
  ) AS found), '[]'::json) AS rows,
  coalesce((SELECT json_agg(name) FROM (
    ${selectName("price_adapter_change")}
    UNION ALL
    ${selectName("nav_post")} AND adapter_address IN (
      SELECT adapter_address FROM ${tables}.price_adapter_change WHERE chain_id = ${chainId}
    )
    UNION ALL
    -- No key finds these by block, so the table is scanned.
    ${selectName("credit_entry")} AND delegate_address IN (${registeredDelegatesSql(network)})
  ) AS named), '[]'::json) AS "listedRows"`;
}
