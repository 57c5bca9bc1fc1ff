/** Deployment metadata, derived from the indexed configuration events. */
import { z } from "@hono/zod-openapi";
import { escapeIdentifier } from "pg";
import { type Database, prepared } from "../shared/database.ts";
import type { ApiNetwork } from "../shared/networks.ts";
import { type NetworkState, networkState, stateSql } from "../shared/state.ts";
import { type EvmDeployment, evmDeployment } from "./schema.ts";

const deploymentRows = z.array(
  z.object({
    state: networkState,
    assets: evmDeployment.pick({ stablecoin_delegate_contracts: true, stable_assets: true, rwa_assets: true }),
  }),
);

/** Deployments, and the states from which they were derived. */
export interface EvmInfo {
  /** States in the order of the requested networks, as are the deployments. */
  readonly states: readonly NetworkState[];
  readonly deployments: readonly EvmDeployment[];
}

/** Makes the reader of the deployments of some networks, from one snapshot. */
export function evmInfoReader(database: Database, networks: readonly ApiNetwork[]): () => Promise<EvmInfo> {
  if (networks.length === 0) return async () => ({ states: [], deployments: [] });
  const statement = prepared(
    `api_evm_info_${networks.map(({ name }) => name).join("_")}`,
    `${networks
      .map(
        (network, index) => `SELECT ${index} AS place, ${stateSql(network)} AS state, ${assetsSql(network)} AS assets`,
      )
      .join("\nUNION ALL\n")}
ORDER BY place`,
  );
  return async () => {
    const rows = deploymentRows.parse(await database.query({ ...statement, values: [] }));
    return {
      states: rows.map(({ state }) => state),
      deployments: networks.map((network, index) => {
        const row = rows[index];
        if (row === undefined) throw new Error(`the database returned no row for ${network.name}`);
        return {
          chain_id: network.chainId,
          swap_contract: network.coreSwap,
          treasury_contract: network.treasury,
          ...row.assets,
        };
      }),
    };
  };
}

/**
 * SQL expression of the three lists of a deployment as one JSON value. An asset that an event named but that was never
 * registered has no token and is omitted.
 */
function assetsSql({ schema, chainId }: ApiNetwork): string {
  const tables = escapeIdentifier(schema);
  return `json_build_object(
    'stablecoin_delegate_contracts', coalesce((
      SELECT json_agg(json_build_object(
        'delegate_address', delegate_address,
        'stablecoin_id', stablecoin_id,
        'token_address', token_address,
        'yield_bearing', yield_bearing,
        'accepted', accepted,
        'administrators', coalesce((
          SELECT json_agg(admin_address ORDER BY admin_address)
          FROM ${tables}.issuer_admin
          WHERE chain_id = ${chainId} AND delegate_address = stablecoin.delegate_address AND active
        ), '[]'::json),
        'guardrail', CASE WHEN guardrail_band_wad IS NOT NULL THEN json_build_object(
          'price_adapter', guardrail_price_adapter,
          'band_wad', guardrail_band_wad::text,
          'enabled', guardrail_enabled
        ) END
      ) ORDER BY stablecoin_id)
      FROM ${tables}.stablecoin
      WHERE chain_id = ${chainId} AND token_address IS NOT NULL AND delegate_address IS NOT NULL
    ), '[]'::json),
    'stable_assets', coalesce((
      SELECT json_agg(json_build_object(
        'name', name,
        'symbol', symbol,
        'stablecoin_id', stablecoin_id,
        'token_address', token_address,
        'decimals', decimals,
        'accepted', accepted
      ) ORDER BY stablecoin_id)
      FROM ${tables}.stablecoin
      WHERE chain_id = ${chainId} AND token_address IS NOT NULL
    ), '[]'::json),
    'rwa_assets', coalesce((
      SELECT json_agg(json_build_object(
        'name', name,
        'symbol', symbol,
        'rwa_id', rwa_id,
        'token_address', token_address,
        'decimals', decimals,
        'price_adapter', price_adapter,
        'delegate', delegate_address,
        'whitelist_adapter', whitelist_adapter,
        'accepted', accepted
      ) ORDER BY rwa_id)
      FROM ${tables}.rwa
      WHERE chain_id = ${chainId} AND token_address IS NOT NULL
    ), '[]'::json)
  )`;
}
