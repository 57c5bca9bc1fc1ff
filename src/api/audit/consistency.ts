/**
 * Compares what the index says about a range of blocks in several places: running totals with the sum of the legs, and
 * the access paths of the history with its transactions. It reads only the database, so it can cover a whole history
 * quickly.
 */
import { z } from "@hono/zod-openapi";
import { escapeIdentifier } from "pg";
import { type Database, prepared } from "../shared/database.ts";
import type { ApiNetwork } from "../shared/networks.ts";
import { finalNumberOf } from "../shared/state.ts";

/** Block numbers of the history take four bytes. */
const MAXIMUM_INTEGER = 2 ** 31 - 1;

/** Maximum number of differences listed per kind. */
const LISTED = 20;

const reading = z.object({
  safeCheckpoint: z.string().nullable(),
  differences: z.array(z.string()),
});

/** Columns of a leg whose sums `volume_total` contains, at 18 decimals. */
const FEES = ["issuer_fee", "spread_fee", "lp_fee"] as const;

/** The running totals of a series, by their gain in a second. */
const TOTALS = {
  legs: "leg_total",
  amount: "amount_total",
  issuer_fee: "issuer_fee_total_wad",
  spread_fee: "spread_fee_total_wad",
  lp_fee: "lp_fee_total_wad",
};

/** The gains of a second, according to its legs and to its totals. */
const SUMS = Object.keys(TOTALS);

/** Differences within a range, in one snapshot. */
interface Consistency {
  /** One sentence per difference. */
  readonly differences: readonly string[];
  /** Newest block whose rows are final, or null while there is none. */
  readonly finalNumber: bigint | null;
}

/** Makes the function that compares the rows of a range of final blocks, both ends inclusive, with each other. */
export function consistencyReader(database: Database, network: ApiNetwork) {
  const statement = prepared(`audit_consistency_${network.name}`, consistencySql(network));
  return async (fromBlock: bigint, toBlock: bigint): Promise<Consistency> => {
    const [row] = await database.query({ ...statement, values: [fromBlock.toString(), toBlock.toString()] });
    const { safeCheckpoint, differences } = reading.parse(row);
    return { differences, finalNumber: finalNumberOf(network, safeCheckpoint) };
  };
}

/**
 * A leg's value and series are those of `src/indexing/legValue.ts`, computed again in SQL: stablecoin in counts with
 * its amount, stablecoin out with amount and fees, both at 18 decimals; RWA to RWA with the raw amount in, under that
 * RWA. Fees are those of the settling stablecoin, at 18 decimals.
 *
 * Totals are per second, legs per block, and blocks can share a second. So all seconds between the first and the last
 * transaction of the range are compared: the gain of a total in a second equals the legs of that second, also of
 * neighboring blocks.
 */
function consistencySql({ schema, name, chainId }: ApiNetwork): string {
  const tables = escapeIdentifier(schema);
  const inRange = (alias: string) =>
    `${alias}.chain_id = ${chainId} AND ${alias}.block_number BETWEEN $1::integer AND $2::integer`;
  const isStablecoin = (alias: string) => `(${alias}.delegate_address IS NOT NULL AND ${alias}.decimals IS NOT NULL)`;
  const toWad = (alias: string) => `10::numeric ^ (18 - ${alias}.decimals)`;
  const place = (alias: string) => `${alias}.block_number || '/' || ${alias}.transaction_index`;
  const sameTransaction = (one: string, other: string) =>
    `${one}.chain_id = ${other}.chain_id AND ${one}.block_number = ${other}.block_number ` +
    `AND ${one}.transaction_index = ${other}.transaction_index`;

  /** The part of a total that belongs to its second alone. */
  const gainOf = (total: string) => `total.${total} - coalesce(lag(total.${total}) OVER steps, start.${total}, 0)`;
  const sumsText = (alias: string) => {
    const [legs, amount, issuer, spread, lp] = SUMS.map((sum) => `trunc(coalesce(${alias}.${sum}, 0))`);
    return `${legs} || ' with ' || ${amount} || ' and fees of ' || concat_ws(' + ', ${issuer}, ${spread}, ${lp})`;
  };

  /** Activities whose transaction does not list them, and the reverse. */
  const activitiesOf = (table: string, bit: number) => `
(SELECT '${table} ' || ${place("activity")} || '/' || activity.log_index || ' has no such transaction in the history' AS text
FROM ${tables}.${table} AS activity
LEFT JOIN ${tables}.transaction AS parent ON ${sameTransaction("parent", "activity")} AND (parent.filter_class & ${bit}) <> 0
WHERE ${inRange("activity")} AND parent.hash IS NULL
LIMIT ${LISTED})
UNION ALL
(SELECT 'transaction ' || ${place("parent")} || ' has no row in ${table}' AS text
FROM ${tables}.transaction AS parent
WHERE ${inRange("parent")} AND (parent.filter_class & ${bit}) <> 0
  AND NOT EXISTS (SELECT FROM ${tables}.${table} AS activity WHERE ${sameTransaction("activity", "parent")})
LIMIT ${LISTED})`;

  return `
WITH bounds AS (
  SELECT min(timestamp) AS low, max(timestamp) AS high FROM ${tables}.transaction AS parent WHERE ${inRange("parent")}
), sharing AS (
  SELECT
    CASE WHEN low IS NOT NULL THEN (
      SELECT block_number FROM ${tables}.transaction
      WHERE chain_id = ${chainId} AND block_number < $1::integer AND timestamp < low
      ORDER BY block_number DESC LIMIT 1
    ) END AS last_before,
    CASE WHEN high IS NOT NULL THEN (
      SELECT block_number FROM ${tables}.transaction
      WHERE chain_id = ${chainId} AND block_number > $2::integer AND timestamp > high
      ORDER BY block_number LIMIT 1
    ) END AS first_after
  FROM bounds
), legs AS (
  SELECT
    leg.lp_address,
    CASE WHEN ${isStablecoin("coin_in")} OR ${isStablecoin("coin_out")} THEN '' ELSE leg.asset_in_id END AS asset_id,
    parent.timestamp AS second,
    count(*) AS legs,
    sum(CASE
      WHEN ${isStablecoin("coin_in")} THEN leg.amount_in * ${toWad("coin_in")}
      WHEN ${isStablecoin("coin_out")}
        THEN (leg.amount_out + leg.issuer_fee + leg.spread_fee + leg.lp_fee) * ${toWad("coin_out")}
      ELSE leg.amount_in
    END) AS amount,
    ${FEES.map((fee) => `sum(leg.${fee} * ${toWad("coin_settling")}) AS ${fee}`).join(",\n    ")}
  FROM sharing
  CROSS JOIN bounds
  JOIN ${tables}.swap AS leg ON leg.chain_id = ${chainId}
    AND leg.block_number > coalesce(sharing.last_before, -1)
    AND leg.block_number < coalesce(sharing.first_after, ${MAXIMUM_INTEGER})
  JOIN ${tables}.transaction AS parent ON ${sameTransaction("parent", "leg")}
    AND parent.timestamp BETWEEN bounds.low AND bounds.high
  LEFT JOIN ${tables}.stablecoin AS coin_in
    ON coin_in.chain_id = ${chainId} AND coin_in.stablecoin_id = leg.asset_in_id
  LEFT JOIN ${tables}.stablecoin AS coin_out
    ON coin_out.chain_id = ${chainId} AND coin_out.stablecoin_id = leg.asset_out_id
  LEFT JOIN ${tables}.stablecoin AS coin_settling
    ON coin_settling.chain_id = ${chainId} AND coin_settling.stablecoin_id = leg.stablecoin_delegate_id
  GROUP BY 1, 2, 3
), starts AS MATERIALIZED (
  -- Before the join with the totals, after which the planner may look for the total before once per total.
  SELECT series.lp_address, series.asset_id, series.series_id, bounds.low, bounds.high,
    ${Object.values(TOTALS)
      .map((total) => `before.${total}`)
      .join(", ")}
  FROM ${tables}.volume_series AS series
  CROSS JOIN bounds
  LEFT JOIN LATERAL (
    SELECT * FROM ${tables}.volume_total AS earlier
    WHERE earlier.chain_id = ${chainId} AND earlier.series_id = series.series_id AND earlier.second < bounds.low
    ORDER BY earlier.second DESC LIMIT 1
  ) AS before ON true
  WHERE series.chain_id = ${chainId}
), totals AS (
  SELECT
    start.lp_address, start.asset_id, total.second,
    ${Object.entries(TOTALS)
      .map(([sum, total]) => `${gainOf(total)} AS ${sum}`)
      .join(",\n    ")}
  FROM starts AS start
  JOIN ${tables}.volume_total AS total ON total.chain_id = ${chainId} AND total.series_id = start.series_id
    AND total.second BETWEEN start.low AND start.high
  WINDOW steps AS (PARTITION BY start.series_id ORDER BY total.second)
), found AS (
  (SELECT
    'volume of LP ' || lp_address || CASE asset_id WHEN '' THEN '' ELSE ' in ' || asset_id END
      || ' at second ' || second || ': its legs are ' || ${sumsText("legs")}
      || ', the totals say ' || ${sumsText("totals")} AS text
  FROM legs FULL JOIN totals USING (lp_address, asset_id, second)
  WHERE ${SUMS.map((sum) => `coalesce(legs.${sum}, 0) <> coalesce(totals.${sum}, 0)`).join(" OR ")}
  LIMIT ${LISTED})
  UNION ALL
  (SELECT 'volume of LP ' || lp_address || ' in ' || coalesce(nullif(asset_id, ''), 'stablecoins') || ' is counted with '
    || series.decimals || ' decimals, expected ' || coalesce(expected.decimals::text, 'a registered RWA') AS text
  FROM ${tables}.volume_series AS series
  LEFT JOIN ${tables}.rwa AS asset ON asset.chain_id = ${chainId} AND asset.rwa_id = series.asset_id
  CROSS JOIN LATERAL (SELECT CASE asset_id WHEN '' THEN 18 ELSE asset.decimals END AS decimals) AS expected
  WHERE series.chain_id = ${chainId} AND series.decimals IS DISTINCT FROM expected.decimals
  LIMIT ${LISTED})
  UNION ALL
  (SELECT 'volume of LP ' || lp_address || ' in ' || coalesce(nullif(asset_id, ''), 'stablecoins')
    || ' ends at second ' || newest_second || ', its newest total is of ' || coalesce(newest.second::text, 'none') AS text
  FROM ${tables}.volume_series AS series
  CROSS JOIN LATERAL (
    SELECT max(second) AS second FROM ${tables}.volume_total AS total
    WHERE total.chain_id = ${chainId} AND total.series_id = series.series_id
  ) AS newest
  WHERE series.chain_id = ${chainId} AND newest_second IS DISTINCT FROM newest.second
  LIMIT ${LISTED})
  UNION ALL
  ${activitiesOf("swap", 2)}
  UNION ALL
  ${activitiesOf("allowlist_change", 4)}
  UNION ALL
  (SELECT 'transaction ' || ${place("parent")} || ' is not in transaction_by_hash' AS text
  FROM ${tables}.transaction AS parent
  LEFT JOIN ${tables}.transaction_by_hash AS path ON path.chain_id = ${chainId} AND path.hash = parent.hash
  WHERE ${inRange("parent")}
    AND (path.block_number, path.transaction_index) IS DISTINCT FROM (parent.block_number, parent.transaction_index)
  LIMIT ${LISTED})
  UNION ALL
  (SELECT 'transaction ' || ${place("parent")} || ' is not in transaction_by_filter under '
    || coalesce(nullif(wallet, ''), 'any wallet') AS text
  FROM ${tables}.transaction AS parent
  CROSS JOIN LATERAL unnest(string_to_array(',' || parent.wallets, ',')) AS wallet
  WHERE ${inRange("parent")} AND NOT EXISTS (
    SELECT FROM ${tables}.transaction_by_filter AS path
    WHERE path.chain_id = ${chainId} AND path.wallet = wallet.wallet AND path.filter_class = parent.filter_class
      AND path.block_number = parent.block_number AND path.transaction_index = parent.transaction_index
  )
  LIMIT ${LISTED})
)
SELECT
  (SELECT safe_checkpoint FROM ${tables}._ponder_checkpoint WHERE chain_name = '${name}') AS "safeCheckpoint",
  coalesce((SELECT json_agg(text) FROM found), '[]'::json) AS differences`;
}
