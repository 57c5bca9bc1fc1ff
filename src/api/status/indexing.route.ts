import { createRoute, z } from "@hono/zod-openapi";
import { choice, wholeNumberParameter } from "../http/parameters.ts";
import { strictQuery } from "../http/query.ts";
import { jsonResponses } from "../http/route.ts";
import { API_NETWORKS } from "../shared/networks.ts";
import { indexingAnswer } from "./indexing.schema.ts";

/** A year. */
const LONGEST_LAG_SECONDS = 31_536_000;

const indexingQuery = z.object({
  network: choice(API_NETWORKS).optional(),
  maxLagSeconds: wholeNumberParameter(LONGEST_LAG_SECONDS, "seconds, the most that the lag may be").optional(),
});

/** `GET /v1/status/indexing` */
export const indexingRoute = createRoute({
  method: "get",
  path: "/v1/status/indexing",
  operationId: "getIndexingStatus",
  tags: ["service"],
  summary: "Where the index is: head, newest blocks, lag, state and last audit",
  description:
    "From what the indexer writes into the database every few seconds, so that every replica answers the same. " +
    "With maxLagSeconds it is a probe: 503, with the same body, unless every network asked for is live or in backfill " +
    "and its lag is at most that.",
  request: { query: indexingQuery },
  middleware: strictQuery(indexingQuery),
  responses: {
    ...jsonResponses(indexingAnswer),
    503: {
      description: "A network is neither live nor in backfill, or its lag is above maxLagSeconds",
      content: { "application/json": { schema: indexingAnswer } },
    },
  },
});
