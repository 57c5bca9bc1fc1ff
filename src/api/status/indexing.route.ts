import { createRoute, z } from "@hono/zod-openapi";
import { choice, wholeNumberParameter } from "../http/parameters.ts";
import { strictQuery } from "../http/queryString.ts";
import { jsonResponses } from "../http/route.ts";
import { API_NETWORKS } from "../shared/networks.ts";
import { indexingAnswer } from "./indexing.schema.ts";

/** One year. */
const LONGEST_SECONDS = 31_536_000;

const indexingQuery = z.object({
  network: choice(API_NETWORKS).optional(),
  maxLagSeconds: wholeNumberParameter(LONGEST_SECONDS, "seconds, the largest lag allowed").optional(),
  maxAgeSeconds: wholeNumberParameter(LONGEST_SECONDS, "seconds, the greatest age of the newest state").optional(),
});

/** `GET /v1/status/indexing` */
export const indexingRoute = createRoute({
  method: "get",
  path: "/v1/status/indexing",
  operationId: "getIndexingStatus",
  tags: ["service"],
  summary: "Progress of the index: head, newest blocks, lag, state and last audit",
  description:
    "The indexer writes its state to the database every second, so all replicas return the same, except that each " +
    "server also compares the index with its own node and may find it forked. " +
    "With maxLagSeconds the endpoint is a probe: it returns 503, with the same body, unless every network requested is " +
    "live or in backfill and its lag is at most maxLagSeconds. A newest block more than 20 seconds in the future fails " +
    "this check, too, because the clock of the server is then behind. With maxAgeSeconds it returns 503 unless the newest " +
    "state of the networks requested was written at most that long ago: a replica that fails this check reads a database " +
    "that is behind.",
  request: { query: indexingQuery },
  middleware: strictQuery(indexingQuery),
  responses: {
    ...jsonResponses(indexingAnswer),
    503: {
      description:
        "A network is neither live nor in backfill, its lag exceeds maxLagSeconds, or the newest state is older than " +
        "maxAgeSeconds",
      content: { "application/json": { schema: indexingAnswer } },
    },
  },
});
