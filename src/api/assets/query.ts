/** Assets of a network with their prices and rates, derived from the indexed configuration events. */
import { z } from "@hono/zod-openapi";
import { escapeIdentifier } from "pg";
import { cachedPriceRows, PRICE_ROWS_SQL, pricedState, pricedStateSql, pricesSql } from "../shared/cachedPrices.ts";
import { integerColumn } from "../shared/columns.ts";
import { type Database, prepared } from "../shared/database.ts";
import type { ApiNetwork } from "../shared/networks.ts";
import { assetsAnswer } from "./schema.ts";

const { stablecoins, rwas } = assetsAnswer.shape;

const reading = pricedState.extend({
  settings: assetsAnswer.pick({ paused: true, spreadProtocolTakeRateWad: true }),
  stablecoins: z.array(stablecoins.element.extend({ usdValueSetAt: integerColumn.nullable() })),
  rwas: z.array(
    rwas.element.omit({ price: true }).extend({
      nav: z.object({ navWad: z.string(), postedAt: integerColumn }).nullable(),
    }),
  ),
  prices: cachedPriceRows,
});

/** The data of an answer, read in one snapshot. */
type AssetsReading = z.output<typeof reading>;

/** Makes the reader of a network's assets. Assets that an event named but that were never registered are omitted. */
export function assetsReader(database: Database, network: ApiNetwork): () => Promise<AssetsReading> {
  const statement = prepared(`api_assets_${network.name}`, assetsSql(network));
  return async () => {
    const [row] = await database.query({ ...statement, values: [] });
    return reading.parse(row);
  };
}

function assetsSql(network: ApiNetwork): string {
  const tables = escapeIdentifier(network.schema);
  const { chainId } = network;
  return `
WITH price AS MATERIALIZED (${pricesSql(network)})
SELECT
  ${pricedStateSql(network)},
  (${PRICE_ROWS_SQL}) AS prices,
  coalesce((
    SELECT json_build_object('paused', paused, 'spreadProtocolTakeRateWad', spread_protocol_take_rate_wad::text)
    FROM ${tables}.protocol_settings WHERE chain_id = ${chainId}
  ), '{"paused": false, "spreadProtocolTakeRateWad": "0"}'::json) AS settings,
  coalesce((
    SELECT json_agg(json_build_object(
      'stablecoinId', stablecoin_id,
      ${COMMON_FIELDS_SQL},
      'yieldBearing', yield_bearing,
      'lpAddress', delegate_address,
      'usdValueWad', usd_value_wad::text,
      'usdValueSetAt', usd_value_set_at::text,
      'issuerPaidProtocolFeeRateWad', coalesce(issuer_paid_protocol_fee_rate_wad, 0)::text,
      'protocolFeeExempt', coalesce(protocol_fee_exempt, false),
      'guardrail', CASE WHEN guardrail_band_wad IS NOT NULL THEN json_build_object(
        'priceAdapter', guardrail_price_adapter,
        'bandWad', guardrail_band_wad::text,
        'enabled', guardrail_enabled
      ) END,
      'rwaRates', coalesce((
        SELECT json_agg(json_build_object(
          'rwaId', rwa_id,
          'discountRateWad', discount_rate_wad::text,
          'redemptionFeeWad', redemption_fee_wad::text
        ) ORDER BY rwa_id)
        FROM ${tables}.lp_rwa_rate
        WHERE chain_id = ${chainId} AND stablecoin_id = stablecoin.stablecoin_id
      ), '[]'::json),
      'stablecoinRates', coalesce((
        SELECT json_agg(json_build_object(
          'tokenAddress', token_address,
          'acceptanceFeeWad', acceptance_fee_wad::text,
          'redemptionFeeWad', redemption_fee_wad::text
        ) ORDER BY token_address)
        FROM ${tables}.lp_stablecoin_rate
        WHERE chain_id = ${chainId} AND stablecoin_id = stablecoin.stablecoin_id
      ), '[]'::json)
    ) ORDER BY stablecoin_id)
    FROM ${tables}.stablecoin
    WHERE chain_id = ${chainId} AND token_address IS NOT NULL AND delegate_address IS NOT NULL
  ), '[]'::json) AS stablecoins,
  coalesce((
    SELECT json_agg(json_build_object(
      'rwaId', rwa_id,
      ${COMMON_FIELDS_SQL},
      'priceAdapter', price_adapter,
      'nav', (
        SELECT json_build_object('navWad', nav_wad::text, 'postedAt', second::text)
        FROM ${tables}.nav_post
        WHERE chain_id = ${chainId} AND adapter_address = rwa.price_adapter
        ORDER BY second DESC, block_number DESC, log_index DESC
        LIMIT 1
      ),
      'riskDelegate', delegate_address,
      'whitelistAdapter', whitelist_adapter
    ) ORDER BY rwa_id)
    FROM ${tables}.rwa
    WHERE chain_id = ${chainId} AND token_address IS NOT NULL
  ), '[]'::json) AS rwas`;
}

const COMMON_FIELDS_SQL =
  "'tokenAddress', token_address, 'name', name, 'symbol', symbol, 'decimals', decimals, 'accepted', accepted";
