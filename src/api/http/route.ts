/** Defines documented endpoints. */
import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import type { PublicClient } from "viem";
import type { Database } from "../shared/database.ts";
import type { ApiNetwork } from "../shared/networks.ts";
import type { Answer } from "./answer.ts";
import { errorBody } from "./errors.ts";
import { minIndexedBlockHeaders } from "./minIndexedBlock.ts";
import { refusalOf, strictQuery } from "./queryString.ts";
import type { Tag } from "./tags.ts";

interface RouteDefinition<Path extends string, Query extends z.ZodObject, Body extends z.ZodType> {
  readonly path: Path;
  readonly operationId: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  readonly query: Query;
  readonly answer: Body;
}

interface NetworkRouteDefinition<
  Path extends string,
  Query extends z.ZodObject,
  Body extends z.ZodType,
  Params extends z.ZodObject,
> extends RouteDefinition<Path, Query, Body> {
  /** Parameters in the path. */
  readonly params?: Params;
  /** Further reasons for a 503. */
  readonly unavailable?: string;
}

/** A response with an error body, as the document describes it. */
export const errorResponse = (description: string) => ({
  description,
  content: { "application/json": { schema: errorBody } },
});

const rateLimitHeaders = z.object({
  "RateLimit-Policy": z.string().optional().openapi({
    description:
      "Each limit that applies to the request: its name, and the requests (`q`) of one client in `w` seconds",
    example: '"requests";q=600;w=60, "quotes";q=60;w=60',
  }),
  RateLimit: z
    .string()
    .optional()
    .openapi({
      description:
        "For each limit, the number of requests that the client may still send (`r`), and the seconds until it may send " +
        "the full number again (`t`)",
      example: '"requests";r=598;t=42, "quotes";r=58;t=7',
    }),
});

const answerHeaders = rateLimitHeaders.extend({
  ETag: z.string().openapi({ description: "Weak tag of the state that the response was made from", example: 'W/"…"' }),
  "Cache-Control": z
    .string()
    .openapi({ description: "How long the response can be reused", example: "public, max-age=1, must-revalidate" }),
});

const retryAfter = z.string().openapi({ description: "Number of seconds after which to try again", example: "17" });

/** The answer to a client whose copy is current. */
export const notModified = { description: "The copy named in If-None-Match is current", headers: answerHeaders };

/** What an endpoint with parameters may answer other than that and 200. */
export const refusals = {
  400: errorResponse("A parameter is unknown, repeated, empty or invalid"),
  401: {
    ...errorResponse("The key in Authorization is unknown, if the operator has given keys to clients"),
    headers: z.object({
      "WWW-Authenticate": z.string().openapi({ description: "How a key is sent", example: "Bearer" }),
    }),
  },
  429: {
    ...errorResponse("Too many requests from this client within a minute"),
    headers: rateLimitHeaders.extend({ "Retry-After": retryAfter }),
  },
  500: errorResponse("Internal error of the indexed data or the database"),
};

/** Responses of an endpoint with parameters, whose answer is JSON. */
export function jsonResponses<Body extends z.ZodType>(answer: Body) {
  return {
    200: { description: "The response", headers: answerHeaders, content: { "application/json": { schema: answer } } },
    304: notModified,
    ...refusals,
  };
}

/**
 * Responses of an endpoint whose answer comes from one network's index.
 * @param unavailable further reasons for a 503
 */
export function networkResponses<Body extends z.ZodType>(answer: Body, unavailable = "") {
  return {
    ...jsonResponses(answer),
    503: {
      ...errorResponse(`The index lacks the block of Min-Indexed-Block (with Retry-After)${unavailable}`),
      headers: z.object({ "Retry-After": retryAfter.optional() }),
    },
  };
}

/** Why an answer that is read from a node is not available. */
export const NODE_UNAVAILABLE =
  "; or the network's node does not respond or has another block; or nothing is indexed yet";

/** A documented `GET` route: its query is read strictly and its answer is JSON with an ETag. */
export function getRoute<Path extends string, Query extends z.ZodObject, Body extends z.ZodType>({
  tag,
  query,
  answer,
  ...rest
}: RouteDefinition<Path, Query, Body>) {
  return createRoute({
    ...rest,
    method: "get",
    tags: [tag],
    request: { query },
    middleware: strictQuery(query),
    responses: jsonResponses(answer),
  });
}

/** The same for an answer from one network's index, from which a client can demand a block. */
export function networkRoute<
  Path extends string,
  Query extends z.ZodObject,
  Body extends z.ZodType,
  Params extends z.ZodObject = z.ZodObject<Record<never, never>>,
>({
  tag,
  params = z.object({}) as Params,
  query,
  answer,
  unavailable,
  ...rest
}: NetworkRouteDefinition<Path, Query, Body, Params>) {
  return createRoute({
    ...rest,
    method: "get",
    tags: [tag],
    request: { params, query, headers: minIndexedBlockHeaders },
    middleware: strictQuery(query),
    responses: networkResponses(answer, unavailable),
  });
}

/** What every feature receives. */
export interface FeatureOptions {
  readonly database: Database;
  /** The enabled networks, in canonical order. */
  readonly networks: readonly ApiNetwork[];
  readonly answer: Answer;
  /** Returns the request time in seconds since 1970. */
  readonly now: () => bigint;
}

/** What a feature receives that also reads contracts. */
export interface NodeOptions extends FeatureOptions {
  /** Returns a network's node. */
  readonly nodeOf: (network: ApiNetwork) => PublicClient;
  readonly logError: (message: string, error: unknown) => void;
}

/**
 * Creates an app for the routes of one feature. Parameters that a route's schema refuses are answered with an error.
 */
export function featureApp(): OpenAPIHono {
  return new OpenAPIHono({
    defaultHook: (result) => {
      if (!result.success) throw refusalOf(result.error);
    },
  });
}
