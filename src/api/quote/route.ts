import { createRoute, z } from "@hono/zod-openapi";
import { minIndexedBlockHeaders } from "../http/minIndexedBlock.ts";
import { amountParameter, choice, hexParameter } from "../http/parameters.ts";
import { strictQuery } from "../http/queryString.ts";
import { errorResponse, NODE_UNAVAILABLE, networkResponses } from "../http/route.ts";
import { API_NETWORKS } from "../shared/networks.ts";
import { quoteAnswer } from "./schema.ts";

const ROUTES = ["1", "2", "3", "4", "5", "6", "7", "8"] as const;

const query = z.object({
  network: choice(API_NETWORKS),
  user: hexParameter(20, "the account that would pay"),
  routeId: choice(ROUTES),
  assetInId: hexParameter(32, "the asset that the user would pay"),
  assetOutId: hexParameter(32, "the asset that the receiver would get"),
  stablecoinDelegateId: hexParameter(32, "the stablecoin whose delegate would settle"),
  amountIn: amountParameter("the asset in, for routes 1, 3, 5 and 7").optional(),
  amountOut: amountParameter("the asset out, for routes 2, 4, 6 and 8").optional(),
});

/** A leg to be quoted, as given in requests. */
export type QuoteQuery = z.output<typeof query>;

/** `GET /v1/quote` */
export const quoteRoute = createRoute({
  method: "get",
  path: "/v1/quote",
  operationId: "getQuote",
  tags: ["deployments" as const],
  summary: "What a swap of one leg would settle",
  description:
    "`quoteSwap` of the swap contract, read from a node at the newest indexed block. Odd routes take the exact " +
    "`amountIn`, even routes the exact `amountOut`. A quote ignores pauses, the blacklist, whitelists, risk " +
    "delegates, intake caps, balances, approvals and custody, so the swap can still revert. The swap settles at the prices and rates of its own block, " +
    "so send it with a bound.",
  request: { query, headers: minIndexedBlockHeaders },
  middleware: strictQuery(query),
  responses: {
    ...networkResponses(quoteAnswer, NODE_UNAVAILABLE),
    422: errorResponse("The swap contract refuses to quote this leg; the message names its error"),
  },
});
