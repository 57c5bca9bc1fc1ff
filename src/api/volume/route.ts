import { z } from "@hono/zod-openapi";
import { INTERVALS, MAXIMUM_BUCKETS } from "../http/interval.ts";
import { choice, hexParameter } from "../http/parameters.ts";
import { rangeParameters } from "../http/range.ts";
import { networkRoute } from "../http/route.ts";
import { API_NETWORKS } from "../shared/networks.ts";
import { FEE_UNIT } from "../shared/volume/figures.ts";
import { volumeAnswer, volumeSeriesAnswer } from "./schema.ts";

const rangeQuery = z.object({
  network: choice(API_NETWORKS),
  ...rangeParameters,
  lpAddress: hexParameter(20, "a stablecoin delegate").optional(),
});

const VALUATION =
  "over [from, to), at most 365 days. Stablecoin legs are valued at 1 USD, RWA to RWA legs at the newest cached " +
  "adapter price of the asset in. `pricingComplete` says whether all legs are priced, `coverage` how much is indexed. " +
  FEE_UNIT;

/** `GET /v1/volume` */
export const volumeRoute = networkRoute({
  path: "/v1/volume",
  operationId: "getVolume",
  tag: "volume",
  summary: "Swap volume and fees of a network over a range, split by LP",
  description: `One aggregate ${VALUATION}`,
  query: rangeQuery,
  answer: volumeAnswer,
});

/** `GET /v1/volume/series` */
export const volumeSeriesRoute = networkRoute({
  path: "/v1/volume/series",
  operationId: "getVolumeSeries",
  tag: "volume",
  summary: "Swap volume and fees of a network by hour, day, week or month",
  description:
    `The figures of \`/v1/volume\` in buckets ${VALUATION} ` +
    "Buckets follow the UTC calendar (weeks begin on Monday); the first and the last are clipped to the range. " +
    `There are at most ${MAXIMUM_BUCKETS}. ` +
    "Counts and fees add up to those of the range; USD figures are rounded down per LP and bucket.",
  query: rangeQuery.extend({ interval: choice(INTERVALS) }),
  answer: volumeSeriesAnswer,
});
