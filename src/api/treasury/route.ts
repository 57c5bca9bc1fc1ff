import { z } from "@hono/zod-openapi";
import { choice, hexParameter } from "../http/parameters.ts";
import { rangeParameters } from "../http/range.ts";
import { NODE_UNAVAILABLE, networkRoute } from "../http/route.ts";
import { API_NETWORKS } from "../shared/networks.ts";
import { treasuryAccountsAnswer, treasuryRatesAnswer } from "./schema.ts";

/** `GET /v1/treasury/rates` */
export const treasuryRatesRoute = networkRoute({
  path: "/v1/treasury/rates",
  operationId: "getTreasuryRates",
  tag: "treasury",
  summary: "Daily rates of the treasury token and their corrections",
  description:
    "The days with a posted rate that begin within [from, to), at most 365 days, for each registered yield-bearing " +
    "delegate. A correction changes the growth index of its day and of all later days.",
  query: z.object({
    network: choice(API_NETWORKS),
    delegate: hexParameter(20, "a yield-bearing delegate").optional(),
    ...rangeParameters,
  }),
  answer: treasuryRatesAnswer,
});

/** `GET /v1/treasury/accounts/{wallet}` */
export const treasuryAccountsRoute = networkRoute({
  path: "/v1/treasury/accounts/{wallet}",
  operationId: "getTreasuryAccounts",
  tag: "treasury",
  summary: "A wallet's treasury credits and their value",
  description:
    "Read from the contracts at the newest indexed block. " +
    "Credits are the stored ones; the redeemable values include what has accrued since.",
  params: z.object({ wallet: hexParameter(20, "a wallet") }),
  query: z.object({ network: choice(API_NETWORKS) }),
  answer: treasuryAccountsAnswer,
  unavailable: NODE_UNAVAILABLE,
});
