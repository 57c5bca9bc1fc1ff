import { createRoute, z } from "@hono/zod-openapi";

const endpoint = z
  .strictObject({
    method: z.literal("GET"),
    path: z.string(),
    summary: z.string(),
    parameters: z.array(
      z.strictObject({ name: z.string(), required: z.boolean(), accepts: z.string() }).openapi("EndpointParameter"),
    ),
  })
  .openapi("Endpoint");

const indexAnswer = z
  .strictObject({
    name: z.string(),
    version: z.string(),
    description: z.string(),
    notes: z.array(z.string()),
    documentation: z.string().openapi({ description: "Path of the OpenAPI document" }),
    endpoints: z.array(endpoint),
  })
  .openapi("Index");

export type IndexAnswer = z.output<typeof indexAnswer>;

export const indexRoute = createRoute({
  method: "get",
  path: "/",
  summary: "API metadata and index of the endpoints",
  responses: {
    200: { description: "The index", content: { "application/json": { schema: indexAnswer } } },
    304: { description: "The copy named in If-None-Match is current" },
  },
});

export const documentRoute = createRoute({
  method: "get",
  path: "/openapi.json",
  summary: "This API as an OpenAPI 3.1 document",
  responses: {
    200: { description: "The document", content: { "application/json": { schema: z.looseObject({}) } } },
    304: { description: "The copy named in If-None-Match is current" },
  },
});
