/** Builds the API as one Hono app over the given dependencies. */

import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context, ErrorHandler } from "hono";
import { requestId } from "hono/request-id";
import type { PublicClient } from "viem";
import { assets } from "./assets/handler.ts";
import { dashboardApp } from "./dashboard/handler.ts";
import { openApiDocument } from "./document/document.ts";
import { documentation } from "./document/handler.ts";
import { guideApp } from "./guide/handler.ts";
import { answersKeeping } from "./http/answer.ts";
import type { KeyOf } from "./http/apiKeys.ts";
import { HttpError } from "./http/errors.ts";
import { type ClientOf, rateLimit } from "./http/rateLimit.ts";
import { featureApp } from "./http/route.ts";
import type { StaticFiles } from "./http/staticFiles.ts";
import { info } from "./info/handler.ts";
import type { SvmDeployments } from "./info/svm/schema.ts";
import { lps } from "./lps/handler.ts";
import { quote } from "./quote/handler.ts";
import type { Database } from "./shared/database.ts";
import type { DeepFork } from "./shared/health.ts";
import type { ApiNetwork } from "./shared/networks.ts";
import { status } from "./status/handler.ts";
import type { FileLimits } from "./transactions/csv.handler.ts";
import type { EventStreams } from "./transactions/events.ts";
import { transactions } from "./transactions/handler.ts";
import { treasury } from "./treasury/handler.ts";
import { volume } from "./volume/handler.ts";

/** Enough for about a hundred pages of fifty transactions, or ten thousand other answers. */
const KEPT_BYTES = 32 * 1024 * 1024;

/** Paths that Ponder answers itself, ahead of this app, in which it allows no such routes. */
const PONDER_PATHS: ReadonlySet<string> = new Set(["/health", "/ready", "/status", "/metrics"]);

/** OPTIONS is Ponder's CORS preflight. */
const ALLOWED_METHODS = "GET, HEAD, OPTIONS";

const COMMON_HEADERS = {
  "X-Content-Type-Options": "nosniff",
  "Access-Control-Expose-Headers":
    "ETag, Indexed-Through-Block, Pricing-Complete, Range-Final, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id",
};

/** Number of requests per minute that one client without a key may make. 0 means no limit, also with a key. */
interface RequestLimits {
  readonly requestsPerMinute: number;
  /** The limit of each path that asks a node, counted separately. It protects the quota of the node. */
  readonly nodeRequestsPerMinute: number;
  /** Tells clients without a key apart. */
  readonly clientOf: ClientOf;
  /** Absent if there are no keys: `Authorization` is then ignored. */
  readonly keyOf?: KeyOf;
  /** Whether a request without a key is left out of the limit for all paths. None is by default. */
  readonly isUnlimited?: (c: Context) => boolean;
  /** Sees each request before it is limited. */
  readonly inspect?: (c: Context) => void;
}

/** Everything that `createApp` takes from outside. */
export interface ApiDependencies {
  readonly database: Database;
  /** The enabled networks, in canonical order. */
  readonly networks: readonly ApiNetwork[];
  readonly svm: SvmDeployments;
  /** Returns the request time in seconds since 1970. */
  readonly now: () => bigint;
  /** A network's node. Only treasury accounts and summaries, LPs, quotes and reasons of failures need it. */
  readonly nodeOf: (network: ApiNetwork) => PublicClient;
  /**
   * Returns the fork that the last comparison of a network's final rows with its node found, or null when they agreed.
   */
  readonly forkOf: (network: ApiNetwork) => DeepFork | null;
  /** Files of the dashboard, or null if it was not built. */
  readonly dashboard: StaticFiles | null;
  /** Files of the documentation site, or null if it was not built. */
  readonly guide: StaticFiles | null;
  readonly limits: RequestLimits;
  readonly files: FileLimits;
  readonly events: EventStreams;
  /** Logs errors whose details a client must not see. */
  readonly logError: (message: string, error: unknown) => void;
}

/** Adds more routes before the catch-all. */
type MoreRoutes = (app: OpenAPIHono) => void;

/** Builds the app. Its last route is a catch-all, because Ponder mounts the app and ignores its `notFound`. */
export function createApp(dependencies: ApiDependencies, addMoreRoutes: MoreRoutes = () => {}): OpenAPIHono {
  const { logError, limits } = dependencies;
  const app = featureApp();
  // Takes over the ID of a proxy.
  app.use(requestId());
  app.use(async (c, next) => {
    for (const [name, value] of Object.entries(COMMON_HEADERS)) c.header(name, value);
    await next();
  });
  app.onError(errorHandler(logError));
  // The dashboard comes before the limits, because one page view loads a dozen files.
  app.route("/", dashboardApp(dependencies.dashboard));
  app.route("/", guideApp(dependencies.guide));
  const clientOf = limitRequests(app, limits);

  const options = { ...dependencies, clientOf, answer: answersKeeping(KEPT_BYTES) };
  app.route("/", documentation({ ...options, documentOf: () => document }));
  for (const feature of [status, info, assets, lps, quote, transactions, volume, treasury])
    app.route("/", feature(options));
  const document = openApiDocument(app);
  const gets = new Set(app.routes.filter(({ method }) => method === "GET").map(({ path }) => path));
  addMoreRoutes(app);

  for (const path of gets) app.all(path, notAllowed);
  app.all("*", (c) => {
    if (PONDER_PATHS.has(c.req.path)) return notAllowed(c);
    const error = "no such path: / lists all paths";
    return c.json({ error, status: 404 }, 404, { "Cache-Control": "no-store" });
  });
  return app;
}

/** Answers what no other route of a known path has answered. */
function notAllowed(c: Context): Response {
  const error = `method not allowed: use ${ALLOWED_METHODS}`;
  return c.json({ error, status: 405 }, 405, { "Cache-Control": "no-store", Allow: ALLOWED_METHODS });
}

/**
 * Adds the limits, and the refusal of unknown keys.
 * @returns what tells clients apart: by key if they have one
 */
function limitRequests(app: OpenAPIHono, limits: RequestLimits): ClientOf {
  const { requestsPerMinute, nodeRequestsPerMinute, keyOf = () => null } = limits;
  const clientOf: ClientOf = (c) => {
    const key = keyOf(c);
    return key === null ? limits.clientOf(c) : `key ${key.name}`;
  };
  const limit = (path: string, name: string, number: number, appliesTo?: (c: Context) => boolean) => {
    const options = { name, requestsPerMinute: number, clientOf, keyOf, ...(appliesTo && { appliesTo }) };
    if (number > 0) app.use(path, rateLimit(options));
  };
  app.use(async (c, next) => {
    limits.inspect?.(c);
    // An unknown key is refused also where there is no limit.
    keyOf(c);
    await next();
  });
  limit("*", "requests", requestsPerMinute, (c) => keyOf(c) !== null || !limits.isUnlimited?.(c));
  // Not the history of an account, which needs no node.
  limit("/v1/treasury/accounts/:wallet", "treasury-accounts", nodeRequestsPerMinute);
  limit("/v1/treasury/summary", "treasury-summaries", nodeRequestsPerMinute);
  limit("/v1/lps/*", "lps", nodeRequestsPerMinute);
  limit("/v1/quote", "quotes", nodeRequestsPerMinute);
  limit("/v1/transactions/:hash/revert", "reverts", nodeRequestsPerMinute);
  return clientOf;
}

/**
 * Answers an `HttpError` with its own message. Any other error is logged with the ID of the request, and answered with a
 * 500 that reveals nothing.
 */
function errorHandler(logError: ApiDependencies["logError"]): ErrorHandler {
  return (error, c) => {
    const isForClient = error instanceof HttpError;
    if (!isForClient) logError(`${c.req.method} ${c.req.path} failed (request ${c.get("requestId")})`, error);
    const status = isForClient ? error.status : 500;
    return c.json({ error: isForClient ? error.message : "internal error", status }, status, {
      "Cache-Control": "no-store",
      ...(isForClient ? error.headers : {}),
    });
  };
}
