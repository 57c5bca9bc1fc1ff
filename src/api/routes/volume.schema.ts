/** Answer of `/v1/volume`. */
import { z } from "@hono/zod-openapi";
import { address, blockReference, bytes32, count, coverage, integerText, time, usd } from "../formats/fields.ts";
import { API_NETWORKS } from "../networks.ts";

const figures = {
  pricedVolumeUsd: usd("Volume of the priced legs, rounded down once per LP"),
  totalLegCount: count("Realized legs in the range"),
  pricedLegCount: count("Legs in pricedVolumeUsd"),
  unpricedLegCount: count("Legs that lack an RWA price"),
  pricingComplete: z.boolean().openapi({ description: "Whether every leg was priced" }),
  missingPriceAssetIds: z.array(bytes32("Id of an RWA without a price")).openapi({ description: "In ascending order" }),
};

const lpVolume = z
  .strictObject({ lpAddress: address("Delegate that settled the legs"), ...figures })
  .openapi("LpVolume");

export type LpVolume = z.output<typeof lpVolume>;

const usedPrice = z
  .strictObject({
    assetId: bytes32("Id of the RWA"),
    priceAdapter: address("Adapter that gave the price"),
    priceUsdWad: integerText("USD a whole token, times 10^18", "1052300000000000000"),
    fetchedAt: time("When the adapter was read"),
    observation: blockReference.openapi({ description: "Block at which the adapter was read" }),
  })
  .openapi("UsedPrice");

export const volumeAnswer = z
  .strictObject({
    network: z.enum(API_NETWORKS),
    chainId: z.int(),
    from: time("Lower bound, inclusive"),
    to: time("Upper bound, exclusive"),
    ...figures,
    lpVolumes: z.array(lpVolume).openapi({ description: "LPs with a leg in the range, ordered by address" }),
    usedPrices: z.array(usedPrice).openapi({ description: "Prices that valued a counted leg, ordered by asset id" }),
    coverage,
  })
  .openapi("Volume");

export type VolumeAnswer = z.output<typeof volumeAnswer>;
