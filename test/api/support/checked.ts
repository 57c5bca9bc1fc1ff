/** Requests whose answers are held against the document that the API publishes. */
import { z } from "zod";
import type { appOver } from "./world.ts";

type Api = ReturnType<typeof appOver>;

interface OpenApi {
  readonly paths: Record<
    string,
    { get: { responses: Record<string, { content?: Record<string, { schema: object }> }> } }
  >;
  readonly components: { readonly schemas: Record<string, object> };
}

const documents = new WeakMap<Api, OpenApi>();

/**
 * Requests a path and checks status, media type and body against the document, which forbids unknown keys. Statuses that it does
 * not list for the path (404, 405) must have the form of an error.
 */
export async function checkedRequest(api: Api, path: string, init?: RequestInit) {
  const response = await api.app.request(path, init);
  const text = await response.text();
  const document = await documentOf(api);
  const route = document.paths[new URL(path, "http://localhost").pathname]?.get.responses;
  const hasBody = response.status !== 304 && init?.method !== "HEAD";
  if (!hasBody) {
    if (text !== "") throw new Error(`${path}: ${response.status} with a body`);
    return { response, body: undefined };
  }

  const contentType = response.headers.get("content-type")?.split(";")[0] ?? "";
  const declared = route?.[response.status]?.content ?? document.paths["/v1/info"]?.get.responses[400]?.content;
  const schema = declared?.[contentType]?.schema;
  if (schema === undefined) throw new Error(`${path}: ${response.status} ${contentType} is not in the document`);
  const body: unknown = contentType === "application/json" ? JSON.parse(text) : text;
  jsonSchema(document, schema).parse(body);
  return { response, body };
}

async function documentOf(api: Api): Promise<OpenApi> {
  const known = documents.get(api);
  if (known) return known;
  const document = (await (await api.app.request("/openapi.json")).json()) as OpenApi;
  documents.set(api, document);
  return document;
}

/** A validator of one schema of the document, made from the JSON Schema alone. */
function jsonSchema({ components }: OpenApi, schema: object): z.ZodType {
  const text = JSON.stringify({ ...schema, $defs: components.schemas });
  return z.fromJSONSchema(JSON.parse(text.replaceAll("#/components/schemas/", "#/$defs/")));
}
