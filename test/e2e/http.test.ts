/** Behavior that only a real HTTP server shows, and a part of the fuzzed requests. */
import { readFileSync } from "node:fs";
import { expect, inject, test } from "vitest";
import { Random } from "../../localnet/random.ts";
import { clientAddress } from "../support/clients.ts";
import { parseCsv } from "../support/csv.ts";
import { DocumentChecker, type OpenApi } from "../support/document.ts";
import { fuzzRequest } from "../support/fuzz.ts";
import { ENDPOINTS, pathOf, QUERYLESS } from "../support/pieces.ts";
import { ApiClient } from "./harness/api.ts";
import { type RawResponse, rawRequest } from "./harness/rawHttp.ts";

const stack = inject("sharedStack");
const api = new ApiClient(stack.baseUrl);
const checker = new DocumentChecker(JSON.parse(readFileSync("openapi.json", "utf8")) as OpenApi);

const HISTORY = "/v1/transactions?network=evm-mainnet";
const READABLE = [...QUERYLESS, ...ENDPOINTS.map((endpoint) => pathOf(endpoint))];
/** Endpoints with a time range. */
const RANGED = ENDPOINTS.filter(({ parameters }) => "to" in parameters);
/** Paths whose answers change from second to second: those with a range that ends now, and the one with a lag. */
const MOVING = new Set(
  [...RANGED.map((endpoint) => pathOf(endpoint)), "/v1/status/indexing"].filter(
    (path) => !path.startsWith("/v1/transactions.csv"),
  ),
);
const FUZZ_COUNT = 1_500;
const FUZZ_SEED = 11n;
/** Number of parallel connections. */
const FUZZ_WIDTH = 8;
/** Largest request head that Node.js accepts. */
const HEAD_LIMIT = 16_384;

async function send(
  path: string,
  method = "GET",
  headers: Record<string, string> = {},
): Promise<RawResponse & { body: unknown }> {
  const response = await rawRequest(stack.baseUrl, `${method} ${path}`, headers);
  const contentType = response.headers.get("content-type") ?? null;
  return {
    ...response,
    body: checker.check({ method, path, status: response.status, contentType, text: response.text }),
  };
}

test("the served OpenAPI document is the committed one", async () => {
  expect(await api.json("/openapi.json")).toEqual(JSON.parse(readFileSync("openapi.json", "utf8")));
});

test.each(READABLE)("%s gives the same answer to GET, HEAD and a conditional GET", async (path) => {
  const get = await send(path);
  expect(get.status).toBe(200);
  expect(get.headers.get("access-control-allow-origin")).toBe("*");
  expect(get.headers.get("x-content-type-options")).toBe("nosniff");
  const head = await send(path, "HEAD");
  expect(head.status).toBe(200);
  expect(head.headers.get("content-type")).toBe(get.headers.get("content-type"));
  const etag = get.headers.get("etag");
  if (path.endsWith("status")) return expect(etag).toBeUndefined();
  expect(etag).toMatch(/^W\/"[\w-]{22}"$/);
  if (MOVING.has(path)) return;
  expect(head.headers.get("etag")).toBe(etag);
  const again = await send(path, "GET", { "If-None-Match": `"other", ${etag}` });
  expect(again.status).toBe(304);
  expect(again.text).toBe("");
  expect(again.headers.get("etag")).toBe(etag);
  expect((await send(path, "GET", { "If-None-Match": '"other"' })).status).toBe(200);
});

test.each(RANGED)("$path with both bounds answers 304 when nothing has changed", async (endpoint) => {
  const bounded = pathOf(endpoint, { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" });
  const { headers } = await send(bounded);
  expect((await send(bounded, "GET", { "If-None-Match": headers.get("etag") ?? "" })).status).toBe(304);
});

test.each(ENDPOINTS)("$path refuses broken escapes, NUL and bytes that are not UTF-8 with 400", async (endpoint) => {
  const joint = pathOf(endpoint).includes("?") ? "&" : "?";
  for (const query of ["%", "%zz", "%ff=1", "a=%ff", "a=%00", "%00=1", "a=%ED%A0%80"]) {
    const { status, body } = await send(`${pathOf(endpoint)}${joint}${query}`);
    expect(status, query).toBe(400);
    expect(body).toMatchObject({ status: 400, error: expect.stringContaining("accepted") });
  }
});

test("the HTTP parser refuses a bare NUL, byte or space in the request line, without JSON", async () => {
  for (const target of ["/v1/info?a\0b", "/v1/info?runtime=\xff", "/v1/in fo", "v1/info", "?x"]) {
    expect((await rawRequest(stack.baseUrl, `GET ${target}`)).status, JSON.stringify(target)).toBe(400);
  }
});

test("a long query is refused with the name of the parameter up to the server's limit, and with 431 above it", async () => {
  const { status, body } = await send(`/v1/info?runtime=${"a".repeat(HEAD_LIMIT - 1_000)}`);
  expect(status).toBe(400);
  expect(body).toMatchObject({ error: "runtime: accepts evm or svm" });
  expect((await rawRequest(stack.baseUrl, `GET /v1/info?runtime=${"a".repeat(65_536)}`)).status).toBe(431);
  expect((await send("/v1/status")).status).toBe(200);
});

test.each([
  ["/v1/./info", "/v1/info"],
  ["/v1/info/../info/evm", "/v1/info/evm"],
  ["/v1/%2e%2e/v1/info/svm", "/v1/info/svm"],
  ["/../../v1/info", "/v1/info"],
])("dot segments are resolved first, so %s is %s", async (path, resolved) => {
  expect((await rawRequest(stack.baseUrl, `GET ${path}`)).text).toBe((await send(resolved)).text);
});

test.each([
  "//",
  "//v1/info",
  "//127.0.0.1/v1/info",
  "/v1//info",
  "/v1/info/",
  "/v1/info%2fevm",
  "/v1/info/%00",
  "/%zz",
  "/../../etc/passwd",
  "/docs/../../package.json",
  "/docs/%2e%2e%2fpackage.json",
  "/graphql",
  "/sql/db",
  "/client",
])("%s is a 404", async (path) => {
  const response = await rawRequest(stack.baseUrl, `GET ${path}`);
  expect(response.status).toBe(404);
  expect(JSON.parse(response.text)).toEqual({ error: "no such path: / lists all paths", status: 404 });
});

test.each(READABLE)("%s answers other methods with 405 and Allow", async (path) => {
  for (const method of ["POST", "PUT", "PATCH", "DELETE", "TRACE"]) {
    const { status, headers } = await send(path, method);
    expect(status, method).toBe(405);
    expect(headers.get("allow")).toBe("GET, HEAD, OPTIONS");
  }
});

test("a preflight allows GET with If-None-Match and a key from any origin", async () => {
  const { status, headers } = await rawRequest(stack.baseUrl, `OPTIONS ${HISTORY}`, {
    Origin: "https://app.example",
    "Access-Control-Request-Method": "GET",
    "Access-Control-Request-Headers": "If-None-Match, Authorization",
  });
  expect(status).toBe(204);
  expect(headers.get("access-control-allow-origin")).toBe("*");
  expect(headers.get("access-control-allow-methods")?.split(",")).toContain("GET");
  expect(headers.get("access-control-allow-headers")).toBe("If-None-Match,Authorization");
  const { headers: answered } = await send(HISTORY, "GET", { Origin: "https://app.example" });
  expect(answered.get("access-control-expose-headers")).toBe(
    "ETag, Indexed-Through-Block, Pricing-Complete, Range-Final, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id",
  );
});

test.each(["gzip", "br, gzip;q=0.5", "identity;q=0, *;q=0", "nonsense;;"])(
  "Accept-Encoding %s changes nothing, because compression is left to the proxy",
  async (encoding) => {
    const { status, headers, text } = await send(HISTORY, "GET", { "Accept-Encoding": encoding });
    expect(status).toBe(200);
    expect(headers.has("content-encoding")).toBe(false);
    expect(text).toBe((await send(HISTORY)).text);
  },
);

test(`none of ${FUZZ_COUNT} fuzzed requests fails or hangs, and each answer matches the document`, async () => {
  const random = new Random(FUZZ_SEED);
  const wallets = (await api.history("evm-mainnet", { limit: 20 })).transactions.map(({ sender }) => sender);
  const requests = Array.from({ length: FUZZ_COUNT }, () => fuzzRequest(random, { address: wallets }));
  const statuses = new Map<number, number>();
  const worker = async () => {
    for (let request = requests.pop(); request !== undefined; request = requests.pop()) {
      const { method, path, expectedStatus } = request;
      const headers = { ...request.headers, "X-Test-Client": clientAddress(`fuzz ${requests.length}`) };
      const isTooLong = path.length > HEAD_LIMIT - 1_000;
      const ask = () =>
        isTooLong ? rawRequest(stack.baseUrl, `${method} ${path}`, headers) : send(path, method, headers);
      let response = await ask();
      // Only a few files are sent at once, and several of these requests may ask for one.
      while (response.status === 429 && path.startsWith("/v1/transactions.csv")) response = await ask();
      // The chains of the shared stack do not grow, so their lag may exceed the limit that a request allows.
      const isLagging = response.status === 503 && path.startsWith("/v1/status/indexing?");
      const status = isLagging ? 200 : response.status;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const what = `${method} ${path.slice(0, 300)}`;
      if (isTooLong) expect(status, what).toBe(431);
      else if (expectedStatus !== null) expect(status, what).toBe(expectedStatus);
    }
  };
  await Promise.all(Array.from({ length: FUZZ_WIDTH }, worker));
  expect([...statuses.keys()].sort().filter((status) => ![200, 400, 404, 405, 431].includes(status))).toEqual([]);
  for (const status of [200, 400, 404, 405]) expect(statuses.get(status) ?? 0).toBeGreaterThan(10);
});

test("the CSV history equals the final part of the JSON history", async () => {
  const { text, headers } = await send("/v1/transactions.csv?network=evm-mainnet");
  const through = Number(headers.get("indexed-through-block"));
  const { coverage } = await api.history("evm-mainnet");
  expect(String(through)).toBe(coverage.historicalBackfill.indexedThroughBlock);
  const { rows } = parseCsv(text);
  const final = (await api.wholeHistory("evm-mainnet")).filter(
    ({ inclusion }) => Number(inclusion.blockNumber) <= through,
  );
  expect(final.length).toBeGreaterThan(100);
  expect(rows.length).toBe(final.reduce((sum, { activities }) => sum + Math.max(1, activities.length), 0));
  expect([...new Set(rows.map(({ transactionHash }) => transactionHash))]).toEqual(
    final.map(({ transactionHash }) => transactionHash),
  );
});

test("requests for treasury accounts beyond the limit of a client's address are answered 429 with Retry-After", async () => {
  const path = `/v1/treasury/accounts/0x${"1".repeat(40)}?network=evm-mainnet`;
  // Few after each other, so that the limit is reached however long an answer takes.
  const answers: Awaited<ReturnType<typeof send>>[] = [];
  for (let count = 0; count < 10; count += 1) {
    answers.push(...(await Promise.all(Array.from({ length: 20 }, () => send(path)))));
  }
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  for (const { headers } of refused) expect(headers.get("retry-after")).toMatch(/^[1-9][0-9]?$/);
  expect(checker.seen).toContain("/v1/treasury/accounts/{wallet} 429");
  expect((await send(path, "GET", { "X-Test-Client": clientAddress("another") })).status).toBe(200);
  expect((await send(HISTORY)).status).toBe(200);
});

test("every endpoint with parameters answered both 200 and 400 as documented in this file", () => {
  for (const endpoint of ENDPOINTS) {
    const template = checker.templateOf(endpoint.path);
    expect([...checker.seen], endpoint.path).toEqual(expect.arrayContaining([`${template} 200`, `${template} 400`]));
  }
});
