import { createRoute, z } from "@hono/zod-openapi";
import { INTERVALS, MAXIMUM_BUCKETS } from "../http/interval.ts";
import { minIndexedBlockHeaders } from "../http/minIndexedBlock.ts";
import { choice, hexParameter } from "../http/parameters.ts";
import { strictQuery } from "../http/query.ts";
import { rangeParameters } from "../http/range.ts";
import { networkResponses } from "../http/route.ts";
import { API_NETWORKS } from "../shared/networks.ts";
import { treasuryHistoryAnswer } from "./position.schema.ts";

const historyQuery = z.object({
  network: choice(API_NETWORKS),
  ...rangeParameters,
  interval: choice(INTERVALS),
});

/** `GET /v1/treasury/accounts/{wallet}/history` */
export const treasuryHistoryRoute = createRoute({
  method: "get",
  path: "/v1/treasury/accounts/{wallet}/history",
  operationId: "getTreasuryHistory",
  tags: ["treasury" as const],
  summary: "A wallet's deposits, redemptions and claimed yield over time",
  description:
    "Exact sums over the delegates' events, by hour, day, week or month over [from, to), at most 365 days. Buckets follow " +
    "the UTC calendar (weeks begin on Monday); the first and the last are clipped to the range. " +
    `There are at most ${MAXIMUM_BUCKETS}. All amounts count credits or tokens, which are one to one. ` +
    "Yield that is earned but not claimed is in `/v1/treasury/accounts/{wallet}`, at one block.",
  request: {
    params: z.object({ wallet: hexParameter(20, "a wallet") }),
    query: historyQuery,
    headers: minIndexedBlockHeaders,
  },
  middleware: strictQuery(historyQuery),
  responses: networkResponses(treasuryHistoryAnswer),
});
