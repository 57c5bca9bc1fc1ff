/**
 * No secret of the settings is in what the indexer and a replica write or answer, whatever fails. Both run with the most
 * detailed log, in each of its formats.
 */
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { type Indexer, startIndexer } from "../../localnet/indexer.ts";
import { HOST } from "../../localnet/ports.ts";
import { always, type Fault, type FaultyNode, type RawAnswer, startFaultyNode } from "../support/faultyNode.ts";
import { ENDPOINTS, pathOf, QUERYLESS } from "../support/pieces.ts";
import { queryOnce } from "../support/postgres.ts";
import { Evidence } from "../support/secrets.ts";
import { type DatabaseProxy, startDatabaseProxy } from "./harness/databaseProxy.ts";
import { PATIENCE_MS, waitUntil } from "./harness/poll.ts";
import { dataDirectory, type PostgresServer, startPostgres } from "./harness/postgres.ts";
import { rawRequest } from "./harness/rawHttp.ts";

const SECRETS = {
  "password of the database": "db/pass:word@S3cret#1",
  "wrong password of the database": "old pass%word+S3cret",
  "user of the first RPC URL": "rpc-user-S3cret",
  "password of the first RPC URL": "rpc:pass/word@S3cret",
  "key in the path of the first RPC URL": "path-key+S3cret=1",
  "key in the query of the first RPC URL": "query/key+S3cret=1",
  "key of the second RPC URL": "second-key-S3cret",
  "key of a client": "client-key-S3cret",
  "mistyped key of a client": "mistyped-key-S3cret",
} as const;
const FORMATS = ["pretty", "json"] as const;
const MOST_DETAILED = ["--log-level", "trace", "--log-format"] as const;
const ROLE = "coreswap";
const KEY_HEADERS = {
  Authorization: `Bearer ${SECRETS["key of a client"]}`,
  "X-Api-Key": SECRETS["key of a client"],
  Cookie: `key=${SECRETS["key of a client"]}`,
};
const WRONG_KEY = { Authorization: `Bearer ${SECRETS["mistyped key of a client"]}` };

type Format = (typeof FORMATS)[number];

const shared = inject("sharedStack");
const evidence = new Evidence(SECRETS);
let directory: string;
let server: PostgresServer;
let proxy: DatabaseProxy;
let nodes: readonly FaultyNode[];
const indexers = new Map<Format, Indexer>();
const replicas = new Map<Format, Indexer>();
const logFiles = new Map<Indexer, string>();
let starts = 0;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "secrets-"));
  server = await startPostgres();
  await queryOnce(server.databaseUrl, `CREATE ROLE ${ROLE} SUPERUSER LOGIN`);
  await setPassword("password of the database");
  const access = join(dataDirectory(server.directory), "pg_hba.conf");
  const rules = readFileSync(access, "utf8");
  writeFileSync(access, `host all ${ROLE} all scram-sha-256\n${rules}`);
  await queryOnce(server.databaseUrl, "SELECT pg_reload_conf()");
  proxy = await startDatabaseProxy(server.port);
  const { rpcUrl } = shared.networks.mainnet;
  nodes = [await startFaultyNode(rpcUrl), await startFaultyNode(rpcUrl)];
  writeFileSync(
    join(directory, "keys"),
    `bank ${createHash("sha256").update(SECRETS["key of a client"]).digest("hex")} 6000\n`,
  );
});

afterAll(async () => {
  for (const each of [...indexers.values(), ...replicas.values()]) await each.stop();
  for (const node of nodes ?? []) await node.stop();
  await proxy?.stop();
  await server?.stop();
  rmSync(directory, { recursive: true, force: true });
});

function setPassword(name: keyof typeof SECRETS) {
  return queryOnce(server.databaseUrl, `ALTER ROLE ${ROLE} PASSWORD '${SECRETS[name]}'`);
}

const encoded = (name: keyof typeof SECRETS) => encodeURIComponent(SECRETS[name]);

function databaseUrl(): string {
  return `postgresql://${ROLE}:${encoded("password of the database")}@${HOST}:${proxy.port}/postgres`;
}

const ports = () => nodes.map(({ rpcUrl }) => new URL(rpcUrl).port);
const PATH =
  `/v2/${encoded("key in the path of the first RPC URL")}` +
  `?apikey=${encoded("key in the query of the first RPC URL")}`;

/** A URL with a key in the path, one in the query, and a password, and another one with a key alone. */
function rpcUrls(): string {
  const user = `${encoded("user of the first RPC URL")}:${encoded("password of the first RPC URL")}`;
  return [
    `http://${user}@${HOST}:${ports()[0]}${PATH}`,
    `http://${HOST}:${ports()[1]}/${SECRETS["key of the second RPC URL"]}`,
  ].join();
}

/** What the node of a URL may say about a request: all that it knows of it. */
function echoOf(url: string): string {
  const { username, password, pathname, search } = new URL(url);
  const secrets = [username, password, ...pathname.split("/"), new URLSearchParams(search).get("apikey") ?? ""];
  const [user, word] = secrets.map(decodeURIComponent);
  const basic = Buffer.from(`${user}:${word}`).toString("base64");
  return `Cannot POST ${pathname}${search} (Basic ${basic}): ${secrets.map(decodeURIComponent).join(" ")} is not allowed`;
}

function faultsOf(url: string): readonly (RawAnswer | "reset")[] {
  const echo = echoOf(url);
  const html = `<html><body><pre>${echo}</pre></body></html>`;
  const refusal = (code: number) => ({
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code, message: echo, data: { url } } }),
  });
  return [
    { status: 401, contentType: "text/plain", body: echo },
    { status: 404, contentType: "text/html", body: html },
    refusal(-32_000),
    "reset",
    { status: 403, body: JSON.stringify({ error: echo }) },
    { status: 429, body: JSON.stringify({ error: { code: 429, message: echo } }) },
    { contentType: "text/html", body: html },
    refusal(-32_005),
    refusal(-32_602),
  ];
}

/** The number of faults, and of those that a start is tried under. */
const FAULTS = faultsOf("http://127.0.0.1").length;
const FAULTS_OF_STARTS = 4;

/** Lets both nodes answer with a fault. Without one, they answer rightly. */
function spoil(index: number | null): void {
  for (const [which, node] of nodes.entries()) {
    const fault = index === null ? null : faultsOf(rpcUrls().split(",")[which] ?? "")[index];
    node.spoil(fault ? always(fault) : null);
  }
}

/** Lets a node fail in every fourth call of a backfill, twice in each way. The checks before a start request no logs. */
function failSometimes(node: FaultyNode, url: string): void {
  const faults = faultsOf(url);
  let calls = 0;
  const failing: Fault = async ({ method }, result) => {
    if (node.calls.has("eth_getLogs") && method !== "eth_chainId") calls += 1;
    if (calls === 0 || calls % 4 !== 0 || calls > 8 * FAULTS) return { result: await result() };
    return faults[(calls / 4) % FAULTS] ?? "reset";
  };
  node.spoil(failing);
}

interface Start {
  readonly command?: "start" | "serve";
  readonly format: Format;
  readonly settings?: Readonly<Record<string, string>>;
}

async function start({ command = "start", format, settings = {} }: Start): Promise<Indexer> {
  starts += 1;
  const logFile = evidence.addFile(join(directory, `${starts}-${command}-${format}.log`));
  const process = await startIndexer({
    command,
    deploymentsDirectory: shared.deploymentsDirectory,
    rpcUrls: {},
    database: { databaseUrl: databaseUrl(), schema: `secrets_${format}` },
    settings: {
      PONDER_RPC_URL_1: rpcUrls(),
      API_KEYS_FILE: join(directory, "keys"),
      CLIENT_ADDRESS_HEADER: "",
      ...settings,
    },
    words: [...MOST_DETAILED, format],
    logFile,
  });
  logFiles.set(process, logFile);
  return process;
}

const EVERY_START: readonly Start[] = FORMATS.map((format) => ({ command: "start", format }));
const EVERY_SERVE: readonly Start[] = FORMATS.map((format) => ({ command: "serve", format }));

/** Starts processes, which must all end by themselves. */
async function startInVain(wanted: readonly Start[], settings: Record<string, string> = {}) {
  const ends = await Promise.all(
    wanted.map(async (each) => {
      const process = await start({ ...each, settings });
      const timer = AbortSignal.timeout(PATIENCE_MS);
      timer.addEventListener("abort", () => void process.kill());
      const end = await process.ended;
      return `${end}\n${readFileSync(logFiles.get(process) ?? "", "utf8")}`;
    }),
  );
  for (const end of ends) expect(end).toMatch(/ended with exit code (1|75)/);
  return ends;
}

function expectAll(texts: readonly string[], part: string): void {
  for (const text of texts) expect(text).toContain(part);
}

const OWN_PATHS = ["/metrics", "/ready", "/status", "/health", "/v1/status", "/v1/status/indexing?maxLagSeconds=1"];
const NODE_PATHS = ENDPOINTS.map((endpoint) => pathOf(endpoint)).filter((path) =>
  /^\/v1\/(quote|lps|treasury|transactions\/)/.test(path),
);

/** Sends requests with keys in their headers to a process, and keeps the answers. */
async function ask({ baseUrl }: Indexer, paths: readonly string[], phase: string): Promise<number[]> {
  return Promise.all(
    paths.map(async (path) => {
      let last = 0;
      for (const headers of [KEY_HEADERS, WRONG_KEY]) {
        const { status, headers: received, text } = await rawRequest(baseUrl, `GET ${path}`, headers);
        evidence.add(`the answer to ${path} ${phase}`, `${status} ${JSON.stringify([...received])} ${text}`);
        if (headers === KEY_HEADERS) last = status;
      }
      return last;
    }),
  );
}

async function askAll(paths: readonly string[], phase: string, from = [...indexers.values(), ...replicas.values()]) {
  return (await Promise.all(from.map((each) => ask(each, paths, phase)))).flat();
}

const logs = () =>
  evidence
    .read()
    .map(({ text }) => text)
    .join("\n");

test("when the node refuses the start with an answer that repeats the request", async () => {
  for (let fault = 0; fault < FAULTS_OF_STARTS; fault += 1) {
    spoil(fault);
    const settings = { PONDER_RPC_URL_1: rpcUrls().split(",")[fault % 2] ?? "" };
    expectAll(await startInVain(EVERY_START, settings), "eth_chainId on PONDER_RPC_URL_1 failed");
  }
  spoil(null);
  expect(logs()).toContain("<RPC URL>");
  expect(evidence.leaks()).toEqual([]);
});

test("when the node fails during a backfill, and for requests that ask it", async () => {
  for (const [which, node] of nodes.entries()) failSometimes(node, rpcUrls().split(",")[which] ?? "");
  for (const format of FORMATS) indexers.set(format, await start({ format }));
  for (const format of FORMATS) {
    await indexers.get(format)?.ready();
    replicas.set(format, await start({ command: "serve", format }));
    await replicas.get(format)?.ready();
  }
  for (let fault = 0; fault < FAULTS; fault += 1) {
    spoil(fault);
    expect(await askAll(NODE_PATHS, `under fault ${fault}`)).toContain(503);
    await askAll(OWN_PATHS, `under fault ${fault}`);
  }
  spoil(null);
  expect(await askAll(["/v1/info"], "after the faults")).toEqual([200, 200, 200, 200]);
  expect(evidence.leaks()).toEqual([]);
});

test("when clients send malformed requests with their keys", async () => {
  const requests = [
    "GET /v1/transactions?network=nothing",
    "POST /v1/transactions",
    "GET /nothing",
    "GET /v1/%zz",
    `GET /${"a".repeat(20_000)}`,
    "HACK / HTTP/0.9 more",
  ];
  for (const { baseUrl } of [...indexers.values(), ...replicas.values()]) {
    for (const request of requests) {
      for (const headers of [KEY_HEADERS, WRONG_KEY, { "Transfer-Encoding": "x", ...KEY_HEADERS }]) {
        const { status, headers: received, text } = await rawRequest(baseUrl, request, headers);
        evidence.add(`the answer to ${request.slice(0, 60)}`, `${status} ${JSON.stringify([...received])} ${text}`);
      }
    }
  }
  expect(await askAll(QUERYLESS, "at rest")).not.toContain(401);
  expect(evidence.leaks()).toEqual([]);
});

test("when the database is away, or does not accept the password", async () => {
  const paths = [...OWN_PATHS, ...NODE_PATHS, "/v1/volume?network=evm-mainnet", "/v1/transactions?network=evm-mainnet"];
  const from = [...replicas.values()];
  proxy.block();
  expect(await askAll(paths, "without a database", from)).toContain(500);
  expectAll(await startInVain(EVERY_START), "Error: ");

  // Before the replicas can connect again.
  await setPassword("wrong password of the database");
  proxy.forwardTo(server.port);
  proxy.forwardTo(server.port);
  expect(await askAll(paths, "with a wrong password", from)).toContain(500);
  expectAll(await startInVain(EVERY_START), "password authentication failed");
  const url = databaseUrl().replace(encoded("password of the database"), encoded("wrong password of the database"));
  await setPassword("password of the database");
  const ends = await startInVain([...EVERY_START, ...EVERY_SERVE], { DATABASE_PRIVATE_URL: url });
  // A replica tries for a while, and says no more than that.
  for (const end of ends) expect(end).toMatch(/password authentication failed|Failed to connect to database/);
  await waitUntil("the replicas answer again", async () => {
    const statuses = await askAll(["/v1/info"], "with the database back", from);
    return statuses.every((status) => status === 200) ? null : statuses.join();
  });
  expect(evidence.leaks()).toEqual([]);
});

test("when a setting that has a secret is malformed", async () => {
  // A second indexer would wait for the schema.
  for (const indexer of indexers.values()) await indexer.stop();
  indexers.clear();
  const url = rpcUrls().split(",")[0] ?? "";
  const rpcUrl = (text: string) => ({ PONDER_RPC_URL_1: text });
  const database = (text: string) => ({ DATABASE_PRIVATE_URL: text });
  const keys = (lines: string) => {
    const file = join(directory, `keys-${starts}`);
    writeFileSync(file, `${lines}\n`);
    return { API_KEYS_FILE: file };
  };
  const key = SECRETS["key of a client"];
  const cases: [Record<string, string>, string][] = [
    [rpcUrl(url.replace("http:", "ws:")), "PONDER_RPC_URL_1: entry 1 is not an http(s) URL"],
    [rpcUrl(`${url},${url.replace(`:${ports()[0]}`, ":99999")}`), "PONDER_RPC_URL_1: entry 2 is not an http(s) URL"],
    [rpcUrl(url.replace("http://", "")), "PONDER_RPC_URL_1: entry 1 is not an http(s) URL"],
    [database(databaseUrl().replace("postgresql://", "")), "DATABASE_PRIVATE_URL is not a URL"],
    [database(databaseUrl().replace("postgresql", "https")), "DATABASE_PRIVATE_URL is not a URL"],
    [database(decodeURIComponent(databaseUrl())), "DATABASE_PRIVATE_URL is not a URL"],
    [keys(`bank ${key} 6000`), "API_KEYS_FILE: line 1"],
    [keys(key), "API_KEYS_FILE: line 1"],
    [{ API_KEYS_FILE: join(directory, "missing") }, "API_KEYS_FILE: ENOENT"],
  ];
  for (const [index, [settings, message]] of cases.entries()) {
    // Each case is tried with both commands and in both formats, and each kind of setting in all four pairs of them.
    const wanted = FORMATS.map((format, of): Start => ({ format, command: (index + of) % 2 ? "serve" : "start" }));
    expectAll(await startInVain(wanted, settings), message);
  }
  expect(evidence.leaks()).toEqual([]);
});

test("and none is stored in the tables that the indexer writes about itself", async () => {
  for (const schema of ["core_offchain", ...FORMATS.map((format) => `secrets_${format}`)]) {
    const [row] = await queryOnce(server.databaseUrl, `SELECT schema_to_xml('${schema}', true, false, '') AS rows`);
    const rows = String(row?.rows);
    expect(rows).toContain("<row");
    evidence.add(`the schema ${schema}`, rows);
  }
  expect(evidence.leaks()).toEqual([]);
});
