import { createRoute, z } from "@hono/zod-openapi";
import { choice, wholeNumberParameter } from "../http/parameters.ts";
import { strictQuery } from "../http/query.ts";
import { jsonResponses } from "../http/route.ts";
import { API_NETWORKS } from "../shared/networks.ts";
import { indexingAnswer } from "./indexing.schema.ts";

/** One year. */
const LONGEST_LAG_SECONDS = 31_536_000;

const indexingQuery = z.object({
  network: choice(API_NETWORKS).optional(),
  maxLagSeconds: wholeNumberParameter(LONGEST_LAG_SECONDS, "seconds, the largest lag allowed").optional(),
});

/** `GET /v1/status/indexing` */
export const indexingRoute = createRoute({
  method: "get",
  path: "/v1/status/indexing",
  operationId: "getIndexingStatus",
  tags: ["service"],
  summary: "Progress of the index: head, newest blocks, lag, state and last audit",
  description:
    "The indexer writes its state to the database every few seconds, so all replicas return the same. " +
    "With maxLagSeconds the endpoint is a probe: it returns 503, with the same body, unless every network requested is " +
    "live or in backfill and its lag is at most maxLagSeconds.",
  request: { query: indexingQuery },
  middleware: strictQuery(indexingQuery),
  responses: {
    ...jsonResponses(indexingAnswer),
    503: {
      description: "A network is neither live nor in backfill, or its lag exceeds maxLagSeconds",
      content: { "application/json": { schema: indexingAnswer } },
    },
  },
});
