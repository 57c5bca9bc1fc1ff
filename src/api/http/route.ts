/** Definition of documented endpoints. */
import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import type { Database } from "../shared/database.ts";
import type { ApiNetwork } from "../shared/networks.ts";
import type { Answer } from "./answer.ts";
import { errorBody } from "./errors.ts";
import { refusalOf, strictQuery } from "./query.ts";
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

/** A response with an error body, as the document describes it. */
export const errorResponse = (description: string) => ({
  description,
  content: { "application/json": { schema: errorBody } },
});

const cachingHeaders = z.object({
  ETag: z.string().openapi({ description: "Weak tag of the state that the response was made from", example: 'W/"…"' }),
  "Cache-Control": z.string().openapi({ description: "How long the response can be reused", example: "max-age=1" }),
});

/** What any endpoint of this app may answer besides 200. */
export const commonResponses = {
  304: { description: "The copy named in If-None-Match is current", headers: cachingHeaders },
  429: {
    ...errorResponse("Too many requests from this client, if the operator has set a limit"),
    headers: z.object({
      "Retry-After": z.string().openapi({ description: "Number of seconds after which to try again", example: "17" }),
    }),
  },
  500: errorResponse("Internal error of the indexed data or the database"),
};

/** Responses of an endpoint with parameters, whose answer is JSON. */
export function jsonResponses<Body extends z.ZodType>(answer: Body) {
  return {
    200: { description: "The response", headers: cachingHeaders, content: { "application/json": { schema: answer } } },
    ...commonResponses,
    400: errorResponse("A parameter is unknown, repeated, empty or invalid"),
  };
}

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

/** What every feature receives. */
export interface FeatureOptions {
  readonly database: Database;
  /** The enabled networks, in canonical order. */
  readonly networks: readonly ApiNetwork[];
  readonly answer: Answer;
}

/** An app for the routes of one feature. Parameters that a route's schema refuses are answered with an error. */
export function featureApp(): OpenAPIHono {
  return new OpenAPIHono({
    defaultHook: (result) => {
      if (!result.success) throw refusalOf(result.error);
    },
  });
}
