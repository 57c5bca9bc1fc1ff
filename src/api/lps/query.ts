/** Reads the indexed data of an LP: its volume, its stablecoin, and the assets that it may trade. */
import { z } from "@hono/zod-openapi";
import { escapeIdentifier } from "pg";
import { maxInt64 } from "viem";
import { addressColumn, bytes32Column } from "../shared/columns.ts";
import { type Database, prepared } from "../shared/database.ts";
import type { ApiNetwork } from "../shared/networks.ts";
import { volumeReading, volumeSql } from "../shared/volume/query.ts";

/** A range that includes every possible timestamp of a leg. */
const ALL_TIME = ["0", maxInt64.toString()] as const;

const token = { tokenAddress: addressColumn, decimals: z.int() };

const lpReading = volumeReading.extend({
  /** Null if no registered stablecoin has this delegate. */
  lp: z.object({ stablecoinId: bytes32Column, ...token, yieldBearing: z.boolean(), accepted: z.boolean() }).nullable(),
  /** All registered assets, ordered by ID. */
  assets: z.array(
    z.object({
      assetId: bytes32Column,
      kind: z.enum(["rwa", "stablecoin"]),
      ...token,
      /** The LP of a stablecoin. */
      lpAddress: addressColumn.nullable(),
    }),
  ),
});

type LpReading = z.output<typeof lpReading>;

/** A registered LP. */
export type RegisteredLp = NonNullable<LpReading["lp"]>;

/** A registered asset. */
export type RegisteredAsset = LpReading["assets"][number];

/** Makes the reader of an LP's indexed data, in one snapshot. */
export function lpReader(database: Database, network: ApiNetwork): (lpAddress: string) => Promise<LpReading> {
  const statement = prepared(`api_lp_${network.name}`, lpSql(network));
  return async (lpAddress) => {
    const [row] = await database.query({ ...statement, values: [...ALL_TIME, lpAddress] });
    return lpReading.parse(row);
  };
}

/** The statement for the LP `$3`. `$1` and `$2` bound its volume. */
function lpSql(network: ApiNetwork): string {
  const tables = escapeIdentifier(network.schema);
  const registered = `chain_id = ${network.chainId} AND token_address IS NOT NULL`;
  return `
SELECT
  volume.*,
  (
    SELECT json_build_object(
      'stablecoinId', stablecoin_id, 'tokenAddress', token_address, 'decimals', decimals,
      'yieldBearing', yield_bearing, 'accepted', accepted
    )
    FROM ${tables}.stablecoin WHERE ${registered} AND delegate_address = $3::text
    -- A delegate that changed what it says it is can be registered for two.
    ORDER BY accepted DESC, stablecoin_id LIMIT 1
  ) AS lp,
  coalesce((
    SELECT json_agg(json_build_object(
      'assetId', asset_id, 'kind', kind, 'tokenAddress', token_address, 'decimals', decimals, 'lpAddress', lp_address
    ) ORDER BY asset_id)
    FROM (
      SELECT stablecoin_id AS asset_id, 'stablecoin' AS kind, token_address, decimals, delegate_address AS lp_address
      FROM ${tables}.stablecoin WHERE ${registered}
      UNION ALL
      SELECT rwa_id, 'rwa', token_address, decimals, NULL FROM ${tables}.rwa WHERE ${registered}
    ) AS asset
  ), '[]'::json) AS assets
FROM (${volumeSql(network)}) AS volume`;
}
