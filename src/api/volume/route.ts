import { createRoute, z } from "@hono/zod-openapi";
import { INTERVALS, MAXIMUM_BUCKETS } from "../http/interval.ts";
import { minIndexedBlockHeaders } from "../http/minIndexedBlock.ts";
import { choice, hexParameter } from "../http/parameters.ts";
import { strictQuery } from "../http/queryString.ts";
import { rangeParameters } from "../http/range.ts";
import { networkResponses, networkRoute, notModified } from "../http/route.ts";
import { API_NETWORKS } from "../shared/networks.ts";
import { FEE_UNIT } from "../shared/volume/figures.ts";
import { VOLUME_CSV_COLUMNS } from "./csv.ts";
import { volumeAnswer, volumeSeriesAnswer } from "./schema.ts";

const rangeQuery = z.object({
  network: choice(API_NETWORKS),
  ...rangeParameters,
  lpAddress: hexParameter(20, "a stablecoin delegate").optional(),
});

const seriesQuery = rangeQuery.extend({ interval: choice(INTERVALS) });

/** The query of a series, after it was checked. */
export type SeriesQuery = z.output<typeof seriesQuery>;

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
  query: seriesQuery,
  answer: volumeSeriesAnswer,
});

/** `GET /v1/volume/series.csv` */
export const volumeSeriesCsvRoute = createRoute({
  method: "get",
  path: "/v1/volume/series.csv",
  operationId: "getVolumeSeriesCsv",
  tags: ["volume" as const],
  summary: "Swap volume and fees of a network by hour, day, week or month as a CSV file",
  description:
    "The figures of `/v1/volume/series` with one row per bucket and LP; a bucket without legs has one row without an LP. " +
    `RFC 4180, UTF-8, with the header row \`${VOLUME_CSV_COLUMNS.join(",")}\`. ` +
    "Values are those of the LPs in the JSON answer; `missingPriceAssetIds` are separated by spaces. USD figures are " +
    "decimal numbers with six digits after the point, fees are integers: nominal stablecoin units times 10^18. " +
    "What the figures lack is in the columns of each row, in the headers, and in the name of the file: it ends with " +
    "`-not-final` while blocks of the range can still be added or replaced, and with `-prices-missing` if legs have no price.",
  request: { query: seriesQuery, headers: minIndexedBlockHeaders },
  middleware: strictQuery(seriesQuery),
  responses: {
    ...networkResponses(volumeSeriesAnswer),
    200: {
      description: "The file",
      headers: notModified.headers.extend({
        "Indexed-Through-Block": z.string().optional().openapi({
          description: "Newest final block; figures with later blocks can change. Absent before any block is final",
          example: "21000000",
        }),
        "Range-Final": z.enum(["true", "false"]).openapi({
          description: "Whether every block before `to` is final",
          example: "true",
        }),
        "Pricing-Complete": z.enum(["true", "false"]).openapi({
          description: "Whether all legs of the file were priced",
          example: "true",
        }),
      }),
      content: { "text/csv": { schema: z.string() } },
    },
  },
});
