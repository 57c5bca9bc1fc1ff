/** Answers of `/v1/volume` and `/v1/volume/series`. */
import { z } from "@hono/zod-openapi";
import { cachedPrice } from "../shared/cachedPrices.ts";
import { address, bytes32, chainId, count, coverage, networkName, time, usd } from "../shared/fields.ts";
import { INTERVALS } from "./interval.ts";

const figures = {
  pricedVolumeUsd: usd("Volume of the priced legs, rounded down once per LP"),
  totalLegCount: count("Realized legs in the range"),
  pricedLegCount: count("Legs that pricedVolumeUsd includes"),
  unpricedLegCount: count("Legs without a price, because their RWA has none"),
  pricingComplete: z.boolean().openapi({ description: "Whether all legs were priced" }),
  missingPriceAssetIds: z.array(bytes32("Id of an RWA without a price")).openapi({
    description: "RWAs whose missing price leaves legs unpriced, in ascending order",
  }),
};

const lpVolume = z
  .strictObject({ lpAddress: address("Delegate that settled the legs"), ...figures })
  .openapi("LpVolume", { description: "Volume of one LP" });

/** The volume of one LP, as answers show it. */
export type LpVolume = z.output<typeof lpVolume>;

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
  .strictObject({ ...envelope, ...figures, lpVolumes, usedPrices, coverage })
  .openapi("Volume", { description: "Volume over a range" });

/** Answer of `/v1/volume`. */
export type VolumeAnswer = z.output<typeof volumeAnswer>;

const volumeBucket = z
  .strictObject({ from: envelope.from, to: envelope.to, ...figures, lpVolumes })
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
