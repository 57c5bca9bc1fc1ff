/** Answers of `/v1/volume` and `/v1/volume/series`. */
import { z } from "@hono/zod-openapi";
import { INTERVALS } from "../http/interval.ts";
import { cachedPrice } from "../shared/cachedPrices.ts";
import { address, chainId, coverage, networkName, time } from "../shared/fields.ts";
import { volumeFigures } from "../shared/volume/figures.ts";

const lpVolume = z
  .strictObject({ lpAddress: address("Delegate that settled the legs"), ...volumeFigures })
  .openapi("LpVolume", { description: "Volume and fees of one LP" });

const lpVolumes = z.array(lpVolume).openapi({ description: "LPs with a leg in the range, ordered by address" });

const envelope = {
  network: networkName,
  chainId,
  from: time("Lower bound, inclusive"),
  to: time("Upper bound, exclusive"),
};

const usedPrices = z.array(cachedPrice).openapi({
  description: "Prices that were used for a counted leg, ordered by asset id",
});

/** Answer of `/v1/volume`. */
export const volumeAnswer = z
  .strictObject({ ...envelope, ...volumeFigures, lpVolumes, usedPrices, coverage })
  .openapi("Volume", { description: "Volume over a range" });

/** Answer of `/v1/volume`. */
export type VolumeAnswer = z.output<typeof volumeAnswer>;

const volumeBucket = z
  .strictObject({ from: envelope.from, to: envelope.to, ...volumeFigures, lpVolumes })
  .openapi("VolumeBucket", { description: "Volume over one interval, clipped to the range" });

/** Answer of `/v1/volume/series`. */
export const volumeSeriesAnswer = z
  .strictObject({
    ...envelope,
    interval: z.enum(INTERVALS).openapi({ description: "Interval of the buckets", example: "day" }),
    buckets: z.array(volumeBucket).openapi({
      description: "Buckets in ascending order, without gaps: each begins where the previous one ends",
    }),
    usedPrices,
    coverage,
  })
  .openapi("VolumeSeries", { description: "Volume over a range, by interval" });

/** Answer of `/v1/volume/series`. */
export type VolumeSeriesAnswer = z.output<typeof volumeSeriesAnswer>;
