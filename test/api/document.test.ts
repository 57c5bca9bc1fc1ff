/** The OpenAPI document that integrators build against. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { CSV_COLUMNS } from "../../src/api/transactions/csv.ts";
import { VOLUME_CSV_COLUMNS } from "../../src/api/volume/csv.ts";
import { DocumentChecker, type OpenApi } from "../support/document.ts";
import { ENDPOINTS } from "../support/pieces.ts";
import { openEngine, type TestEngine } from "./support/engine.ts";
import { appOver } from "./support/world.ts";

let engine: TestEngine;
let text: string;
let document: OpenApi;
let index: {
  endpoints: { path: string; parameters: { name: string; in: string; required: boolean; accepts: string }[] }[];
};
beforeAll(async () => {
  engine = await openEngine("document_test");
  const { app } = appOver(engine);
  text = await (await app.request("/openapi.json")).text();
  document = JSON.parse(text);
  index = (await (await app.request("/")).json()) as typeof index;
});
afterAll(() => engine.close());

const node = z.record(z.string(), z.unknown());

/** Every JSON object within a value, with its path. */
function* objectsIn(value: unknown, path: string): Generator<{ path: string; object: Record<string, unknown> }> {
  if (Array.isArray(value)) for (const [place, item] of value.entries()) yield* objectsIn(item, `${path}/${place}`);
  const parsed = Array.isArray(value) ? undefined : node.safeParse(value).data;
  if (parsed === undefined) return;
  yield { path, object: parsed };
  for (const [name, item] of Object.entries(parsed)) yield* objectsIn(item, `${path}/${name}`);
}

/** Zod writes a description next to a reference as one more part of `allOf`. */
function isDescribed({ description, allOf }: Record<string, unknown>): boolean {
  return typeof description === "string" || (Array.isArray(allOf) && allOf.some(isDescribed));
}

describe("the OpenAPI document", () => {
  it("is the committed one", () => {
    expect(`${JSON.stringify(document, null, 2)}\n`, "run `pnpm openapi`").toBe(readFileSync("openapi.json", "utf8"));
  });

  it("describes every schema, property, parameter, response and header", () => {
    const missing = [...objectsIn(document, "#")]
      .filter(({ path }) =>
        /\/(properties|headers|responses)\/[^/]+$|^#\/components\/schemas\/[^/]+$|\/parameters\/\d+\/schema$/.test(
          path,
        ),
      )
      .filter(({ path, object }) => !/\/example(s|\/|$)/.test(path) && !("$ref" in object) && !isDescribed(object))
      .map(({ path }) => path);
    expect(missing).toEqual([]);
  });

  it("closes every object, so that an unknown key is an error", () => {
    const open = [...objectsIn(document.components, "#")]
      .filter(({ object }) => object.type === "object" && object.additionalProperties !== false)
      .map(({ path }) => path);
    expect(open).toEqual([]);
  });

  it("lists the responses of an endpoint with parameters", () => {
    for (const { path } of ENDPOINTS) {
      const template = new DocumentChecker(document).templateOf(path) ?? "";
      const statuses = Object.keys(document.paths[template]?.get.responses ?? {});
      expect(statuses, path).toEqual(expect.arrayContaining(["200", "304", "400", "401", "429", "500"]));
      const canDemandBlock = JSON.stringify(document.paths[template]).includes('"Min-Indexed-Block"');
      const mayBeUnavailable = template === "/v1/status/indexing" || canDemandBlock;
      expect(statuses.includes("503"), path).toBe(mayBeUnavailable);
    }
  });

  it("names the columns of CSV files", () => {
    expect(text).toContain(CSV_COLUMNS.join(","));
    expect(text).toContain(VOLUME_CSV_COLUMNS.join(","));
  });

  it("has examples recorded from answers, which its schemas accept", () => {
    const checker = new DocumentChecker(document);
    const recorded: string[] = [];
    for (const [path, { get }] of Object.entries(document.paths)) {
      for (const [status, { content }] of Object.entries(get.responses)) {
        for (const [mediaType, media] of Object.entries(content ?? {})) {
          const examples = (media as { examples?: Record<string, { value: unknown }> }).examples ?? {};
          for (const { value } of Object.values(examples)) {
            const body = typeof value === "string" ? value : JSON.stringify(value);
            const concrete = path.replace(/\{.*\}/, "0x");
            checker.check({
              method: "GET",
              path: concrete,
              status: Number(status),
              contentType: mediaType,
              text: body,
            });
            recorded.push(`${path} ${status}`);
          }
        }
      }
    }
    const paths = ENDPOINTS.map(({ path }) => checker.templateOf(path));
    for (const path of paths) {
      expect(recorded).toContain(`${path} 200`);
      expect(recorded).toContain(`${path} 400`);
    }
  });
});

describe("the index", () => {
  it("lists the paths of the document with their parameters and accepted values", () => {
    expect(index.endpoints.map(({ path }) => path)).toEqual(Object.keys(document.paths));
    const checker = new DocumentChecker(document);
    for (const endpoint of ENDPOINTS) {
      const listed = index.endpoints.find(({ path }) => path === checker.templateOf(endpoint.path));
      const inQuery = listed?.parameters.filter((parameter) => parameter.in === "query");
      expect(inQuery?.map(({ name }) => name).sort()).toEqual(Object.keys(endpoint.parameters).sort());
      expect(
        inQuery
          ?.filter(({ required }) => required)
          .map(({ name }) => name)
          .sort(),
      ).toEqual(Object.keys(endpoint.required).sort());
      for (const { accepts } of listed?.parameters ?? []) expect(accepts).not.toBe("");
    }
  });
});
