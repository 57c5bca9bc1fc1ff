import type { OpenAPIHono } from "@hono/zod-openapi";
import { type FeatureOptions, featureApp } from "../http/route.ts";
import { indexingHandler } from "./indexing.handler.ts";
import { indexingRoute } from "./indexing.route.ts";
import type { StatusSource } from "./statuses.ts";
import { statusHandler } from "./text.handler.ts";
import { healthRoute, legacyStatusRoute, statusRoute } from "./text.route.ts";

/**
 * Serves the status of API and index: `/v1/status`, its alias, and `/v1/status/indexing`. Ponder itself answers
 * `/health`.
 */
export function status(options: FeatureOptions & StatusSource): OpenAPIHono {
  const app = featureApp();
  app.openAPIRegistry.registerPath(healthRoute);
  return app
    .openapi(statusRoute, statusHandler(options))
    .openapi(indexingRoute, indexingHandler(options))
    .openapi(legacyStatusRoute, statusHandler(options));
}
