/** The version of the API is raised by hand. This test fails if that was forgotten. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { z } from "zod";
import { API_VERSION } from "../../src/api/shared/version.ts";
import { CSV_COLUMNS } from "../../src/api/transactions/csv.ts";
import { VOLUME_CSV_COLUMNS } from "../../src/api/volume/csv.ts";

/**
 * SHA-256 of the format that `API_VERSION` stands for: the paths and schemas of the OpenAPI document, without texts and
 * examples, and the columns of CSV files.
 */
const API_FORM_DIGEST = "0dcf753192769551db2be58a9defd5b6a2b259a563d2f58cc089bc28772b279a";

const json = z.record(z.string(), z.unknown());
const documentSchema = z.object({
  info: z.object({ version: z.string() }),
  paths: json,
  components: z.object({ schemas: json }),
});

/** Keys of texts for readers, on which no program depends. */
const TEXT_KEYS = ["description", "summary", "example", "examples"];
/** Keys below which the keys are names of the API, not words of OpenAPI. */
const NAME_KEYS = ["properties", "schemas", "paths", "headers", "responses", "content"];

/** Returns the form of a part of a document, without texts and examples, and with ordered keys. */
function formOf(part: unknown, keysAreNames = false): unknown {
  if (Array.isArray(part)) return part.map((item) => formOf(item));
  const object = json.safeParse(part).data;
  if (object === undefined) return part;
  return Object.entries(object)
    .filter(([key]) => keysAreNames || !TEXT_KEYS.includes(key))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, value]) => [key, formOf(value, !keysAreNames && NAME_KEYS.includes(key))]);
}

function digestOf({ paths, components: { schemas } }: Pick<z.output<typeof documentSchema>, "paths" | "components">) {
  return (
    createHash("sha256")
      // The schema of a CSV file does not show its columns.
      .update(JSON.stringify([formOf({ paths, schemas }), CSV_COLUMNS, VOLUME_CSV_COLUMNS]))
      .digest("hex")
  );
}

const document = documentSchema.parse(JSON.parse(readFileSync("openapi.json", "utf8")));

it("stands for the form of the committed OpenAPI document", () => {
  expect(document.info.version, "run `pnpm openapi`").toBe(API_VERSION);
  expect(
    digestOf(document),
    "A path, parameter, schema or CSV column changed. Raise API_VERSION in src/api/shared/version.ts by the rule there, " +
      "set API_FORM_DIGEST of this file to the digest received here, and run `pnpm openapi`.",
  ).toBe(API_FORM_DIGEST);
});

it("depends on names, types and limits, but not on texts or examples", () => {
  const schemaOf = (property: object, name = "description") => ({
    paths: {},
    components: { schemas: { Answer: { type: "object", description: "An answer", properties: { [name]: property } } } },
  });
  const digest = digestOf(schemaOf({ type: "string" }));
  expect(digestOf(schemaOf({ examples: ["x"], description: "Of what", type: "string", example: "x" }))).toBe(digest);
  expect(digestOf(schemaOf({ type: "string" }, "summary"))).not.toBe(digest);
  expect(digestOf(schemaOf({ type: "integer" }))).not.toBe(digest);
  expect(digestOf(schemaOf({ type: "string", pattern: "^x$" }))).not.toBe(digest);
});
