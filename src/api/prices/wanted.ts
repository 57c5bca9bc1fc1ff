/** RWAs that need a price. */
import { z } from "@hono/zod-openapi";
import { escapeIdentifier } from "pg";
import { addressColumn, bytes32Column, integerColumn } from "../shared/columns.ts";
import { type Database, prepared } from "../shared/database.ts";
import type { ApiNetwork } from "../shared/networks.ts";

const reading = z.object({
  isBackfilling: z.boolean(),
  newestBlock: z.object({ number: integerColumn, hash: bytes32Column }).nullable(),
  wanted: z.array(
    z.object({
      rwaId: bytes32Column,
      priceAdapter: addressColumn,
    }),
  ),
});

/** RWAs that need a price, whether there may soon be more, and the block of the newest indexed event. */
export type WantedPrices = z.output<typeof reading>;

/** A block of the indexed chain. */
export type IndexedBlock = NonNullable<WantedPrices["newestBlock"]>;

/** Makes the reader of every registered RWA that has a price adapter now, and of how far the index is. */
export function wantedPricesReader(database: Database, { schema, name, chainId }: ApiNetwork) {
  const tables = escapeIdentifier(schema);
  const statement = prepared(
    `api_wanted_prices_${name}`,
    `
SELECT
  NOT coalesce((SELECT (value->>'is_ready')::integer = 1 FROM ${tables}._ponder_meta), false) AS "isBackfilling",
  (
    SELECT json_build_object('number', block_number::text, 'hash', block_hash)
    FROM ${tables}.chain_state WHERE chain_id = ${chainId}
  ) AS "newestBlock",
  coalesce((
    SELECT json_agg(json_build_object('rwaId', rwa_id, 'priceAdapter', price_adapter) ORDER BY rwa_id)
    FROM ${tables}.rwa
    WHERE chain_id = ${chainId} AND token_address IS NOT NULL AND price_adapter IS NOT NULL
  ), '[]'::json) AS wanted`,
  );
  return async (): Promise<WantedPrices> => {
    const [row] = await database.query({ ...statement, values: [] });
    return reading.parse(row);
  };
}
