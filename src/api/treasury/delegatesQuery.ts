/** The registered yield-bearing delegates. */
import { z } from "@hono/zod-openapi";
import { addressColumn, bytes32Column } from "../shared/columns.ts";
import { type Database, prepared, quoteIdentifier } from "../shared/database.ts";
import type { ApiNetwork } from "../shared/networks.ts";
import { networkState, stateSql } from "../shared/state.ts";

/** The columns that name a yield-bearing delegate. */
export const delegateColumns = {
  delegateAddress: addressColumn,
  stablecoinId: bytes32Column,
  tokenAddress: addressColumn,
};

const delegatesRow = z.object({ state: networkState, delegates: z.array(z.object(delegateColumns)) });

/** A registered yield-bearing delegate and its token. */
export type YieldDelegate = z.output<typeof delegatesRow>["delegates"][number];

/** Makes the reader of the registered yield-bearing delegates, in order of address, and of the network's state. */
export function delegatesReader(database: Database, network: ApiNetwork) {
  const statement = prepared(
    `api_yield_delegates_${network.name}`,
    `
SELECT
  ${stateSql(network)} AS state,
  coalesce((
    SELECT json_agg(json_build_object(
      'delegateAddress', delegate_address, 'stablecoinId', stablecoin_id, 'tokenAddress', token_address
    ) ORDER BY delegate_address)
    FROM ${quoteIdentifier(network.schema)}.stablecoin
    WHERE ${isYieldDelegateSql(network)}
  ), '[]'::json) AS delegates`,
  );
  return async () => {
    const [row] = await database.query({ ...statement, values: [] });
    return delegatesRow.parse(row);
  };
}

/** SQL condition: a row of `stablecoin` is a registered yield-bearing delegate of the network. */
export function isYieldDelegateSql({ chainId }: ApiNetwork): string {
  return `chain_id = ${chainId} AND yield_bearing AND token_address IS NOT NULL AND delegate_address IS NOT NULL`;
}
