import { createRoute, z } from "@hono/zod-openapi";

const plainText = (description: string) => ({
  200: { description, content: { "text/plain": { schema: z.string() } } },
});

export const statusRoute = createRoute({
  method: "get",
  path: "/v1/status",
  summary: "API status",
  responses: plainText("ok, and a line for each network that is on"),
});

export const legacyStatusRoute = createRoute({
  method: "get",
  path: "/api/status",
  summary: "Legacy alias of /v1/status",
  responses: plainText("As /v1/status"),
});

/** Ponder answers this one; it is here for the document. */
export const healthRoute = createRoute({
  method: "get",
  path: "/health",
  summary: "Liveness",
  responses: plainText("Empty, while the process lives"),
});
