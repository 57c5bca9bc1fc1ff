/**
 * What clients receive from a real server while something that the API needs is unavailable. Every answer is checked
 * against the documented schemas.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { CHAIN_IDS } from "../../config/networks.ts";
import { type Indexer, startIndexer } from "../../localnet/indexer.ts";
import { clientAddress } from "../support/clients.ts";
import { DocumentChecker, type OpenApi } from "../support/document.ts";
import { ENDPOINTS, pathOf, QUERYLESS } from "../support/pieces.ts";
import { queryOnce } from "../support/postgres.ts";
import { startTcpProxy, type TcpProxy } from "../support/tcpProxy.ts";
import { ApiClient } from "./harness/api.ts";
import { waitUntilCaughtUp } from "./harness/converge.ts";
import { type PostgresServer, startPostgres } from "./harness/postgres.ts";
import { rawRequest } from "./harness/rawHttp.ts";
import { type RpcGate, startRpcGate } from "./harness/rpcGate.ts";

/** Longer than `/v1/status` reuses one reading of the database. */
const SHARED_READING_MS = 200;
/** For answers without the database, with a margin for a busy machine. */
const SILENCE_ANSWER_MS = 60_000;
const REQUESTS_A_MINUTE = 60;
const ACCOUNTS = `/v1/treasury/accounts/0x${"2".repeat(40)}?network=evm-mainnet`;
const ID = `0x${"3".repeat(64)}`;
const QUOTE =
  `/v1/quote?network=evm-mainnet&user=0x${"2".repeat(40)}&routeId=1` +
  `&assetInId=${ID}&assetOutId=${ID}&stablecoinDelegateId=${ID}&amountIn=1`;

const shared = inject("sharedStack");
const checker = new DocumentChecker(JSON.parse(readFileSync("openapi.json", "utf8")) as OpenApi);
let server: PostgresServer;
let proxy: TcpProxy;
let gate: RpcGate;
let indexer: Indexer;
const logFile = join(shared.deploymentsDirectory, "..", "failures-indexer.log");

beforeAll(async () => {
  server = await startPostgres();
  const databaseUrl = new URL(server.databaseUrl);
  proxy = await startTcpProxy(Number(databaseUrl.port));
  databaseUrl.port = String(proxy.port);
  gate = await startRpcGate(shared.networks.mainnet.rpcUrl);
  indexer = await startIndexer({
    deploymentsDirectory: shared.deploymentsDirectory,
    rpcUrls: { [CHAIN_IDS.mainnet]: gate.rpcUrl },
    database: { databaseUrl: databaseUrl.href, schema: "coreswap" },
    settings: {
      RATE_LIMIT_PER_MINUTE: String(REQUESTS_A_MINUTE),
      CLIENT_ADDRESS_HEADER: "X-Test-Client",
      PONDER_LOG_LEVEL: "debug",
    },
    words: ["--log-format", "json"],
    logFile,
  });
  await indexer.ready();
  // The test drops the tables below, and an indexer that is writing a block then ends.
  await waitUntilCaughtUp(new ApiClient(indexer.baseUrl), "mainnet", shared.networks.mainnet);
});

afterAll(async () => {
  await indexer?.stop();
  await gate?.stop();
  await proxy?.stop();
  await server?.stop();
});

/**
 * Sends a request as its own client for each group, so that a limit reached by one group does not affect the others.
 */
async function ask(client: string, path: string) {
  const { status, headers, text } = await rawRequest(indexer.baseUrl, `GET ${path}`, {
    "X-Test-Client": clientAddress(client),
  });
  const contentType = headers.get("content-type") ?? null;
  return { status, headers, body: checker.check({ method: "GET", path, status, contentType, text }) };
}

/** This path reads the database, but only what the indexer records about itself, not the indexed tables. */
const INDEXING_STATUS = "/v1/status/indexing";

/** Paths that read the indexed tables. */
const fromTables = [
  ...ENDPOINTS.filter(({ path }) => !["/v1/info/svm", INDEXING_STATUS].includes(path)).map((endpoint) =>
    pathOf(endpoint),
  ),
  "/v1/status",
  "/api/status",
];
const withoutTables = QUERYLESS.filter((path) => !fromTables.includes(path));

test("even a single network is indexed in a separate thread, so that no request waits for it", () => {
  expect(logged()).toContainEqual(expect.objectContaining({ msg: "Created worker threads", count: 1 }));
});

/** The entries of the log. The first lines are those of the script that starts Ponder. */
function logged(): { msg: string }[] {
  const lines = readFileSync(logFile, "utf8").split("\n");
  return lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
}

test("a request for a disabled network is a 400 that names the parameter and lists the enabled networks", async () => {
  for (const { path, parameters, required } of ENDPOINTS) {
    if (!("network" in required)) continue;
    const { status, body } = await ask("off", pathOf({ path, parameters, required }, { network: "evm-sepolia" }));
    expect(status, path).toBe(400);
    expect(body).toEqual({ error: "network: evm-sepolia is not enabled; enabled: evm-mainnet", status: 400 });
  }
});

test("without its tables, every endpoint that reads them answers 500 without internals, and recovers", async () => {
  for (const path of fromTables) expect((await ask("tables", path)).status, path).toBe(200);
  await queryOnce(server.databaseUrl, "ALTER SCHEMA coreswap RENAME TO coreswap_away");
  await delay(SHARED_READING_MS);
  try {
    for (const path of fromTables) {
      const { status, body, headers } = await ask("tables", path);
      expect(status, path).toBe(500);
      expect(body).toEqual({ error: "internal error", status: 500 });
      expect(headers.get("cache-control")).toBe("no-store");
      const msg = `GET ${path.split("?")[0]} failed (request ${headers.get("x-request-id")})`;
      expect(logged(), path).toContainEqual(expect.objectContaining({ msg }));
    }
    for (const path of withoutTables) expect((await ask("tables", path)).status, path).toBe(200);
  } finally {
    await queryOnce(server.databaseUrl, "ALTER SCHEMA coreswap_away RENAME TO coreswap");
  }
  for (const path of fromTables) expect((await ask("tables", path)).status, path).toBe(200);
});

test("with a silent database, every endpoint that needs it answers 500 within seconds, and recovers", async () => {
  await delay(SHARED_READING_MS);
  proxy.stall();
  try {
    const fromDatabase = [...fromTables, INDEXING_STATUS];
    const since = performance.now();
    const answers = await Promise.all(fromDatabase.map((path) => ask("silence", path)));
    expect(performance.now() - since).toBeLessThan(SILENCE_ANSWER_MS);
    for (const [index, { status }] of answers.entries()) expect(status, fromDatabase[index]).toBe(500);
    for (const path of withoutTables) expect((await ask("silence", path)).status, path).toBe(200);
  } finally {
    proxy.resume();
  }
  for (const path of fromTables) expect((await ask("silence", path)).status, path).toBe(200);
});

test("beyond the limit, every endpoint answers 429 with Retry-After", async () => {
  for (const path of [...QUERYLESS, ...ENDPOINTS.map((endpoint) => pathOf(endpoint))]) {
    // The allowance refills meanwhile, so a few more requests than the limit may be answered.
    let answer = await ask("eager", path);
    for (let count = 0; answer.status !== 429 && count < 2 * REQUESTS_A_MINUTE; count += 1) {
      answer = await ask("eager", path);
    }
    expect(answer.status, path).toBe(429);
    expect(answer.headers.get("retry-after"), path).toMatch(/^[1-9][0-9]?$/);
  }
  expect((await ask("patient", "/v1/status")).status).toBe(200);
});

test("without its node, only the endpoints that read the node answer 503, and the indexer survives", async () => {
  let end: string | undefined;
  void indexer.ended.then((description) => {
    end = description;
  });
  await gate.stop();
  for (const path of [ACCOUNTS, QUOTE]) {
    const { status, body } = await ask("node", path);
    expect(status, path).toBe(503);
    expect(body).toEqual({
      error: expect.stringMatching(
        / of evm-mainnet cannot be read at block \d+: the node does not answer, try again later$/,
      ),
      status: 503,
    });
  }
  // Accounts and the summary were read above at the same newest block, so their answers are cached.
  for (const path of fromTables) expect((await ask("node", path)).status, path).toBe(200);
  expect(end).toBeUndefined();
});
