/** The newest block with rows that no reorganization can roll back. */
import { z } from "@hono/zod-openapi";
import { escapeIdentifier } from "pg";
import { integerColumn } from "../shared/columns.ts";
import { type Database, prepared } from "../shared/database.ts";
import type { ApiNetwork } from "../shared/networks.ts";
import { finalNumberOf, stateReader } from "../shared/state.ts";

const blockRow = z.object({ blockNumber: integerColumn, blockHash: z.string() });

/** A block as it was indexed. */
type IndexedBlock = z.output<typeof blockRow>;

interface FinalBlock {
  /** The ID of the index. */
  readonly indexId: string;
  /** Null while there is no final transaction. */
  readonly block: IndexedBlock | null;
}

/**
 * Makes the reader of the block of the newest final transaction. Final rows of an index never change, so its two
 * statements see the same state, unless the index is replaced in between: then the next reading names the other index.
 */
export function finalBlockReader(database: Database, network: ApiNetwork): () => Promise<FinalBlock> {
  const readState = stateReader(database, network);
  const statement = prepared(
    `api_final_block_${network.name}`,
    `
SELECT block_number::text AS "blockNumber", block_hash AS "blockHash"
FROM ${escapeIdentifier(network.schema)}.transaction
WHERE chain_id = ${network.chainId} AND block_number <= $1::bigint
ORDER BY block_number DESC, transaction_index DESC
LIMIT 1`,
  );
  return async () => {
    const { index, safeCheckpoint } = await readState();
    const final = finalNumberOf(network, safeCheckpoint);
    if (final === null) return { indexId: index.id, block: null };
    const [row] = await database.query({ ...statement, values: [final.toString()] });
    return { indexId: index.id, block: row === undefined ? null : blockRow.parse(row) };
  };
}
