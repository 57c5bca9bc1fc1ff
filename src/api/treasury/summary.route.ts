import { z } from "@hono/zod-openapi";
import { choice } from "../http/parameters.ts";
import { NODE_UNAVAILABLE, networkRoute } from "../http/route.ts";
import { API_NETWORKS } from "../shared/networks.ts";
import { treasurySummaryAnswer } from "./summary.schema.ts";

/** `GET /v1/treasury/summary` */
export const treasurySummaryRoute = networkRoute({
  path: "/v1/treasury/summary",
  operationId: "getTreasurySummary",
  tag: "treasury",
  summary: "Supply, reserve, solvency and yield of the treasury token",
  description:
    "Supply, credits, reserve and prices are read from the contracts at the newest indexed block; the accounts with " +
    "credits and the posted rates come from the index. All of it is as of that block.",
  query: z.object({ network: choice(API_NETWORKS) }),
  answer: treasurySummaryAnswer,
  unavailable: NODE_UNAVAILABLE,
});
