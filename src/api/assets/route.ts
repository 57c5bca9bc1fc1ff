import { z } from "@hono/zod-openapi";
import { choice } from "../http/parameters.ts";
import { networkRoute } from "../http/route.ts";
import { API_NETWORKS } from "../shared/networks.ts";
import { assetsAnswer } from "./schema.ts";

/** `GET /v1/assets` */
export const assetsRoute = networkRoute({
  path: "/v1/assets",
  operationId: "getAssets",
  tag: "deployments",
  summary: "Assets of a network with prices and rates by pair",
  description:
    "Values and rates as the contracts' events set them, at the newest indexed block. A rate does not mean that an " +
    "LP takes the asset: `/v1/lps/{address}` lists the assets that it deals in.",
  query: z.object({ network: choice(API_NETWORKS) }),
  answer: assetsAnswer,
});
