/** Finds the first block of the history at or after a time. */
import { z } from "@hono/zod-openapi";
import { escapeIdentifier } from "pg";
import { integerColumn } from "../shared/columns.ts";
import { type Database, prepared } from "../shared/database.ts";
import type { ApiNetwork } from "../shared/networks.ts";
import { networkState, stateSql } from "../shared/state.ts";

const boundRow = z.object({ state: networkState, block: integerColumn });

/**
 * Makes the function that returns the block that separates transactions before a second, in blocks below it, from
 * those at or after that second. Only blocks below `end` are searched; if all their transactions are before the second,
 * the answer is `end`. It comes with the state of the network, in one snapshot.
 *
 * Timestamps never decrease from block to block, and no key begins with them, so the search halves the range of block
 * numbers: about 25 look-ups by primary key on mainnet, whatever the number of rows.
 */
export function firstBlockFinder(database: Database, network: ApiNetwork) {
  const statement = prepared(`api_first_block_${network.name}`, firstBlockSql(network));
  return async (second: bigint, end: bigint) => {
    const [row] = await database.query({ ...statement, values: [second.toString(), end.toString()] });
    return boundRow.parse(row);
  };
}

/** Transactions below `low` are before the second, `$1`, and those from `high` to the end, `$2`, are not. */
function firstBlockSql(network: ApiNetwork): string {
  const { schema, chainId } = network;
  return `
WITH RECURSIVE search (low, high) AS (
  SELECT 0::bigint, $2::bigint
  UNION ALL
  SELECT
    CASE WHEN found.timestamp < $1::bigint THEN found.block_number + 1::bigint ELSE low END,
    CASE WHEN found.timestamp < $1::bigint THEN high ELSE middle END
  FROM search
  CROSS JOIN LATERAL (SELECT (low + high) / 2) AS half (middle)
  LEFT JOIN LATERAL (
    SELECT block_number, timestamp
    FROM ${escapeIdentifier(schema)}.transaction
    WHERE chain_id = ${chainId} AND block_number >= middle AND block_number < high
    ORDER BY block_number, transaction_index
    LIMIT 1
  ) AS found ON true
  WHERE low < high
)
SELECT ${stateSql(network)} AS state, (SELECT max(low)::text FROM search) AS block`;
}
