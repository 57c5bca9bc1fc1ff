/** The yield-bearing delegates that are registered. */
import { z } from "@hono/zod-openapi";
import { type Database, quoteIdentifier } from "../database.ts";
import type { ApiNetwork } from "../networks.ts";
import { addressColumn, bytes32Column } from "./columns.ts";
import { networkState, stateSql } from "./state.ts";

const delegatesRow = z.object({
  state: networkState,
  delegates: z.array(
    z.object({ delegateAddress: addressColumn, stablecoinId: bytes32Column, tokenAddress: addressColumn }),
  ),
});

/** A registered yield-bearing delegate and its token. */
export type YieldDelegate = z.output<typeof delegatesRow>["delegates"][number];

/** Registered yield-bearing delegates in order of address, with the state of the network. */
export async function readYieldDelegates(database: Database, network: ApiNetwork) {
  const [row] = await database.query({
    name: `api_yield_delegates_${network.name}`,
    text: `
SELECT
  ${stateSql(network)} AS state,
  coalesce((
    SELECT json_agg(json_build_object(
      'delegateAddress', delegate_address, 'stablecoinId', stablecoin_id, 'tokenAddress', token_address
    ) ORDER BY delegate_address)
    FROM ${quoteIdentifier(network.schema)}.stablecoin
    WHERE chain_id = ${network.chainId} AND yield_bearing AND token_address IS NOT NULL AND delegate_address IS NOT NULL
  ), '[]'::json) AS delegates`,
    values: [],
  });
  return delegatesRow.parse(row);
}
