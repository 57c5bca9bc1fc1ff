import { createRoute, z } from "@hono/zod-openapi";
import { notModified, refusals } from "../http/route.ts";

const endpoint = z
  .strictObject({
    method: z.literal("GET").openapi({ description: "HTTP method" }),
    path: z.string().openapi({ description: "Path, with path parameters in braces" }),
    summary: z.string().openapi({ description: "What the endpoint returns" }),
    parameters: z
      .array(
        z
          .strictObject({
            name: z.string().openapi({ description: "Name, case-sensitive" }),
            in: z.enum(["query", "path", "header"]).openapi({ description: "Where the parameter is sent" }),
            required: z.boolean().openapi({ description: "Whether the parameter is required" }),
            accepts: z.string().openapi({ description: "What the parameter accepts" }),
          })
          .openapi("EndpointParameter", { description: "A parameter" }),
      )
      .openapi({
        description: "All parameters. Any other query parameter is refused, except where the query is ignored",
      }),
  })
  .openapi("Endpoint", { description: "An endpoint of this API" });

const indexAnswer = z
  .strictObject({
    name: z.string().openapi({ description: "Name of the API" }),
    version: z.string().openapi({ description: "Version of the format of the answers" }),
    description: z.string().openapi({ description: "What the API offers" }),
    notes: z.array(z.string()).openapi({ description: "What users of the contracts need to know" }),
    documentation: z.string().openapi({ description: "Path of the OpenAPI document" }),
    explorer: z.string().openapi({ description: "Path of the interactive explorer" }),
    endpoints: z.array(endpoint).openapi({ description: "All endpoints" }),
  })
  .openapi("ApiIndex", { description: "Metadata of the API and an index of its endpoints" });

/** Answer of `/`. */
export type IndexAnswer = z.output<typeof indexAnswer>;

const { 401: unauthorized, 429: limited } = refusals;

/** `GET /` */
export const indexRoute = createRoute({
  method: "get",
  path: "/",
  operationId: "getIndex",
  tags: ["service"],
  summary: "Metadata of the API and an index of its endpoints",
  description: "The query is ignored.",
  responses: {
    200: { description: "The index", content: { "application/json": { schema: indexAnswer } } },
    304: notModified,
    401: unauthorized,
    429: limited,
  },
});

/** `GET /openapi.json` */
export const documentRoute = createRoute({
  method: "get",
  path: "/openapi.json",
  operationId: "getOpenApiDocument",
  tags: ["service"],
  summary: "This API as an OpenAPI 3.1 document",
  description: "Generated from the schemas that parse requests and type responses. The query is ignored.",
  responses: {
    200: {
      description: "The document",
      content: {
        "application/json": {
          schema: z.looseObject({ openapi: z.string().openapi({ description: "Version of OpenAPI" }) }),
        },
      },
    },
    304: notModified,
    401: unauthorized,
    429: limited,
  },
});

/** `GET /docs`. Only documented here: the explorer serves its own files. */
export const docsRoute = createRoute({
  method: "get",
  path: "/docs",
  operationId: "getDocs",
  tags: ["service"],
  summary: "Interactive explorer of this API",
  description: "A page for browsers, which loads nothing from other servers. The query is ignored.",
  responses: {
    200: { description: "The page", content: { "text/html": { schema: z.string() } } },
    304: notModified,
    401: unauthorized,
    429: limited,
  },
});
