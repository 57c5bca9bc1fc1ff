import { z } from "@hono/zod-openapi";
import { choice, hexParameter } from "../http/parameters.ts";
import { networkRoute } from "../http/route.ts";
import { API_NETWORKS } from "../shared/networks.ts";
import { revertAnswer } from "./revert.schema.ts";

/** `GET /v1/transactions/{transactionHash}/revert` */
export const revertRoute = networkRoute({
  path: "/v1/transactions/{transactionHash}/revert",
  operationId: "getTransactionRevert",
  tag: "history",
  summary: "Why a transaction of the history failed",
  description:
    "Read from a node, which is asked for a trace (`debug_traceTransaction`, then `trace_replayTransaction`). If the node " +
    "offers neither, the call is repeated on the state before its block; `source` says which method was used.",
  params: z.object({ transactionHash: hexParameter(32, "a transaction hash") }),
  query: z.object({ network: choice(API_NETWORKS) }),
  answer: revertAnswer,
  unavailable: "; or the network's node does not respond, or has the transaction in another block than the index",
});
