/** Writes the OpenAPI document of the API to `openapi.json`. `pnpm openapi` then writes the client's types. */
import { writeFileSync } from "node:fs";
import { createApp } from "../src/api/app.ts";
import { FILE_LIMITS } from "../src/api/transactions/csv.handler.ts";

/** Stands for everything that answers need and the document does not. */
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
  files: FILE_LIMITS,
  limits: { requestsPerMinute: 0, accountRequestsPerMinute: 0, clientOf: unused },
  logError: (_message, error) => {
    throw error;
  },
});

const document: unknown = await (await app.request("/openapi.json")).json();
writeFileSync("openapi.json", `${JSON.stringify(document, null, 2)}\n`);
