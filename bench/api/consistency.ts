/**
 * Checks of a data set before anything is measured on it, recomputed from the rows independently of how they were made.
 */
import type { Client } from "pg";
import type { VolumeReading } from "../../src/api/shared/volume/query.ts";
import { CHAIN_ID, SCHEMA, SERIES_COUNT } from "./dataset.ts";

/** The value of each leg from its row and the registry, summed by series. */
const FEES = ["issuer_fee", "spread_fee", "lp_fee"] as const;

const RECOMPUTED_SERIES = (condition: string) => `
  SELECT
    lp_address,
    CASE WHEN asset_in.rwa_id IS NOT NULL AND asset_out.rwa_id IS NOT NULL THEN asset_in.rwa_id ELSE '' END AS asset_id,
    count(*) AS legs,
    sum(CASE
      WHEN stable_in.decimals IS NOT NULL THEN amount_in * (10::numeric ^ (18 - stable_in.decimals))
      WHEN stable_out.decimals IS NOT NULL
        THEN (amount_out + issuer_fee + spread_fee + lp_fee) * (10::numeric ^ (18 - stable_out.decimals))
      ELSE amount_in
    END) AS amount,
    ${FEES.map((fee) => `sum(${fee} * (10::numeric ^ (18 - settling.decimals))) AS ${fee}`).join(",\n    ")}
  FROM ${SCHEMA}.swap
  LEFT JOIN ${SCHEMA}.rwa AS asset_in ON asset_in.rwa_id = asset_in_id
  LEFT JOIN ${SCHEMA}.rwa AS asset_out ON asset_out.rwa_id = asset_out_id
  LEFT JOIN ${SCHEMA}.stablecoin AS stable_in ON stable_in.stablecoin_id = asset_in_id
  LEFT JOIN ${SCHEMA}.stablecoin AS stable_out ON stable_out.stablecoin_id = asset_out_id
  LEFT JOIN ${SCHEMA}.stablecoin AS settling ON settling.stablecoin_id = stablecoin_delegate_id
  WHERE swap.chain_id = ${CHAIN_ID} AND ${condition}
  GROUP BY 1, 2`;

/** @throws Error naming the check that failed */
export async function assertConsistent(client: Client, legCount: number): Promise<void> {
  const numberOf = async (text: string) => Number((await client.query<{ n: string }>(text)).rows[0]?.n);
  const expectEqual = (what: string, actual: unknown, expected: unknown) => {
    if (actual !== expected) throw new Error(`${what}: ${actual}, expected ${expected}`);
  };
  expectEqual("legs", await numberOf(`SELECT count(*) AS n FROM ${SCHEMA}.swap`), legCount);

  const transactions = await numberOf(`SELECT count(*) AS n FROM ${SCHEMA}.transaction`);
  expectEqual("hashes", await numberOf(`SELECT count(*) AS n FROM ${SCHEMA}.transaction_by_hash`), transactions);
  const filed = `SELECT count(*) AS n FROM ${SCHEMA}.transaction_by_filter WHERE chain_id = ${CHAIN_ID} AND wallet`;
  expectEqual("transactions filed under any wallet", await numberOf(`${filed} = ''`), transactions);
  expectEqual(
    "transactions filed under a wallet",
    await numberOf(`${filed} <> ''`),
    await numberOf(`SELECT sum(cardinality(string_to_array(wallets, ','))) AS n FROM ${SCHEMA}.transaction`),
  );
  const reverted = await numberOf(`SELECT count(*) AS n FROM ${SCHEMA}.transaction WHERE outcome = 'revert'`);
  const share = reverted / transactions;
  if (share < 0.015 || share > 0.025) throw new Error(`${reverted} of ${transactions} transactions are reverted`);

  expectEqual("series", await numberOf(`SELECT count(*) AS n FROM ${SCHEMA}.volume_series`), SERIES_COUNT);
  expectEqual(
    "series whose newest totals are the sum of their legs",
    await numberOf(`
      SELECT count(*) AS n FROM (${RECOMPUTED_SERIES("true")}) AS recomputed
      JOIN ${SCHEMA}.volume_series AS head USING (lp_address, asset_id)
      JOIN ${SCHEMA}.volume_total AS newest
        ON newest.chain_id = head.chain_id AND newest.series_id = head.series_id AND newest.second = head.newest_second
      WHERE newest.leg_total = recomputed.legs AND newest.amount_total = recomputed.amount
        AND ${FEES.map((fee) => `newest.${fee}_total_wad = recomputed.${fee}`).join(" AND ")}`),
    SERIES_COUNT,
  );
}

/**
 * Compares the running totals of a range with the legs of that range.
 * @throws Error naming the first series that differs
 */
export async function assertSameVolume(
  client: Client,
  reading: VolumeReading,
  blocks: { readonly first: string; readonly end: string },
): Promise<void> {
  const { rows } = await client.query<{ lp_address: string; asset_id: string; sums: string }>(
    `SELECT lp_address, asset_id, concat_ws(' ', ${["legs", "amount", ...FEES].map((sum) => `trunc(${sum})`)}) AS sums
    FROM (${RECOMPUTED_SERIES("block_number >= $1::bigint AND block_number < $2::bigint")}) AS recomputed`,
    [blocks.first, blocks.end],
  );
  const keyOf = (lpAddress: string, assetId: string) => `${lpAddress} ${assetId}`;
  const recomputed = new Map(rows.map((row) => [keyOf(row.lp_address, row.asset_id), row.sums]));
  if (recomputed.size !== reading.series.length) {
    throw new Error(`${reading.series.length} series in the answer, ${recomputed.size} in the rows`);
  }
  for (const { lpAddress, assetId, legs, amount, issuerFeeWad, spreadFeeWad, lpFeeWad } of reading.series) {
    const expected = recomputed.get(keyOf(lpAddress, assetId));
    const actual = [legs, amount, issuerFeeWad, spreadFeeWad, lpFeeWad].join(" ");
    if (expected !== actual) {
      throw new Error(`series of ${lpAddress} and "${assetId}": ${actual}, the rows give ${expected}`);
    }
  }
}
