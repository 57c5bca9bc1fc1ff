/** RWAs that want a price. */
import { z } from "@hono/zod-openapi";
import { type Database, quoteIdentifier } from "../database.ts";
import type { ApiNetwork } from "../networks.ts";
import { addressColumn, bytes32Column } from "./columns.ts";

const reading = z.object({
  isBackfilling: z.boolean(),
  wanted: z.array(
    z.object({
      rwaId: bytes32Column,
      priceAdapter: addressColumn,
    }),
  ),
});

/** RWAs that want a price, and whether there may be more soon. */
export type WantedPrices = z.output<typeof reading>;

/** Every RWA ever registered that has a price adapter now, and whether the backfill may still add some. */
export async function readWantedPrices(
  database: Database,
  { schema, name, chainId }: ApiNetwork,
): Promise<WantedPrices> {
  const tables = quoteIdentifier(schema);
  const [row] = await database.query({
    name: `api_wanted_prices_${name}`,
    text: `
SELECT
  NOT coalesce((SELECT (value->>'is_ready')::integer = 1 FROM ${tables}._ponder_meta), false) AS "isBackfilling",
  coalesce((
    SELECT json_agg(json_build_object('rwaId', rwa_id, 'priceAdapter', price_adapter) ORDER BY rwa_id)
    FROM ${tables}.rwa
    WHERE chain_id = ${chainId} AND token_address IS NOT NULL AND price_adapter IS NOT NULL
  ), '[]'::json) AS wanted`,
    values: [],
  });
  return reading.parse(row);
}
