/**
 * Checks the committed OpenAPI document. `test/api/document.test.ts` compares it with the document that the API serves.
 */
import { readFileSync } from "node:fs";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { expect, it } from "vitest";

it("The OpenAPI document passes the strict rules of the linter", async () => {
  const source = readFileSync("openapi.json", "utf8");
  const config = await createConfig({ extends: ["recommended-strict"] });
  const problems = await lintFromString({ source, absoluteRef: "/openapi.json", config });
  const found = problems.map(({ ruleId, location }) => `${ruleId} ${location[0]?.pointer}`);
  // Ponder answers /health, whatever a client sends.
  expect(found).toEqual(["operation-4xx-response #/paths/~1health/get/responses"]);
});
