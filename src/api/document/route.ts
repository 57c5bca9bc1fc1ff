import { createRoute, z } from "@hono/zod-openapi";
import { commonResponses } from "../http/route.ts";

const endpoint = z
  .strictObject({
    method: z.literal("GET").openapi({ description: "HTTP method" }),
    path: z.string().openapi({ description: "Path, with path parameters in braces" }),
    summary: z.string().openapi({ description: "What it answers" }),
    parameters: z
      .array(
        z
          .strictObject({
            name: z.string().openapi({ description: "Name, case-sensitive" }),
            in: z.enum(["query", "path"]).openapi({ description: "Where it goes" }),
            required: z.boolean().openapi({ description: "Whether it must be given" }),
            accepts: z.string().openapi({ description: "What it accepts" }),
          })
          .openapi("EndpointParameter", { description: "A parameter" }),
      )
      .openapi({ description: "All parameters; no other is accepted" }),
  })
  .openapi("Endpoint", { description: "An endpoint of this API" });

const indexAnswer = z
  .strictObject({
    name: z.string().openapi({ description: "Name of the API" }),
    version: z.string().openapi({ description: "Version of the answers' form" }),
    description: z.string().openapi({ description: "What the API is" }),
    notes: z.array(z.string()).openapi({ description: "What users of the contracts must know" }),
    documentation: z.string().openapi({ description: "Path of the OpenAPI document" }),
    explorer: z.string().openapi({ description: "Path of the interactive explorer" }),
    endpoints: z.array(endpoint).openapi({ description: "Every endpoint that is exposed" }),
  })
  .openapi("ApiIndex", { description: "API metadata and index of the endpoints" });

/** Answer of `/`. */
export type IndexAnswer = z.output<typeof indexAnswer>;

const { 304: notModified, 429: limited } = commonResponses;

/** `GET /` */
export const indexRoute = createRoute({
  method: "get",
  path: "/",
  operationId: "getIndex",
  tags: ["service"],
  summary: "API metadata and index of the endpoints",
  description: "The query is ignored.",
  responses: {
    200: { description: "The index", content: { "application/json": { schema: indexAnswer } } },
    304: notModified,
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
  description: "Generated from the schemas that parse requests and type answers. The query is ignored.",
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
    429: limited,
  },
});

/** `GET /docs`, for the document: the explorer's files are served beside it. */
export const docsRoute = createRoute({
  method: "get",
  path: "/docs",
  operationId: "getDocs",
  tags: ["service"],
  summary: "Interactive explorer of this API",
  description: "A page for the browser. It loads nothing from other servers. The query is ignored.",
  responses: {
    200: { description: "The page", content: { "text/html": { schema: z.string() } } },
    304: notModified,
    429: limited,
  },
});
