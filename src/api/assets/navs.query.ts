/** Posted NAVs of an RWA, and changes of its price adapter. */
import { z } from "@hono/zod-openapi";
import { escapeIdentifier } from "pg";
import { addressColumn, bytes32Column, digitsColumn, integerColumn } from "../shared/columns.ts";
import { type Database, prepared } from "../shared/database.ts";
import type { ApiNetwork } from "../shared/networks.ts";
import { networkState, stateSql } from "../shared/state.ts";
import type { TimeRange } from "../shared/time.ts";

const navChange = z.object({
  kind: z.enum(["post", "adapter"]),
  /** Seconds since 1970, like `navPostedAt`. */
  at: integerColumn,
  blockNumber: digitsColumn,
  logIndex: digitsColumn,
  transactionHash: bytes32Column,
  priceAdapter: addressColumn.nullable(),
  navWad: digitsColumn.nullable(),
  navPostedAt: integerColumn.nullable(),
  poster: addressColumn.nullable(),
});

/** A post of the adapter in force, or a change of the adapter with its newest post. */
export type IndexedNavChange = z.output<typeof navChange>;

const navsRow = z.object({
  state: networkState,
  before: navChange.nullable(),
  /** Newest first. */
  changes: z.array(navChange),
});

/**
 * Makes the reader of the newest changes in a range, at most `limit`, and of the newest change before the range. A post
 * counts only while its adapter is the adapter of the RWA.
 */
export function navsReader(database: Database, network: ApiNetwork) {
  const statement = prepared(`api_navs_${network.name}`, navsSql(network));
  return async (rwaId: string, { from, to }: TimeRange, limit: number) => {
    const [row] = await database.query({ ...statement, values: [rwaId, from.toString(), to.toString(), limit] });
    return navsRow.parse(row);
  };
}

const PLACE = "second, block_number, log_index";
const NEWEST_FIRST = "second DESC, block_number DESC, log_index DESC";
const COLUMNS = `kind, ${PLACE}, transaction_hash, adapter_address, nav_wad, nav_second, poster`;
const CHANGE_JSON = `json_build_object(
      'kind', kind, 'at', second::text, 'blockNumber', block_number::text, 'logIndex', log_index::text,
      'transactionHash', transaction_hash, 'priceAdapter', adapter_address,
      'navWad', nav_wad::text, 'navPostedAt', nav_second::text, 'poster', poster
    )`;

/**
 * The statement for the changes of RWA `$1` from second `$2` to before `$3`, at most `$4`, and for the change before
 * them.
 */
function navsSql({ schema, chainId, ...network }: ApiNetwork): string {
  const tables = escapeIdentifier(schema);
  const place = (alias: string) => `(${alias}.second, ${alias}.block_number, ${alias}.log_index)`;
  /** Changes in a period, newest first. Only the newest posts of each adapter are read. */
  const changes = (condition: (column: string) => string, limit: string) => `
  SELECT ${COLUMNS} FROM (
    SELECT
      'adapter' AS kind, term.second, term.block_number, term.log_index, term.transaction_hash, term.adapter_address,
      last.nav_wad, last.second AS nav_second, last.poster
    FROM term
    LEFT JOIN LATERAL (
      SELECT post.nav_wad, post.second, post.poster
      FROM ${tables}.nav_post AS post
      WHERE post.chain_id = ${chainId} AND post.adapter_address = term.adapter_address AND ${place("post")} < ${place("term")}
      ORDER BY post.second DESC, post.block_number DESC, post.log_index DESC
      LIMIT 1
    ) AS last ON true
    WHERE ${condition("term.second")}
    UNION ALL
    SELECT
      'post', own.second, own.block_number, own.log_index, own.transaction_hash, term.adapter_address,
      own.nav_wad, own.second, own.poster
    FROM term
    CROSS JOIN LATERAL (
      SELECT post.*
      FROM ${tables}.nav_post AS post
      WHERE post.chain_id = ${chainId} AND post.adapter_address = term.adapter_address
        AND ${place("post")} > ${place("term")}
        AND ${place("post")} < (term.next_second, term.next_block, term.next_log)
        AND ${condition("post.second")}
      ORDER BY post.second DESC, post.block_number DESC, post.log_index DESC
      LIMIT ${limit}
    ) AS own
  ) AS change
  ORDER BY ${NEWEST_FIRST}
  LIMIT ${limit}`;
  return `
WITH term AS MATERIALIZED (
  SELECT
    ${PLACE}, transaction_hash, adapter_address,
    lead(second, 1, 9223372036854775807) OVER terms AS next_second,
    lead(block_number, 1, 2147483647) OVER terms AS next_block,
    lead(log_index, 1, 2147483647) OVER terms AS next_log
  FROM ${tables}.price_adapter_change
  WHERE chain_id = ${chainId} AND rwa_id = $1::text
  WINDOW terms AS (ORDER BY ${PLACE})
)
SELECT
  ${stateSql({ schema, chainId, ...network })} AS state,
  (SELECT ${CHANGE_JSON} FROM (${changes((second) => `${second} < $2::bigint`, "1")}) AS newest) AS before,
  coalesce((
    SELECT json_agg(${CHANGE_JSON} ORDER BY ${NEWEST_FIRST})
    FROM (${changes((second) => `${second} >= $2::bigint AND ${second} < $3::bigint`, "$4::integer")}) AS shown
  ), '[]'::json) AS changes`;
}
