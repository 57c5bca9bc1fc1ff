import { z } from "@hono/zod-openapi";
import { choice, hexParameter } from "../http/parameters.ts";
import { rangeParameters } from "../http/range.ts";
import { networkRoute } from "../http/route.ts";
import { API_NETWORKS } from "../shared/networks.ts";
import { navsAnswer } from "./navs.schema.ts";

/** Maximum number of changes in an answer. */
export const MAXIMUM_CHANGES = 1_000;

/** `GET /v1/assets/{rwaId}/navs` */
export const navsRoute = networkRoute({
  path: "/v1/assets/{rwaId}/navs",
  operationId: "getNavs",
  tag: "deployments",
  summary: "NAVs of an RWA over time",
  description:
    "The NAVs that the RWA's price adapters posted while each was in force, over [from, to), at most 365 days. Between two " +
    "changes the earlier one applies, unless the adapter refuses a NAV as too old. Adapters that read a feed or a vault " +
    `post nothing. At most ${MAXIMUM_CHANGES} changes, the newest ones; \`hasMore\` says whether there are older ones.`,
  params: z.object({ rwaId: hexParameter(32, "the id of an RWA") }),
  query: z.object({ network: choice(API_NETWORKS), ...rangeParameters }),
  answer: navsAnswer,
});
