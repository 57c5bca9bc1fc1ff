import { createRoute, z } from "@hono/zod-openapi";
import { minIndexedBlockHeaders } from "../http/minIndexedBlock.ts";
import { choice } from "../http/parameters.ts";
import { strictQuery } from "../http/query.ts";
import { NODE_UNAVAILABLE, networkResponses } from "../http/route.ts";
import { API_NETWORKS } from "../shared/networks.ts";
import { treasurySummaryAnswer } from "./summary.schema.ts";

const summaryQuery = z.object({ network: choice(API_NETWORKS) });

/** `GET /v1/treasury/summary` */
export const treasurySummaryRoute = createRoute({
  method: "get",
  path: "/v1/treasury/summary",
  operationId: "getTreasurySummary",
  tags: ["treasury" as const],
  summary: "Supply, reserve, solvency and yield of the treasury token",
  description:
    "Supply, credits, reserve and prices are read from the contracts at the newest indexed block; the accounts with " +
    "credits and the posted rates come from the index. All of it is as of that block.",
  request: { query: summaryQuery, headers: minIndexedBlockHeaders },
  middleware: strictQuery(summaryQuery),
  responses: {
    ...networkResponses(treasurySummaryAnswer, NODE_UNAVAILABLE),
  },
});
