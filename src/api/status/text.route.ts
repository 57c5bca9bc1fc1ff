import { createRoute, z } from "@hono/zod-openapi";
import { refusals } from "../http/route.ts";

const plainText = (description: string, example: string) => ({
  200: { description, content: { "text/plain": { schema: z.string(), example } } },
});

const { 401: unauthorized, 429: limited, 500: failed } = refusals;
const STATUS_EXAMPLE = "ok\nevm-mainnet on\nevm-sepolia on\n";

/** `GET /v1/status` */
export const statusRoute = createRoute({
  method: "get",
  path: "/v1/status",
  operationId: "getStatus",
  tags: ["service"],
  summary: "API status",
  description: "Plain text. The query is ignored.",
  responses: {
    ...plainText(
      "ok if every network is live or in backfill, else the worst of their states, named as in /v1/status/indexing; " +
        "then one line per enabled network, with its state unless that is live",
      STATUS_EXAMPLE,
    ),
    401: unauthorized,
    429: limited,
    500: failed,
  },
});

/** `GET /api/status`, the legacy alias of `/v1/status`. */
export const legacyStatusRoute = createRoute({
  method: "get",
  path: "/api/status",
  operationId: "getLegacyStatus",
  tags: ["service"],
  summary: "Legacy alias of /v1/status",
  description: "Remains available.",
  responses: { ...plainText("Same as /v1/status", STATUS_EXAMPLE), 401: unauthorized, 429: limited, 500: failed },
});

/** `GET /health`, for the document. Ponder itself answers it. */
export const healthRoute = createRoute({
  method: "get",
  path: "/health",
  operationId: "getHealth",
  tags: ["service"],
  summary: "Liveness",
  description: "Plain text. The query is ignored, and no rate limit applies.",
  responses: plainText("Empty; the process is running", ""),
});
