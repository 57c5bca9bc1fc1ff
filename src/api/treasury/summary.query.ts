/** Reads the indexed data of a summary: rates, accounts that may have credits, assets and delegates. */
import { z } from "@hono/zod-openapi";
import { escapeIdentifier } from "pg";
import { addressColumn, bytes32Column, integerColumn } from "../shared/columns.ts";
import { type Database, prepared } from "../shared/database.ts";
import type { ApiNetwork } from "../shared/networks.ts";
import { networkState, stateSql } from "../shared/state.ts";
import { delegateColumns, isYieldDelegateSql } from "./delegates.query.ts";
import { ratesInForce, ratesInForceSql } from "./rates.query.ts";

const summaryRow = z.object({
  state: networkState,
  delegates: z.array(
    z.object({
      ...delegateColumns,
      firstRateDay: integerColumn.nullable(),
      rates: ratesInForce,
      /** Every account that ever received credits. */
      accounts: z.array(addressColumn),
    }),
  ),
  /** All registered assets, ordered by ID. */
  assets: z.array(z.object({ id: bytes32Column, kind: z.enum(["rwa", "stablecoin"]) })),
  /** Delegates of all registered stablecoins. */
  allDelegates: z.array(addressColumn),
});

/** The indexed data of the treasury, read in one snapshot. */
export type SummaryReading = z.output<typeof summaryRow>;

/** Makes the reader of a summary's indexed data. */
export function summaryReader(database: Database, network: ApiNetwork): () => Promise<SummaryReading> {
  const statement = prepared(`api_treasury_summary_${network.name}`, summarySql(network));
  return async () => {
    const [row] = await database.query({ ...statement, values: [] });
    return summaryRow.parse(row);
  };
}

function summarySql(network: ApiNetwork): string {
  const tables = escapeIdentifier(network.schema);
  const { chainId } = network;
  const registered = `chain_id = ${chainId} AND token_address IS NOT NULL`;
  return `
SELECT
  ${stateSql(network)} AS state,
  coalesce((
    SELECT json_agg(json_build_object(
      'delegateAddress', lp.delegate_address,
      'stablecoinId', lp.stablecoin_id,
      'tokenAddress', lp.token_address,
      'firstRateDay', (
        SELECT first_rate_day::text FROM ${tables}.rate_start AS start
        WHERE start.chain_id = ${chainId} AND start.delegate_address = lp.delegate_address
      ),
      'rates', ${ratesInForceSql(network, "lp.delegate_address")},
      'accounts', coalesce((
        SELECT json_agg(credited.account ORDER BY credited.account)
        FROM ${tables}.credited_account AS credited
        WHERE credited.chain_id = ${chainId} AND credited.delegate_address = lp.delegate_address
      ), '[]'::json)
    ) ORDER BY lp.delegate_address)
    FROM ${tables}.stablecoin AS lp
    WHERE ${isYieldDelegateSql(network)}
  ), '[]'::json) AS delegates,
  coalesce((
    SELECT json_agg(json_build_object('id', id, 'kind', kind) ORDER BY id)
    FROM (
      SELECT stablecoin_id AS id, 'stablecoin' AS kind FROM ${tables}.stablecoin WHERE ${registered}
      UNION ALL
      SELECT rwa_id, 'rwa' FROM ${tables}.rwa WHERE ${registered}
    ) AS asset
  ), '[]'::json) AS assets,
  coalesce((
    SELECT json_agg(DISTINCT delegate_address)
    FROM ${tables}.stablecoin
    WHERE ${registered} AND delegate_address IS NOT NULL
  ), '[]'::json) AS "allDelegates"`;
}
