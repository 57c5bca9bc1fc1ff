import { z } from "@hono/zod-openapi";
import { choice, hexParameter, timeParameter } from "../http/parameters.ts";
import { getRoute } from "../http/route.ts";
import { API_NETWORKS } from "../networks.ts";
import { volumeAnswer } from "./volume.schema.ts";

export const volumeRoute = getRoute({
  path: "/v1/volume",
  summary: "Swap volume of a network over a range, split by LP",
  description:
    "One aggregate over [from, to), at most 365 days. Stablecoin legs are valued at 1 USD, RWA to RWA legs at the newest cached " +
    "adapter price of the asset in. `pricingComplete` says whether all legs were priced, `coverage` how much is indexed.",
  query: z.object({
    network: choice(API_NETWORKS),
    from: timeParameter("inclusive lower bound, 30 days before to when left out").optional(),
    to: timeParameter("exclusive upper bound, the request time when left out").optional(),
    lpAddress: hexParameter(20, "a stablecoin delegate").optional(),
  }),
  answer: volumeAnswer,
});
