/** The API as one Hono app over the dependencies given. */
import { OpenAPIHono } from "@hono/zod-openapi";
import type { ApiDependencies } from "./dependencies.ts";
import { indexOf, openApiDocument } from "./document.ts";
import { constantAnswer } from "./http/conditional.ts";
import { BadRequest } from "./http/errors.ts";
import { documentRoute, indexRoute } from "./routes/index.route.ts";
import { evmInfoHandler, infoHandler, svmInfoHandler } from "./routes/info.handler.ts";
import { evmInfoRoute, infoRoute, svmInfoRoute } from "./routes/info.route.ts";
import { statusHandler } from "./routes/status.handler.ts";
import { healthRoute, legacyStatusRoute, statusRoute } from "./routes/status.route.ts";
import { transactionsHandler } from "./routes/transactions.handler.ts";
import { transactionsRoute } from "./routes/transactions.route.ts";
import { volumeHandler } from "./routes/volume.handler.ts";
import { volumeRoute } from "./routes/volume.route.ts";

/** Paths that Ponder answers itself, ahead of this app. */
const PONDER_PATHS = ["/health", "/ready", "/status", "/metrics"];

/** OPTIONS is Ponder's CORS preflight. */
const ALLOWED_METHODS = "GET, HEAD, OPTIONS";

/** Builds the app. It ends in a catch-all, because Ponder mounts it and ignores its `notFound`. */
export function createApp(dependencies: ApiDependencies): OpenAPIHono {
  const app = new OpenAPIHono({
    defaultHook: (result) => {
      if (result.success) return;
      throw new BadRequest(result.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; "));
    },
  });

  app.use(async (c, next) => {
    await next();
    c.header("X-Content-Type-Options", "nosniff");
    c.header("Access-Control-Expose-Headers", "ETag, Retry-After");
  });
  app.onError((error, c) => {
    const isRefusal = error instanceof BadRequest;
    if (!isRefusal) dependencies.logError(`${c.req.method} ${c.req.path} failed`, error);
    const status = isRefusal ? 400 : 500;
    return c.json({ error: isRefusal ? error.message : "internal error", status }, status, {
      "Cache-Control": "no-store",
    });
  });

  // Both are made when all routes are known, below.
  app.openapi(indexRoute, (c) => constantAnswer(c, ["/"], index));
  app.openapi(documentRoute, (c) => constantAnswer(c, ["/openapi.json"], document));
  app.openAPIRegistry.registerPath(healthRoute);
  app.openapi(statusRoute, statusHandler(dependencies));
  app.openapi(legacyStatusRoute, statusHandler(dependencies));
  app.openapi(infoRoute, infoHandler(dependencies));
  app.openapi(evmInfoRoute, evmInfoHandler(dependencies));
  app.openapi(svmInfoRoute, svmInfoHandler(dependencies));
  app.openapi(transactionsRoute, transactionsHandler(dependencies));
  app.openapi(volumeRoute, volumeHandler(dependencies));
  const document = openApiDocument(app);
  const index = indexOf(document);

  const knownPaths = new Set([...PONDER_PATHS, ...Object.keys(document.paths ?? {})]);
  app.all("*", (c) => {
    const isKnown = knownPaths.has(c.req.path);
    const status = isKnown ? 405 : 404;
    const error = isKnown ? `method not allowed, allowed are ${ALLOWED_METHODS}` : "no such path, see / for all paths";
    const allow = isKnown ? { Allow: ALLOWED_METHODS } : {};
    return c.json({ error, status }, status, { "Cache-Control": "no-store", ...allow });
  });
  return app;
}
