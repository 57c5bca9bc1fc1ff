import { createRoute, z } from "@hono/zod-openapi";
import { minIndexedBlockHeaders } from "../http/minIndexedBlock.ts";
import { choice, hexParameter } from "../http/parameters.ts";
import { strictQuery } from "../http/query.ts";
import { networkResponses } from "../http/route.ts";
import { API_NETWORKS } from "../shared/networks.ts";
import { revertAnswer } from "./revert.schema.ts";

const revertQuery = z.object({ network: choice(API_NETWORKS) });

/** `GET /v1/transactions/{transactionHash}/revert` */
export const revertRoute = createRoute({
  method: "get",
  path: "/v1/transactions/{transactionHash}/revert",
  operationId: "getTransactionRevert",
  tags: ["history" as const],
  summary: "Why a transaction of the history failed",
  description:
    "Read from a node, which is asked for a trace (`debug_traceTransaction`, then `trace_replayTransaction`). A node that " +
    "offers neither calls the transaction again on the state before its block; `source` says which of them it was.",
  request: {
    params: z.object({ transactionHash: hexParameter(32, "a transaction hash") }),
    query: revertQuery,
    headers: minIndexedBlockHeaders,
  },
  middleware: strictQuery(revertQuery),
  responses: networkResponses(
    revertAnswer,
    "; or the network's node does not respond, or has the transaction in another block than the index",
  ),
});
