/** The cached adapter prices: their table, the SQL to read them, and their format in answers. */
import { z } from "@hono/zod-openapi";
import { escapeIdentifier } from "pg";
import { integerColumn } from "./columns.ts";
import { type Database, prepared } from "./database.ts";
import { address, blockReference, bytes32, integerText, time } from "./fields.ts";
import type { ApiNetwork } from "./networks.ts";
import { networkState, stateSql } from "./state.ts";
import { formatTime } from "./time.ts";

/** The table, in a schema that Ponder does not own, so that it survives a re-index. */
export const PRICE_TABLE = "core_offchain.rwa_price";

/**
 * Selects the cached price of each RWA of the network: that of its current adapter if it was read at the block of the
 * last change of the adapter or later, and otherwise the newest one. So a price from before the RWA had another adapter
 * does not replace a newer one. An RWA without an adapter has no price. Indexes of another deployment may share the
 * table, and RWAs of both can have the same ID; their adapters do not count.
 */
export function pricesSql({ schema, chainId }: ApiNetwork): string {
  const tables = escapeIdentifier(schema);
  return `
  SELECT DISTINCT ON (price.rwa_id) price.*
  FROM ${PRICE_TABLE} AS price
  JOIN ${tables}.rwa AS asset ON asset.chain_id = ${chainId} AND asset.rwa_id = price.rwa_id
  WHERE price.chain_id = ${chainId} AND asset.price_adapter IS NOT NULL AND (
    price.price_adapter = asset.price_adapter OR EXISTS (
      SELECT FROM ${tables}.price_adapter_change AS change
      WHERE change.chain_id = ${chainId} AND change.rwa_id = price.rwa_id
        AND change.adapter_address = price.price_adapter
    )
  )
  ORDER BY price.rwa_id, (
    price.price_adapter = asset.price_adapter AND price.block_number >= coalesce((
      SELECT max(change.block_number) FROM ${tables}.price_adapter_change AS change
      WHERE change.chain_id = ${chainId} AND change.rwa_id = price.rwa_id
    ), 0)
  ) DESC, price.fetched_at DESC
`;
}

/**
 * SQL expression, for a statement with a CTE `price`, that changes with any of the prices. Empty when there is none.
 */
const PRICE_VERSION_SQL = `
    SELECT coalesce(md5(string_agg(
      concat_ws(' ', rwa_id, price_adapter, price_usd_wad, fetched_at, block_number, block_hash), ',' ORDER BY rwa_id
    )), '')
    FROM price
  `;

/** The state on which answers with prices depend. */
export const pricedState = z.object({ state: networkState, priceVersion: z.string() });

/** The columns of `pricedState`, for a statement with a CTE `price`. */
export function pricedStateSql(network: ApiNetwork): string {
  return `${stateSql(network)} AS state,
  (${PRICE_VERSION_SQL}) AS "priceVersion"`;
}

/** Makes the reader of the state on which answers with prices depend. */
export function pricedStateReader(database: Database, network: ApiNetwork) {
  const statement = prepared(
    `api_priced_state_${network.name}`,
    `
WITH price AS MATERIALIZED (${pricesSql(network)})
SELECT ${pricedStateSql(network)}`,
  );
  return async () => {
    const [row] = await database.query({ ...statement, values: [] });
    return pricedState.parse(row);
  };
}

/** The rows of a CTE `price`, as one JSON value. */
export const PRICE_ROWS_SQL = `
    SELECT coalesce(json_agg(json_build_object(
      'assetId', rwa_id, 'priceAdapter', price_adapter, 'priceUsdWad', price_usd_wad::text,
      'fetchedAt', fetched_at::text,
      'observation', json_build_object('blockNumber', block_number::text, 'blockHash', block_hash)
    ) ORDER BY rwa_id), '[]'::json)
    FROM price
  `;

/** The result of `PRICE_ROWS_SQL`. `fetchedAt` is in seconds since 1970. */
export const cachedPriceRows = z.array(
  z.object({
    assetId: z.string(),
    priceAdapter: z.string(),
    priceUsdWad: integerColumn,
    fetchedAt: integerColumn,
    observation: z.object({ blockNumber: z.string(), blockHash: z.string() }),
  }),
);

/** A cached price of a network. */
export type CachedPrice = z.output<typeof cachedPriceRows>[number];

/** A cached price in an answer. */
export const cachedPrice = z
  .strictObject({
    assetId: bytes32("ID of the RWA"),
    priceAdapter: address("Adapter that the price was read from"),
    priceUsdWad: integerText("USD per whole token, times 10^18", "1052300000000000000"),
    fetchedAt: time("When the adapter was read"),
    observation: blockReference.openapi({ description: "Block at which the adapter was read" }),
  })
  .openapi("UsedPrice", { description: "Cached adapter price of an RWA" });

/** Formats a cached price for answers. */
export function shownPrice(price: CachedPrice): z.output<typeof cachedPrice> {
  return { ...price, priceUsdWad: price.priceUsdWad.toString(), fetchedAt: formatTime(price.fetchedAt) };
}
