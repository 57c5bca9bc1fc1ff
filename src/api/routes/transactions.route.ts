import { z } from "@hono/zod-openapi";
import { choice, cursorParameter, entrypointParameter, hexParameter, limitParameter } from "../http/parameters.ts";
import { getRoute } from "../http/route.ts";
import { API_NETWORKS } from "../networks.ts";
import { MAXIMUM_LIMIT } from "../queries/transactions.ts";
import { historyAnswer } from "./transactions.schema.ts";

export const DEFAULT_LIMIT = 50;

export const transactionsRoute = getRoute({
  path: "/v1/transactions",
  summary: "Transaction history of a network",
  description:
    "Canonical economic transactions, newest first. Filters are conditions on the transaction, joined by AND. " +
    "`success` describes receipt execution only; rows above `indexedThroughBlock` may still change.",
  query: z.object({
    network: choice(API_NETWORKS),
    wallet: hexParameter(20, "sender, or user, operator, receiver or allowlist wallet of an activity").optional(),
    outcome: choice(["success", "revert"]).optional(),
    activity: choice(["swap", "allowlist"]).optional(),
    entrypoint: entrypointParameter().optional(),
    transactionHash: hexParameter(32, "a transaction hash").optional(),
    limit: limitParameter(DEFAULT_LIMIT, MAXIMUM_LIMIT).optional(),
    cursor: cursorParameter().optional(),
  }),
  answer: historyAnswer,
});
