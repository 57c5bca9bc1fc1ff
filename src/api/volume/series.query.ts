/** Reads the gains of the volume series in each bucket of a range. */
import { z } from "@hono/zod-openapi";
import { pricesSql } from "../shared/cachedPrices.ts";
import { type Database, prepared } from "../shared/database.ts";
import type { ApiNetwork } from "../shared/networks.ts";
import {
  GAINS,
  headsSql,
  SERIES_VOLUME_SQL,
  type SeriesVolumeText,
  seriesFromText,
  totalsBeforeSql,
  valuationColumnsSql,
  valuationRow,
} from "../shared/volume/query.ts";

const bucketsRow = valuationRow.extend({
  /**
   * The buckets with at least one leg, in order. What the statement writes of each series is not checked here: that took
   * longer than all the rest.
   */
  buckets: z.array(z.object({ bucket: z.int(), series: z.custom<SeriesVolumeText[]>(Array.isArray) })),
});

/**
 * Makes the reader of the series with at least one leg, by bucket, and of every cached price of the network. Buckets
 * lie between neighboring bounds and are numbered from 0. Each bound costs one look-up per series, which the two
 * adjacent buckets share.
 */
export function volumeSeriesReader(database: Database, network: ApiNetwork) {
  const statement = prepared(`api_volume_series_${network.name}`, bucketsSql(network));
  return async (bounds: readonly bigint[], lpAddress: string | undefined) => {
    const [row] = await database.query({ ...statement, values: [bounds.map(String), lpAddress ?? null] });
    const { buckets, ...valuation } = bucketsRow.parse(row);
    return {
      ...valuation,
      buckets: buckets.map(({ bucket, series }) => ({ bucket, series: series.map(seriesFromText) })),
    };
  };
}

function bucketsSql(network: ApiNetwork): string {
  return `
WITH price AS MATERIALIZED (${pricesSql(network)}),
head AS MATERIALIZED (${headsSql(network, "$2")}),
total AS MATERIALIZED (
  SELECT
    head.lp_address, head.asset_id, head.decimals, bound.place,
    ${GAINS.map(({ total }) => `coalesce(before.${total}, 0) AS ${total}`).join(",\n    ")}
  FROM head
  CROSS JOIN unnest($1::bigint[]) WITH ORDINALITY AS bound (second, place)
  LEFT JOIN LATERAL (${totalsBeforeSql(network, "bound.second")}) AS before ON true
),
gained AS MATERIALIZED (
  SELECT
    lp_address, asset_id, decimals, place,
    ${GAINS.map(({ total, gain }) => `lead(${total}) OVER series - ${total} AS ${gain}`).join(",\n    ")}
  FROM total
  WINDOW series AS (PARTITION BY lp_address, asset_id ORDER BY place)
),
bucket AS MATERIALIZED (
  SELECT place, json_agg(${SERIES_VOLUME_SQL} ORDER BY lp_address, asset_id) AS series
  FROM gained WHERE legs > 0
  GROUP BY place
)
SELECT
  ${valuationColumnsSql(network)},
  coalesce((
    SELECT json_agg(json_build_object('bucket', place - 1, 'series', series) ORDER BY place) FROM bucket
  ), '[]'::json) AS buckets`;
}
