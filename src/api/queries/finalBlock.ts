/** The newest block with rows that no reorganization can roll back. */
import { z } from "@hono/zod-openapi";
import { type Database, quoteIdentifier } from "../database.ts";
import type { ApiNetwork } from "../networks.ts";
import { integerColumn } from "./columns.ts";
import { coverageOf, readState } from "./state.ts";

const blockRow = z.object({ blockNumber: integerColumn, blockHash: z.string() });

/** A block as it was indexed. */
export type IndexedBlock = z.output<typeof blockRow>;

/**
 * The block of the newest final transaction; null while there is none. Final rows stay as they are, so the two
 * statements see the same.
 */
export async function readNewestFinalBlock(database: Database, network: ApiNetwork): Promise<IndexedBlock | null> {
  const { historicalBackfill } = coverageOf(network, await readState(database, network));
  if (historicalBackfill.indexedThroughBlock === null) return null;
  const [row] = await database.query({
    name: `api_final_block_${network.name}`,
    text: `
SELECT block_number::text AS "blockNumber", block_hash AS "blockHash"
FROM ${quoteIdentifier(network.schema)}.transaction
WHERE chain_id = ${network.chainId} AND block_number <= $1::bigint
ORDER BY block_number DESC, transaction_index DESC
LIMIT 1`,
    values: [historicalBackfill.indexedThroughBlock],
  });
  return row === undefined ? null : blockRow.parse(row);
}
