/** Definition of documented endpoints. */
import { createRoute, type OpenAPIHono, type RouteConfig, type RouteHandler, z } from "@hono/zod-openapi";
import type { Tag } from "../tags.ts";
import { errorBody } from "./errors.ts";
import { readQuery } from "./query.ts";

interface RouteDefinition<Path extends string, Query extends z.ZodObject, Answer extends z.ZodType> {
  readonly path: Path;
  readonly operationId: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  readonly query: Query;
  readonly answer: Answer;
}

/** An error in the document: when it is answered. */
export const errorResponse = (description: string) => ({
  description,
  content: { "application/json": { schema: errorBody } },
});

const cachingHeaders = z.object({
  ETag: z.string().openapi({ description: "Weak tag of the state that the answer was made from", example: 'W/"…"' }),
  "Cache-Control": z.string().openapi({ description: "How long the answer may be reused", example: "max-age=1" }),
});

/** What any endpoint of this app may answer beside 200. */
export const commonResponses = {
  304: { description: "The copy named in If-None-Match is current", headers: cachingHeaders },
  429: {
    ...errorResponse("Too many requests of this client, where the operator set a limit"),
    headers: z.object({
      "Retry-After": z.string().openapi({ description: "Seconds after which to try again", example: "17" }),
    }),
  },
  500: errorResponse("Internal indexed-data or database error"),
};

/** Responses of an endpoint with parameters, whose answer is JSON. */
export function jsonResponses<Answer extends z.ZodType>(answer: Answer) {
  return {
    200: { description: "The answer", headers: cachingHeaders, content: { "application/json": { schema: answer } } },
    ...commonResponses,
    400: errorResponse("A parameter is unknown, repeated, empty or not what it accepts"),
  };
}

/** A documented `GET` route, for `serveRoute`: its query is read strictly and its answer is JSON with an ETag. */
export function getRoute<Path extends string, Query extends z.ZodObject, Answer extends z.ZodType>({
  tag,
  query,
  answer,
  ...rest
}: RouteDefinition<Path, Query, Answer>) {
  return createRoute({
    ...rest,
    method: "get",
    tags: [tag],
    request: { query },
    responses: jsonResponses(answer),
  });
}

/**
 * Documents a route and serves it. One handler reads the query, checks it and answers: Ponder updates its metrics for
 * every handler and middleware that a request meets, and `OpenAPIHono.openapi` with a strict query would make three of
 * them.
 */
export function serveRoute<Route extends RouteConfig & { readonly request: { readonly query: z.ZodObject } }>(
  app: OpenAPIHono,
  route: Route,
  handler: RouteHandler<Route>,
): void {
  const { query } = route.request;
  app.openAPIRegistry.registerPath(route);
  app.get(route.path, (c, next) => {
    c.req.addValidatedData("query", readQuery(c.req.url, query));
    return handler(c as Parameters<typeof handler>[0], next);
  });
}
