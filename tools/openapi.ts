/**
 * `pnpm openapi`: writes the OpenAPI document of the API to `openapi.json`, and the client's types, which are made from
 * it.
 */
import { writeFileSync } from "node:fs";
import openapiTypescript, { astToString, COMMENT_HEADER } from "openapi-typescript";
import { createApp } from "../src/api/app.ts";
import { FILE_LIMITS } from "../src/api/transactions/csv.handler.ts";
import { commandLine } from "./lib/commandLine.ts";

commandLine({
  usage: "pnpm openapi",
  summary: "Writes the OpenAPI document to openapi.json, and the types of packages/client that are made from it.",
});

/** Placeholder for everything that answers need but the document does not. */
const unused = () => {
  throw new Error("the document is made without this");
};

const app = createApp({
  database: { query: unused },
  networks: [],
  svm: {},
  now: unused,
  nodeOf: unused,
  forkOf: unused,
  dashboard: null,
  guide: null,
  files: FILE_LIMITS,
  events: { open: unused, end: unused },
  limits: { requestsPerMinute: 0, nodeRequestsPerMinute: 0, clientOf: unused },
  logError: (_message, error) => {
    throw error;
  },
});

const document: unknown = await (await app.request("/openapi.json")).json();
const text = `${JSON.stringify(document, null, 2)}\n`;
writeFileSync("openapi.json", text);
writeFileSync("packages/client/src/schema.ts", COMMENT_HEADER + astToString(await openapiTypescript(text)));
