/**
 * Reads sums of a wallet's deposits, redemptions, claimed yield and moved credits at the registered yield-bearing
 * delegates.
 */
import { z } from "@hono/zod-openapi";
import { escapeIdentifier } from "pg";
import { integerColumn } from "../shared/columns.ts";
import { type Database, prepared } from "../shared/database.ts";
import type { ApiNetwork } from "../shared/networks.ts";
import { networkState, stateSql } from "../shared/state.ts";
import { delegateColumns, isYieldDelegateSql } from "./delegates.query.ts";

const totals = z.object({
  deposited: integerColumn,
  redeemed: integerColumn,
  yieldClaimed: integerColumn,
  movedIn: integerColumn,
  movedOut: integerColumn,
});

/** Sums of all entries of an account up to some point in time, in smallest units of the delegate's token. */
export type PositionTotals = z.output<typeof totals>;

/** The position of an account without any entry. */
export const NO_POSITION: PositionTotals = { deposited: 0n, redeemed: 0n, yieldClaimed: 0n, movedIn: 0n, movedOut: 0n };

const accountsRow = z.object({
  state: networkState,
  accounts: z.array(z.object({ ...delegateColumns, totals: totals.nullable() })),
});

/** A delegate, and a wallet's sums at it, or null when the wallet never had credits there. */
export type IndexedAccount = z.output<typeof accountsRow>["accounts"][number];

const historyRow = z.object({
  state: networkState,
  accounts: z.array(
    z.object({
      ...delegateColumns,
      /** One entry for each bound, in the same order. Null before the wallet's first entry. */
      totals: z.array(totals.nullable()),
    }),
  ),
});

const TOTALS_JSON = `json_build_object(
      'deposited', trunc(deposited_total)::text,
      'redeemed', trunc(redeemed_total)::text,
      'yieldClaimed', trunc(yield_claimed_total)::text,
      'movedIn', trunc(moved_in_total)::text,
      'movedOut', trunc(moved_out_total)::text
    )`;

/** Makes the reader of a wallet's newest sums, ordered by the address of the delegate, and of the network's state. */
export function accountsReader(database: Database, network: ApiNetwork) {
  const account = `
      SELECT ${TOTALS_JSON}
      FROM ${escapeIdentifier(network.schema)}.credited_account AS account
      WHERE account.chain_id = ${network.chainId} AND account.delegate_address = lp.delegate_address
        AND account.account = $1::text`;
  const statement = prepared(`api_accounts_${network.name}`, accountsSql(network, `(${account})`));
  return async (wallet: string) => {
    const [row] = await database.query({ ...statement, values: [wallet] });
    return accountsRow.parse(row);
  };
}

/**
 * Makes the reader of a wallet's sums before each of some seconds. Each sum costs one backward look-up per delegate in
 * the primary key.
 */
export function positionsReader(database: Database, network: ApiNetwork) {
  const atBounds = `(
      SELECT json_agg(before.totals ORDER BY bound.place)
      FROM unnest($2::bigint[]) WITH ORDINALITY AS bound (second, place)
      LEFT JOIN LATERAL (
        SELECT ${TOTALS_JSON} AS totals
        FROM ${escapeIdentifier(network.schema)}.credit_entry
        WHERE chain_id = ${network.chainId} AND delegate_address = lp.delegate_address AND account = $1::text
          AND second < bound.second
        ORDER BY second DESC, block_number DESC, log_index DESC
        LIMIT 1
      ) AS before ON true
    )`;
  const statement = prepared(`api_account_history_${network.name}`, accountsSql(network, atBounds));
  return async (wallet: string, bounds: readonly bigint[]) => {
    const [row] = await database.query({ ...statement, values: [wallet, bounds.map(String)] });
    return historyRow.parse(row);
  };
}

function accountsSql(network: ApiNetwork, totalsSql: string): string {
  return `
SELECT
  ${stateSql(network)} AS state,
  coalesce((
    SELECT json_agg(json_build_object(
      'delegateAddress', lp.delegate_address,
      'stablecoinId', lp.stablecoin_id,
      'tokenAddress', lp.token_address,
      'totals', ${totalsSql}
    ) ORDER BY lp.delegate_address)
    FROM ${escapeIdentifier(network.schema)}.stablecoin AS lp
    WHERE ${isYieldDelegateSql(network)}
  ), '[]'::json) AS accounts`;
}
