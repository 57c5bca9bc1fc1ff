/** Figures of volume and fees in answers. */
import { z } from "@hono/zod-openapi";
import { bytes32, count, integerText, usd } from "../fields.ts";

const fee = (description: string) =>
  integerText(`${description}, in nominal stablecoin units times 10^18`, "1250000000000000000");

/** Volume and fees of some legs, as members of an answer. */
export const volumeFigures = {
  pricedVolumeUsd: usd("Volume of the priced legs, rounded down once per LP"),
  totalLegCount: count("Realized legs in the range"),
  pricedLegCount: count("Legs that pricedVolumeUsd includes"),
  unpricedLegCount: count("Legs without a price, because their RWA has none"),
  pricingComplete: z.boolean().openapi({ description: "Whether all legs were priced" }),
  missingPriceAssetIds: z.array(bytes32("ID of an RWA without a price")).openapi({
    description: "RWAs whose missing price leaves legs unpriced, in ascending order",
  }),
  issuerFeeWad: fee("Issuer-paid protocol fees of all legs"),
  spreadFeeWad: fee("Protocol part of the LPs' spreads over all legs"),
  lpFeeWad: fee("LP part of the spreads over all legs"),
};

/** The unit of the fees, for descriptions of endpoints. */
export const FEE_UNIT =
  "Fees are exact sums over all legs, priced or not. Each leg pays them in its settling stablecoin, also from RWA to " +
  "RWA. They are scaled to 18 decimals and added up as nominal units: every stablecoin counts as 1, as in the volume.";

/** Volume and fees of some legs in answers. */
export type VolumeFigures = z.output<z.ZodObject<typeof volumeFigures>>;
