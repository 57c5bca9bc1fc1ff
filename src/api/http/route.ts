/** Definition of a documented JSON endpoint. */
import { createRoute, type z } from "@hono/zod-openapi";
import { errorBody } from "./errors.ts";
import { strictQuery } from "./query.ts";

interface RouteDefinition<Path extends string, Query extends z.ZodObject, Answer extends z.ZodType> {
  readonly path: Path;
  readonly summary: string;
  readonly description: string;
  readonly query: Query;
  readonly answer: Answer;
}

const errorResponse = (description: string) => ({
  description,
  content: { "application/json": { schema: errorBody } },
});

/** A `GET` route whose query is read strictly and whose answer has an ETag. */
export function getRoute<Path extends string, Query extends z.ZodObject, Answer extends z.ZodType>({
  path,
  summary,
  description,
  query,
  answer,
}: RouteDefinition<Path, Query, Answer>) {
  return createRoute({
    method: "get",
    path,
    summary,
    description,
    request: { query },
    middleware: strictQuery(Object.keys(query.shape)),
    responses: {
      200: { description: "The answer", content: { "application/json": { schema: answer } } },
      304: { description: "The copy named in If-None-Match is current" },
      400: errorResponse("A parameter is unknown, repeated, empty or not what it accepts"),
      500: errorResponse("Internal indexed-data or database error"),
    },
  });
}
