import { createRoute, z } from "@hono/zod-openapi";
import { choice } from "../http/parameters.ts";
import { strictQuery } from "../http/query.ts";
import { errorResponse, jsonResponses } from "../http/route.ts";
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
  request: { query: summaryQuery },
  middleware: strictQuery(summaryQuery),
  responses: {
    ...jsonResponses(treasurySummaryAnswer),
    503: errorResponse("The network's node does not respond or has another block, or nothing is indexed yet"),
  },
});
