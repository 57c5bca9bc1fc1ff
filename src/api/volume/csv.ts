/** Writes a volume series as CSV. */
import { csvRow } from "../http/csv.ts";
import type { VolumeSeriesAnswer } from "./schema.ts";

/** Columns in the order of the file: the bucket, the LP, and its figures as the JSON answer names them. */
export const VOLUME_CSV_COLUMNS = [
  "from",
  "to",
  "lpAddress",
  "pricedVolumeUsd",
  "totalLegCount",
  "pricedLegCount",
  "unpricedLegCount",
  "pricingComplete",
  "missingPriceAssetIds",
  "issuerFeeWad",
  "spreadFeeWad",
  "lpFeeWad",
] as const;

/**
 * Returns the file of a series: one row per bucket and LP with a leg in it. A bucket without legs has one row without an
 * LP, whose figures are zero.
 */
export function volumeCsv(buckets: VolumeSeriesAnswer["buckets"]): string {
  const rows = buckets.flatMap(({ from, to, lpVolumes, ...figures }) =>
    (lpVolumes.length > 0 ? lpVolumes : [{ lpAddress: null, ...figures }]).map((volume) => ({
      ...volume,
      from,
      to,
      missingPriceAssetIds: volume.missingPriceAssetIds.join(" "),
    })),
  );
  return csvRow(VOLUME_CSV_COLUMNS) + rows.map((row) => csvRow(VOLUME_CSV_COLUMNS.map((name) => row[name]))).join("");
}
