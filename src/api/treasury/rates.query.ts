/** Reads daily rates of the registered yield-bearing delegates. */
import { DAY_SECONDS } from "@coreswap/sdk";
import { z } from "@hono/zod-openapi";
import { escapeIdentifier } from "pg";
import { addressColumn, bytes32Column, digitsColumn, integerColumn } from "../shared/columns.ts";
import { type Database, prepared } from "../shared/database.ts";
import type { ApiNetwork } from "../shared/networks.ts";
import { networkState, stateSql } from "../shared/state.ts";
import type { TimeRange } from "../shared/time.ts";
import { delegateColumns, isYieldDelegateSql } from "./delegates.query.ts";

const correction = z.object({
  oldRateWad: digitsColumn,
  newRateWad: digitsColumn,
  corrector: addressColumn,
  correctedAt: integerColumn,
  transactionHash: bytes32Column,
});

/** The result of `ratesInForceSql`. */
export const ratesInForce = z.array(z.object({ dayNumber: integerColumn, rateWad: integerColumn }));

const ratesRow = z.object({
  state: networkState,
  delegates: z.array(
    z.object({
      ...delegateColumns,
      firstRateDay: integerColumn.nullable(),
      /**
       * The rates in force from the first posted day, ordered by day. Those before the range are needed only for their
       * growth.
       */
      rates: ratesInForce,
      posts: z.array(
        z.object({
          dayNumber: integerColumn,
          rateWad: digitsColumn,
          poster: addressColumn,
          postedAt: integerColumn,
          transactionHash: bytes32Column,
          corrections: z.array(correction),
        }),
      ),
    }),
  ),
});

type RatesReading = z.output<typeof ratesRow>;
/** The rates of one delegate. Rates are WAD fractions, and times are seconds since 1970. */
export type DelegateRates = RatesReading["delegates"][number];

/**
 * Makes the reader of the posts for days that begin in a range, and of the rates of all days before its end, from which
 * the index is computed. It reads all registered yield-bearing delegates, or the given one.
 */
export function ratesReader(database: Database, network: ApiNetwork) {
  const statement = prepared(`api_treasury_rates_${network.name}`, ratesSql(network));
  return async ({ from, to }: TimeRange, delegate: string | undefined): Promise<RatesReading> => {
    const [row] = await database.query({
      ...statement,
      values: [firstDayFrom(from).toString(), firstDayFrom(to).toString(), delegate ?? null],
    });
    return ratesRow.parse(row);
  };
}

/** The statement for the days from `$1` to before `$2`, of the delegate `$3` or, when that is null, of all. */
function ratesSql(network: ApiNetwork): string {
  const tables = escapeIdentifier(network.schema);
  const ofDelegate = (alias: string) =>
    `${alias}.chain_id = ${network.chainId} AND ${alias}.delegate_address = lp.delegate_address`;
  return `
WITH lp AS MATERIALIZED (
  SELECT delegate_address, stablecoin_id, token_address
  FROM ${tables}.stablecoin
  WHERE ${isYieldDelegateSql(network)}
    AND ($3::text IS NULL OR delegate_address = $3::text)
)
SELECT
  ${stateSql(network)} AS state,
  coalesce((
    SELECT json_agg(json_build_object(
      'delegateAddress', lp.delegate_address,
      'stablecoinId', lp.stablecoin_id,
      'tokenAddress', lp.token_address,
      'firstRateDay', (SELECT first_rate_day::text FROM ${tables}.rate_start AS start WHERE ${ofDelegate("start")}),
      'rates', ${ratesInForceSql(network, "lp.delegate_address", "AND post.day_number < $2::numeric")},
      'posts', coalesce((
        SELECT json_agg(json_build_object(
          'dayNumber', post.day_number::text,
          'rateWad', post.rate_wad::text,
          'poster', post.poster,
          'postedAt', post.posted_at::text,
          'transactionHash', post.transaction_hash,
          'corrections', coalesce((
            SELECT json_agg(json_build_object(
              'oldRateWad', correction.old_rate_wad::text,
              'newRateWad', correction.new_rate_wad::text,
              'corrector', correction.corrector,
              'correctedAt', correction.corrected_at::text,
              'transactionHash', correction.transaction_hash
            ) ORDER BY correction.block_number, correction.log_index)
            FROM ${tables}.daily_rate_correction AS correction
            WHERE ${ofDelegate("correction")} AND correction.day_number = post.day_number
          ), '[]'::json)
        ) ORDER BY post.day_number)
        FROM ${tables}.daily_rate AS post
        WHERE ${ofDelegate("post")} AND post.day_number >= $1::numeric AND post.day_number < $2::numeric
      ), '[]'::json)
    ) ORDER BY lp.delegate_address)
    FROM lp
  ), '[]'::json) AS delegates`;
}

/** The JSON value of the rates in force of a delegate, by day. `delegate` and `condition` are SQL of this project. */
export function ratesInForceSql(network: ApiNetwork, delegate: string, condition = ""): string {
  const tables = escapeIdentifier(network.schema);
  const ofDelegate = (alias: string) =>
    `${alias}.chain_id = ${network.chainId} AND ${alias}.delegate_address = ${delegate}`;
  return `coalesce((
        SELECT json_agg(json_build_object(
          'dayNumber', post.day_number::text,
          'rateWad', coalesce(newest.new_rate_wad, post.rate_wad)::text
        ) ORDER BY post.day_number)
        FROM ${tables}.daily_rate AS post
        LEFT JOIN LATERAL (
          SELECT correction.new_rate_wad
          FROM ${tables}.daily_rate_correction AS correction
          WHERE ${ofDelegate("correction")} AND correction.day_number = post.day_number
          ORDER BY correction.block_number DESC, correction.log_index DESC
          LIMIT 1
        ) AS newest ON true
        WHERE ${ofDelegate("post")} ${condition}
      ), '[]'::json)`;
}

/** Returns the first day that begins at or after a second. */
function firstDayFrom(second: bigint): bigint {
  return second <= 0n ? 0n : (second + DAY_SECONDS - 1n) / DAY_SECONDS;
}
