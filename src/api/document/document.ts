/** Builds the OpenAPI document of an app, and the index at `/` from it. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import { z } from "@hono/zod-openapi";
import { TAGS } from "../http/tags.ts";
import { API_VERSION } from "../shared/version.ts";
import examples from "./examples.json" with { type: "json" };
import type { IndexAnswer } from "./route.ts";

/** An OpenAPI 3.1 document. */
export type OpenApiDocument = ReturnType<OpenAPIHono["getOpenAPI31Document"]>;

const TITLE = "CoreSwap API";
/** Names the security scheme of keys. */
const KEY = "apiKey";
const DESCRIPTION =
  "Public read-only API of CoreSwap: deployment metadata, transaction history and swap volume. " +
  "All endpoints are GET and need no key.";

/** Facts that users of the contracts must know and that no endpoint describes. */
const NOTES = [
  "Users approve the delegate of the settling stablecoin (stablecoin_delegate_contracts[].delegate_address), " +
    "not the swap contract.",
];

/** What applies to every endpoint. */
const CONVENTIONS = [
  "HEAD returns what GET returns, without the body. An unknown path is a 404, including one with a trailing or double " +
    "slash; a method other than GET, HEAD and OPTIONS is a 405 with `Allow`. Both have an error as their body. " +
    "A parameter that is unknown, repeated or empty is a 400, except where the query is ignored.",
  "Responses have a weak `ETag`. Send it as `If-None-Match` to get a 304 as long as nothing has changed. " +
    "Any origin can read the responses (CORS).",
  "An operator may limit requests per client. `RateLimit-Policy` then names the limits that apply to a request, " +
    "`RateLimit` says how many more requests you can send and in how many seconds the limit is full again, and a 429 says in `Retry-After` when to try again. " +
    "A client to whom the operator has given a key sends it as `Authorization: Bearer …`, and has the limit of that key.",
];

/**
 * Builds the document of the routes that an app has so far, with recorded examples.
 * @throws Error when an example was recorded for an answer that no route has
 */
export function openApiDocument(app: OpenAPIHono): OpenApiDocument {
  app.openAPIRegistry.registerComponent("securitySchemes", KEY, {
    type: "http",
    scheme: "bearer",
    description: "Optional: a key that the operator has given to a client, for other limits of requests",
  });
  const document = app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: TITLE,
      version: API_VERSION,
      description: [DESCRIPTION, ...NOTES, ...CONVENTIONS].join("\n\n"),
      license: { name: "MIT", url: "https://spdx.org/licenses/MIT.html" },
    },
    servers: [{ url: "/", description: "This server" }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    security: [{}, { [KEY]: [] }],
  });
  addExamples(document);
  return document;
}

const recordedExamples = z.array(
  z.object({ path: z.string(), request: z.string(), status: z.string(), mediaType: z.string(), body: z.unknown() }),
);

/** Adds recorded answers to the schemas that they satisfy. */
function addExamples(document: OpenApiDocument): void {
  for (const { path, request, status, mediaType, body } of recordedExamples.parse(examples)) {
    const response = document.paths?.[path]?.get?.responses?.[status];
    const content = response?.content?.[mediaType];
    if (content === undefined) throw new Error(`${path} has no response ${status} with ${mediaType}`);
    content.examples = { ...content.examples, recorded: { summary: `GET ${request}`, value: body } };
  }
}

const parameter = z.object({
  name: z.string(),
  in: z.enum(["query", "path", "header"]),
  required: z.boolean(),
  description: z.string().optional(),
  schema: z.object({ description: z.string().optional() }).optional(),
});

/** Builds the index. It lists exactly what the document lists, so neither can become outdated. */
export function indexOf(document: OpenApiDocument): IndexAnswer {
  return {
    name: TITLE,
    version: API_VERSION,
    description: DESCRIPTION,
    notes: NOTES,
    documentation: "/openapi.json",
    explorer: "/docs",
    endpoints: Object.entries(document.paths ?? {}).map(([path, item]) => ({
      method: "GET" as const,
      path,
      summary: item.get?.summary ?? "",
      parameters: z
        .array(parameter)
        .parse(item.get?.parameters ?? [])
        .map(({ description, schema, ...rest }) => ({ ...rest, accepts: description ?? schema?.description ?? "" })),
    })),
  };
}
