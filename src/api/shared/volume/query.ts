/** Reads running totals of volume and fees over a range, with the prices for their valuation. */
import { z } from "@hono/zod-openapi";
import { escapeIdentifier } from "pg";
import { cachedPriceRows, PRICE_ROWS_SQL, pricedState, pricedStateSql, pricesSql } from "../cachedPrices.ts";
import { digitsColumn, integerColumn } from "../columns.ts";
import { type Database, prepared } from "../database.ts";
import type { ApiNetwork } from "../networks.ts";
import type { TimeRange } from "../time.ts";

/** The gains of one series in the range. */
const seriesVolume = z.object({
  lpAddress: z.string(),
  /** ID of the RWA of the amount, or empty for stablecoin value. */
  assetId: z.string(),
  decimals: z.int(),
  legs: digitsColumn.transform(Number),
  amount: integerColumn,
  /** Fees are in nominal stablecoin units, times 10^18. */
  issuerFeeWad: integerColumn,
  spreadFeeWad: integerColumn,
  lpFeeWad: integerColumn,
});

/** A series as `SERIES_VOLUME_SQL` writes it, with its integers as digits. */
export type SeriesVolumeText = z.input<typeof seriesVolume>;

/** Converts a series without validating it, because validation takes longer than the rest of the answer. */
export function seriesFromText({
  legs,
  amount,
  issuerFeeWad,
  spreadFeeWad,
  lpFeeWad,
  ...head
}: SeriesVolumeText): SeriesVolume {
  return {
    ...head,
    legs: Number(legs),
    amount: BigInt(amount),
    issuerFeeWad: BigInt(issuerFeeWad),
    spreadFeeWad: BigInt(spreadFeeWad),
    lpFeeWad: BigInt(lpFeeWad),
  };
}

/** The columns of `valuationColumnsSql`. */
export const valuationRow = pricedState.extend({ prices: cachedPriceRows });

/** The columns of `volumeSql`. */
export const volumeReading = valuationRow.extend({ series: z.array(seriesVolume) });

/** The gains of one series. `amount` is in units of 10^-decimals. */
export type SeriesVolume = z.output<typeof seriesVolume>;
/** The data of a volume answer, read in one snapshot. */
export type VolumeReading = z.output<typeof volumeReading>;

/**
 * Makes the reader of the series with at least one leg in a range, of all LPs or of the given one, and of every cached
 * price of the network.
 */
export function volumeReader(database: Database, network: ApiNetwork) {
  const statement = prepared(`api_volume_${network.name}`, volumeSql(network));
  return async ({ from, to }: TimeRange, lpAddress: string | undefined): Promise<VolumeReading> => {
    const [row] = await database.query({
      ...statement,
      values: [from.toString(), to.toString(), lpAddress ?? null],
    });
    return volumeReading.parse(row);
  };
}

/** Columns of `volume_total`, and the gains of a series between two of its rows. */
export const GAINS = [
  { total: "leg_total", gain: "legs" },
  { total: "amount_total", gain: "amount" },
  { total: "issuer_fee_total_wad", gain: "issuer_fee_wad" },
  { total: "spread_fee_total_wad", gain: "spread_fee_wad" },
  { total: "lp_fee_total_wad", gain: "lp_fee_wad" },
] as const;

/** The JSON value that `seriesVolume` reads, from a row with a series and its gains. */
export const SERIES_VOLUME_SQL = `json_build_object(
  'lpAddress', lp_address, 'assetId', asset_id, 'decimals', decimals, 'legs', legs::text, 'amount', amount::text,
  'issuerFeeWad', issuer_fee_wad::text, 'spreadFeeWad', spread_fee_wad::text, 'lpFeeWad', lp_fee_wad::text
)`;

/** The statement for the volume from `$1` to before `$2`, of the LP `$3` or, when that is null, of all. */
export function volumeSql(network: ApiNetwork): string {
  return `
WITH price AS MATERIALIZED (${pricesSql(network)}),
head AS MATERIALIZED (${headsSql(network, "$3")}),
gained AS MATERIALIZED (
  SELECT
    head.lp_address, head.asset_id, head.decimals,
    ${GAINS.map(({ total, gain }) => `after.${total} - coalesce(before.${total}, 0) AS ${gain}`).join(",\n    ")}
  FROM head
  CROSS JOIN LATERAL (${totalsBeforeSql(network, "$2")}) AS after
  LEFT JOIN LATERAL (${totalsBeforeSql(network, "$1")}) AS before ON true
)
SELECT
  ${valuationColumnsSql(network)},
  coalesce((
    SELECT json_agg(${SERIES_VOLUME_SQL} ORDER BY lp_address, asset_id)
    FROM gained WHERE legs > 0
  ), '[]'::json) AS series`;
}

/**
 * Columns of a statement with a CTE `price`: the state on which the figures depend, and the prices for their valuation.
 */
export function valuationColumnsSql(network: ApiNetwork): string {
  return `${pricedStateSql(network)},
  (${PRICE_ROWS_SQL}) AS prices`;
}

/** Heads of the network's series, of all LPs or, when the parameter is not null, of that LP. */
export function headsSql({ schema, chainId }: ApiNetwork, lpAddress: string): string {
  return `
  SELECT lp_address, asset_id, series_id, decimals
  FROM ${escapeIdentifier(schema)}.volume_series
  WHERE chain_id = ${chainId} AND (${lpAddress}::text IS NULL OR lp_address = ${lpAddress}::text)
`;
}

/** The totals of a series after its last leg before a second, found by one backward look-up in the primary key. */
export function totalsBeforeSql({ schema, chainId }: ApiNetwork, second: string): string {
  return `
    SELECT ${GAINS.map(({ total }) => total).join(", ")}
    FROM ${escapeIdentifier(schema)}.volume_total
    WHERE chain_id = ${chainId} AND series_id = head.series_id AND second < ${second}::bigint
    ORDER BY second DESC
    LIMIT 1
  `;
}
