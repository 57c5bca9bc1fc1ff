/** The OpenAPI document of an app, and the index at `/` that is made from it. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import { z } from "@hono/zod-openapi";
import type { IndexAnswer } from "./routes/index.route.ts";
import { API_VERSION } from "./version.ts";

export type OpenApiDocument = ReturnType<OpenAPIHono["getOpenAPI31Document"]>;

const TITLE = "CoreSwap API";
const DESCRIPTION =
  "Public read-only API of CoreSwap: deployment metadata, transaction history and swap volume. Every endpoint is GET and needs no key.";

/** What users of the contracts must know and no endpoint says. */
const NOTES = [
  "Users approve the delegate of the settling stablecoin (stablecoin_delegate_contracts[].delegate_address), not the swap contract.",
];

export function openApiDocument(app: OpenAPIHono): OpenApiDocument {
  return app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: TITLE,
      version: API_VERSION,
      description: [DESCRIPTION, ...NOTES].join("\n\n"),
      license: { name: "MIT" },
    },
    servers: [{ url: "/" }],
  });
}

const queryParameter = z.object({
  name: z.string(),
  required: z.boolean(),
  description: z.string().optional(),
  schema: z.object({ description: z.string().optional() }).optional(),
});

/** The index lists what the document lists, so that neither can fall behind. */
export function indexOf(document: OpenApiDocument): IndexAnswer {
  return {
    name: TITLE,
    version: API_VERSION,
    description: DESCRIPTION,
    notes: NOTES,
    documentation: "/openapi.json",
    endpoints: Object.entries(document.paths ?? {}).map(([path, item]) => ({
      method: "GET" as const,
      path,
      summary: item.get?.summary ?? "",
      parameters: z
        .array(queryParameter)
        .parse(item.get?.parameters ?? [])
        .map(({ name, required, description, schema }) => ({
          name,
          required,
          accepts: description ?? schema?.description ?? "",
        })),
    })),
  };
}
