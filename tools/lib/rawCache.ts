/** Removes a range of blocks from Ponder's cache of raw chain data, so that an index of it is fetched again. */
import type { Pool } from "pg";

/** Tables of the cache with rows of blocks, and the column with the block number. */
const ROWS: Readonly<Record<string, string>> = {
  blocks: "number",
  transactions: "block_number",
  transaction_receipts: "block_number",
  logs: "block_number",
  traces: "block_number",
  rpc_request_results: "block_number",
};

/**
 * Removes the rows of a range of blocks, both ends inclusive, and the mark that they are cached, in one transaction.
 *
 * For each kind of data, Ponder stores the blocks that it has as ranges of numbers. A range of the blocks `a` to `b` is
 * written `[a, b + 1]`, so that neighbors touch and merge. Removing the blocks `from` to `to` from a range leaves `[a,
 * from]` and `[to + 1, b + 1]`: the difference with the open range between `from` and `to + 1`. A remaining range of a
 * single number contains no block.
 * @returns number of rows removed
 */
export async function dropCachedRange(
  pool: Pool,
  chainId: number,
  fromBlock: bigint,
  toBlock: bigint,
): Promise<number> {
  const client = await pool.connect();
  const range = [chainId, fromBlock.toString(), toBlock.toString()];
  let removed = 0;
  try {
    await client.query("BEGIN");
    for (const [table, column] of Object.entries(ROWS)) {
      const { rowCount } = await client.query(
        `DELETE FROM ponder_sync.${table} WHERE chain_id = $1 AND ${column} BETWEEN $2::bigint AND $3::bigint`,
        range,
      );
      removed += rowCount ?? 0;
    }
    // Names and symbols of tokens, which are read once and kept without a block.
    await client.query("DELETE FROM ponder_sync.rpc_request_results WHERE chain_id = $1 AND block_number IS NULL", [
      chainId,
    ]);
    await client.query(
      `UPDATE ponder_sync.intervals SET blocks = (
        SELECT coalesce(range_agg(rest), '{}') FROM unnest(
          blocks - nummultirange(numrange($2::numeric, $3::numeric + 1, '()'))
        ) AS rest WHERE upper(rest) > lower(rest)
      ) WHERE chain_id = $1`,
      range,
    );
    await client.query("DELETE FROM ponder_sync.intervals WHERE chain_id = $1 AND isempty(blocks)", [chainId]);
    await client.query("COMMIT");
  } catch (error) {
    // If the connection is broken, the server takes the changes back by itself.
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
  return removed;
}
