/** The API as one Hono app over the dependencies given. */
import { OpenAPIHono } from "@hono/zod-openapi";
import type { ErrorHandler, Handler } from "hono";
import type { ApiDependencies } from "./dependencies.ts";
import { EXPLORER_POLICY, type ExplorerAsset, explorerAssets } from "./docs/assets.ts";
import { indexOf, openApiDocument } from "./document.ts";
import { conditional, constantAnswer } from "./http/conditional.ts";
import { HttpError } from "./http/errors.ts";
import { commonHeaders } from "./http/headers.ts";
import { refusalOf } from "./http/query.ts";
import { rateLimit } from "./http/rateLimit.ts";
import { serveRoute } from "./http/route.ts";
import { docsRoute, documentRoute, indexRoute } from "./routes/index.route.ts";
import { evmInfoHandler, infoHandler, svmInfoHandler } from "./routes/info.handler.ts";
import { evmInfoRoute, infoRoute, svmInfoRoute } from "./routes/info.route.ts";
import { statusHandler } from "./routes/status.handler.ts";
import { healthRoute, legacyStatusRoute, statusRoute } from "./routes/status.route.ts";
import { transactionsCsvHandler, transactionsHandler } from "./routes/transactions.handler.ts";
import { transactionsCsvRoute, transactionsRoute } from "./routes/transactions.route.ts";
import { treasuryAccountsHandler, treasuryRatesHandler } from "./routes/treasury.handler.ts";
import { treasuryAccountsRoute, treasuryRatesRoute } from "./routes/treasury.route.ts";
import { volumeHandler, volumeSeriesHandler } from "./routes/volume.handler.ts";
import { volumeRoute, volumeSeriesRoute } from "./routes/volume.route.ts";
import { indexingHandler } from "./status/indexing.handler.ts";
import { indexingRoute } from "./status/indexing.route.ts";

/** Paths that Ponder answers itself, ahead of this app. */
const PONDER_PATHS = ["/health", "/ready", "/status", "/metrics"];

/** OPTIONS is Ponder's CORS preflight. */
const ALLOWED_METHODS = "GET, HEAD, OPTIONS";

/** Adds routes of the process, ahead of the catch-all. */
export type MoreRoutes = (app: OpenAPIHono) => void;

/** Builds the app. It ends in a catch-all, because Ponder mounts it and ignores its `notFound`. */
export function createApp(dependencies: ApiDependencies, addMoreRoutes: MoreRoutes = () => {}): OpenAPIHono {
  const { logError, limits } = dependencies;
  const app = new OpenAPIHono({
    defaultHook: (result) => {
      if (!result.success) throw refusalOf(result.error);
    },
  });

  app.use(
    commonHeaders({
      "X-Content-Type-Options": "nosniff",
      "Access-Control-Expose-Headers": "ETag, Indexed-Through-Block, Retry-After",
    }),
  );
  app.onError(errorHandler(logError));
  if (limits.requestsPerMinute > 0) app.use(rateLimit(limits.requestsPerMinute, limits.clientOf));
  if (limits.accountRequestsPerMinute > 0) {
    app.use("/v1/treasury/accounts/*", rateLimit(limits.accountRequestsPerMinute, limits.clientOf));
  }

  // Both are made when all routes are known, below.
  app.openapi(indexRoute, (c) => constantAnswer(c, ["/"], index));
  app.openapi(documentRoute, (c) => constantAnswer(c, ["/openapi.json"], document));
  const assets = explorerAssets();
  app.openAPIRegistry.registerPath(docsRoute);
  for (const [path, asset] of assets) app.get(path, assetHandler(path, asset));
  app.openAPIRegistry.registerPath(healthRoute);
  app.openapi(statusRoute, statusHandler(dependencies));
  serveRoute(app, indexingRoute, indexingHandler(dependencies));
  app.openapi(legacyStatusRoute, statusHandler(dependencies));
  serveRoute(app, infoRoute, infoHandler(dependencies));
  serveRoute(app, evmInfoRoute, evmInfoHandler(dependencies));
  serveRoute(app, svmInfoRoute, svmInfoHandler(dependencies));
  serveRoute(app, transactionsRoute, transactionsHandler(dependencies));
  app.openapi(transactionsCsvRoute, transactionsCsvHandler(dependencies));
  serveRoute(app, volumeRoute, volumeHandler(dependencies));
  serveRoute(app, volumeSeriesRoute, volumeSeriesHandler(dependencies));
  serveRoute(app, treasuryRatesRoute, treasuryRatesHandler(dependencies));
  app.openapi(treasuryAccountsRoute, treasuryAccountsHandler(dependencies));
  const document = openApiDocument(app);
  const index = indexOf(document);
  addMoreRoutes(app);

  const isKnown = knownPath([...PONDER_PATHS, ...assets.keys(), ...Object.keys(document.paths ?? {})]);
  app.all("*", (c) => {
    const status = isKnown(c.req.path) ? 405 : 404;
    const error =
      status === 405 ? `method not allowed, allowed are ${ALLOWED_METHODS}` : "no such path, see / for all paths";
    const allow = status === 405 ? { Allow: ALLOWED_METHODS } : {};
    return c.json({ error, status }, status, { "Cache-Control": "no-store", ...allow });
  });
  return app;
}

/** Answers an `HttpError` with its own message. Any other error is logged, and answered 500 without a word of it. */
function errorHandler(logError: ApiDependencies["logError"]): ErrorHandler {
  return (error, c) => {
    const isForClient = error instanceof HttpError;
    if (!isForClient) logError(`${c.req.method} ${c.req.path} failed`, error);
    const status = isForClient ? error.status : 500;
    return c.json({ error: isForClient ? error.message : "internal error", status }, status, {
      "Cache-Control": "no-store",
      ...(isForClient ? error.headers : {}),
    });
  };
}

/** Answers with a file of the explorer. */
function assetHandler(path: string, { mediaType, text }: ExplorerAsset): Handler {
  return (c) => {
    const { isCurrent, headers } = conditional(c, [path], text, `${mediaType}; charset=utf-8`);
    if (isCurrent) return c.body(null, 304, headers);
    return c.body(text, 200, { ...headers, "Content-Security-Policy": EXPLORER_POLICY });
  };
}

/** Whether a path is one of those given, in which `{name}` stands for one segment. */
function knownPath(templates: readonly string[]): (path: string) => boolean {
  const known = templates.map((template) => template.split("/"));
  return (path) => {
    const segments = path.split("/");
    return known.some(
      (template) =>
        template.length === segments.length &&
        template.every((part, index) => (part.startsWith("{") ? segments[index] !== "" : part === segments[index])),
    );
  };
}
