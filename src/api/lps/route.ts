import { z } from "@hono/zod-openapi";
import { choice, hexParameter } from "../http/parameters.ts";
import { NODE_UNAVAILABLE, networkRoute } from "../http/route.ts";
import { API_NETWORKS } from "../shared/networks.ts";
import { FEE_UNIT } from "../shared/volume/figures.ts";
import { lpAnswer } from "./schema.ts";

/** `GET /v1/lps/{address}` */
export const lpRoute = networkRoute({
  path: "/v1/lps/{address}",
  operationId: "getLp",
  tag: "deployments",
  summary: "An LP: what it settled and earned, and what its custody holds and allows",
  description:
    "Volume and fees since its first leg come from the index and follow the rules of `/v1/volume`; custody, approvals, " +
    `intake and derived legs are read from the contracts at the newest indexed block. ${FEE_UNIT}`,
  params: z.object({ address: hexParameter(20, "an LP, which is the delegate of a stablecoin") }),
  query: z.object({ network: choice(API_NETWORKS) }),
  answer: lpAnswer,
  unavailable: NODE_UNAVAILABLE,
});
