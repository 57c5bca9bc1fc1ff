/** Tests `Min-Indexed-Block`, and the cache headers of answers, at each endpoint that answers for one network. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { errorBody } from "../../src/api/http/errors.ts";
import type { OpenApi } from "../support/document.ts";
import { ENDPOINTS, pathOf } from "../support/pieces.ts";
import { checkedRequest } from "./support/checked.ts";
import { insertRows, openEngine, setCheckpoint, type TestEngine } from "./support/engine.ts";
import { madeHistory } from "./support/history.ts";
import { addressOf, appOver, hashOf, insertHistory } from "./support/world.ts";

const HISTORY = "/v1/transactions?network=evm-mainnet";
const NEWEST = 110;
const FINAL = 105;

/** Endpoints that read a node, which these tests do not have. */
const NODE_PATHS = [/^\/v1\/lps\//, /^\/v1\/quote/, /^\/v1\/treasury\/summary/, /^\/v1\/treasury\/accounts\/[^/]+$/];
const needsNode = (path: string) => NODE_PATHS.some((pattern) => pattern.test(path));

const QUOTE = `/v1/quote?${new URLSearchParams({
  network: "evm-mainnet",
  user: addressOf("alice"),
  routeId: "1",
  assetInId: hashOf("TBILL"),
  assetOutId: hashOf("USDC"),
  stablecoinDelegateId: hashOf("USDC"),
  amountIn: "1000",
})}`;

/** Requests for one network. The history's file is always one of final transactions. */
const PATHS = [
  QUOTE,
  ...ENDPOINTS.filter(({ path, required }) => "network" in required && path !== "/v1/transactions.csv").map(
    (endpoint) => pathOf(endpoint),
  ),
];

let engine: TestEngine;
let api: ReturnType<typeof appOver>;
beforeAll(async () => {
  engine = await openEngine("min_indexed_block_test");
  api = appOver(engine);
  await insertHistory(engine, 1, madeHistory(10));
});
afterAll(() => engine.close());
beforeEach(async () => {
  await newestEventIn(NEWEST);
  await setCheckpoint(engine, "mainnet", FINAL);
});

/** Sets the block of the newest event, as indexing that block or rolling back a later one does. */
async function newestEventIn(block: number): Promise<void> {
  await engine.execute(`DELETE FROM "${engine.schema}".chain_state`);
  const state = { chainId: 1, blockNumber: block, blockHash: hashOf(String(block)), eventId: "7", seriesCount: 0 };
  await insertRows(engine, "chain_state", [state]);
}

async function ask(path: string, block: number | string, headers: Record<string, string> = {}) {
  const { response, body } = await checkedRequest(api, path, {
    headers: { "Min-Indexed-Block": String(block), ...headers },
  });
  return { status: response.status, headers: response.headers, body };
}

const BEHIND = (demanded: number, newest = NEWEST) => ({
  error:
    `Min-Indexed-Block: block ${demanded} is not indexed yet, the newest indexed block is ${newest}; ` +
    "try again later",
  status: 503,
});

it("is documented for each endpoint that answers for one network, except the file of the history", async () => {
  const { paths } = (await checkedRequest(api, "/openapi.json")).body as OpenApi;
  const documented = Object.keys(paths).filter((path) => JSON.stringify(paths[path]).includes('"Min-Indexed-Block"'));
  expect(documented).toHaveLength(PATHS.length);
  const templates = documented.map((path) => new RegExp(`^${path.replace(/\{\w+\}/, "[^/?]+")}(\\?|$)`));
  for (const path of PATHS) expect(templates.filter((template) => template.test(path))).toHaveLength(1);
});

describe.each(PATHS)("%s", (path) => {
  it("is a 503 while the index lacks the block, also when the client's copy is current or an answer is cached", async () => {
    const tag = (await checkedRequest(api, path)).response.headers.get("etag");
    for (const headers of [{}, tag === null ? {} : { "If-None-Match": tag }]) {
      const behind = await ask(path, NEWEST + 1, headers);
      expect([behind.status, behind.body]).toEqual([503, BEHIND(NEWEST + 1)]);
      expect(behind.headers.get("retry-after")).toBe("1");
      expect(behind.headers.get("cache-control")).toBe("no-store");
    }
  });

  it("gives the same answer as without the header once the index has the block", async () => {
    await newestEventIn(NEWEST + 5);
    const plain = await checkedRequest(api, path);
    for (const block of [0, FINAL, NEWEST + 1, NEWEST + 5]) {
      const { status, body, headers } = await ask(path, block);
      expect([status, body]).toEqual([plain.response.status, plain.body]);
      if (!needsNode(path)) expect(status).toBe(200);
      expect(headers.get("retry-after")).toBeNull();
      expect(headers.get("etag")).toBe(plain.response.headers.get("etag"));
    }
  });

  it.each(["", "-1", "+1", "1.5", "1e3", "0x10", "01", "ten", "5, 6", "9007199254740992", "9".repeat(400)])(
    "refuses the block %j and says what it accepts",
    async (block) => {
      const { status, body } = await ask(path, block);
      const error = "Min-Indexed-Block: accepts a block number, a whole number from 0 to 9007199254740991";
      expect([status, body]).toEqual([400, { error, status: 400 }]);
    },
  );
});

it("accepts a final block without an event, but no block above the newest event that is not final", async () => {
  await newestEventIn(FINAL - 3);
  expect((await ask(HISTORY, FINAL)).status).toBe(200);
  expect((await ask(HISTORY, FINAL + 1)).body).toEqual(BEHIND(FINAL + 1, FINAL));
});

it("is a 503 again after a reorganization has removed the block", async () => {
  expect((await ask(HISTORY, NEWEST)).status).toBe(200);
  await newestEventIn(NEWEST - 2);
  expect((await ask(HISTORY, NEWEST)).body).toEqual(BEHIND(NEWEST, NEWEST - 2));
});

it("is a 503 before anything is indexed", async () => {
  await engine.execute(`DELETE FROM "${engine.schema}".chain_state`);
  await engine.execute(`DELETE FROM "${engine.schema}"._ponder_checkpoint`);
  const { status, body } = await ask(HISTORY, 0);
  expect(status).toBe(503);
  expect(errorBody.parse(body).error).toBe(
    "Min-Indexed-Block: block 0 is not indexed yet, nothing is; try again later",
  );
});

it("is ignored where it is not documented", async () => {
  for (const path of ["/", "/v1/info", "/v1/status/indexing", "/v1/transactions.csv?network=evm-mainnet"]) {
    for (const block of ["ten", "9000000"]) expect((await ask(path, block)).status, path).toBe(200);
  }
});

it("keeps caches from mixing answers with and without the header", async () => {
  for (const path of PATHS.filter((each) => !needsNode(each))) {
    const { response } = await checkedRequest(api, path);
    expect(response.headers.get("vary"), path).toBe("Min-Indexed-Block");
    // The reason of a failure is read from a node.
    expect(response.headers.get("cache-control"), path).toBe(
      path.includes("/revert?")
        ? "public, max-age=1, must-revalidate"
        : "public, max-age=1, stale-while-revalidate=1, stale-if-error=60",
    );
    const tag = response.headers.get("etag") ?? "";
    const current = (await checkedRequest(api, path, { headers: { "If-None-Match": tag } })).response;
    expect([current.status, current.headers.get("vary")], path).toEqual([304, "Min-Indexed-Block"]);
    expect(current.headers.get("cache-control"), path).toBe(response.headers.get("cache-control"));
  }
});

it("caches may show old answers where these have coverage, which are the paths that the guide lists", async () => {
  const row = readFileSync("docs/integrators.md", "utf8")
    .split("\n")
    .find((line) => line.includes("stale-if-error=60"));
  const [listed = ""] = row?.split(" | ") ?? [];
  const templates = [...listed.matchAll(/`([^`]+)`/g)].map(([, template = ""]) => template);
  const stale: string[] = [];
  for (const path of PATHS.filter((each) => !needsNode(each))) {
    const { response, body } = await checkedRequest(api, path);
    if (!response.headers.get("cache-control")?.includes("stale-if-error")) continue;
    if (typeof body === "string") expect(response.headers.get("indexed-through-block"), path).toBe(String(FINAL));
    else expect(body, path).toHaveProperty("coverage.historicalBackfill.indexedThroughBlock", String(FINAL));
    const matching = templates.find((template) =>
      new RegExp(`^${template.replace(/\{\w+\}/, "[^/?]+")}\\?`).test(path),
    );
    stale.push(matching ?? path);
  }
  expect([...new Set(stale)].sort()).toEqual(templates.sort());
});
