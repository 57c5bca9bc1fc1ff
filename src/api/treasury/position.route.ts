import { z } from "@hono/zod-openapi";
import { INTERVALS, MAXIMUM_BUCKETS } from "../http/interval.ts";
import { choice, hexParameter } from "../http/parameters.ts";
import { rangeParameters } from "../http/range.ts";
import { networkRoute } from "../http/route.ts";
import { API_NETWORKS } from "../shared/networks.ts";
import { treasuryHistoryAnswer } from "./position.schema.ts";

/** `GET /v1/treasury/accounts/{wallet}/history` */
export const treasuryHistoryRoute = networkRoute({
  path: "/v1/treasury/accounts/{wallet}/history",
  operationId: "getTreasuryHistory",
  tag: "treasury",
  summary: "A wallet's deposits, redemptions and claimed yield over time",
  description:
    "Exact sums over the delegates' events, by hour, day, week or month over [from, to), at most 365 days. Buckets follow " +
    "the UTC calendar (weeks begin on Monday); the first and the last are clipped to the range. " +
    `There are at most ${MAXIMUM_BUCKETS}. All amounts count credits or tokens, which are one to one. ` +
    "Yield that is earned but not claimed is in `/v1/treasury/accounts/{wallet}`, at one block.",
  params: z.object({ wallet: hexParameter(20, "a wallet") }),
  query: z.object({
    network: choice(API_NETWORKS),
    ...rangeParameters,
    interval: choice(INTERVALS),
  }),
  answer: treasuryHistoryAnswer,
});
