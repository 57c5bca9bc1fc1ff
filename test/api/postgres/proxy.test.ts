/** The nginx proxy of `ops/nginx` in front of two replicas of the API: what it forwards, caches, and never caches. */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { OpenAPIHono } from "@hono/zod-openapi";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { clientByAddress } from "../../../src/api/http/client.ts";
import type { Database } from "../../../src/api/shared/database.ts";
import type { EventStreams } from "../../../src/api/transactions/events.ts";
import { waitUntil } from "../../e2e/harness/poll.ts";
import { type EventClient, followEvents } from "../../support/eventClient.ts";
import { installedProgram } from "../../support/installed.ts";
import { type RunningProxy, startProxy } from "../../support/nginx.ts";
import { insertRows, openEngine, type TestEngine } from "../support/engine.ts";
import { madeHistory } from "../support/history.ts";
import { type ListeningApi, listen } from "../support/listening.ts";
import { streamsOf } from "../support/streams.ts";
import { appOver, hashOf, insertHistory } from "../support/world.ts";

const HISTORY = "/v1/transactions?network=evm-mainnet";
const NEWEST = 110;
const runbook = readFileSync("docs/operate/runbook.md", "utf8");

/**
 * An answer is fresh for one second and may be shown for another while a new one is fetched. nginx counts in whole
 * seconds.
 */
const EXPIRED_MS = 3_200;

vi.setConfig({ testTimeout: 240_000 });

/** A request as a replica received it, with its response. */
interface Received {
  readonly replica: number;
  readonly path: string;
  readonly url: string;
  readonly client: string;
  readonly condition: string | undefined;
  readonly status: number;
}

let engine: TestEngine;
let proxy: RunningProxy;
let replicas: ListeningApi[];
/** Whether the database of each replica is unavailable. */
let isAway: boolean[];
let endStreams: () => void;
let received: Received[] = [];
/** The requests of different tests must differ, because the cache keeps its entries between tests. */
let limit = 0;
const freshPath = () => `${HISTORY}&limit=${++limit}`;

beforeAll(async () => {
  engine = await openEngine("proxy_test");
  await insertHistory(engine, 1, madeHistory(10));
});
beforeEach(async () => {
  await newestEventIn(NEWEST);
  received = [];
  isAway = [false, false];
  const events = streamsOf(engine);
  endStreams = () => events.end();
  replicas = [await listen({ app: recording(0, events) }), await listen({ app: recording(1, events) })];
  proxy = await startProxy(addressesOf(replicas));
});
afterEach(async () => {
  endStreams();
  await proxy.stop();
  for (const replica of replicas) await replica.close();
});
afterAll(() => engine.close());

function addressesOf([one, two]: readonly ListeningApi[]): [string, string] {
  if (one === undefined || two === undefined) throw new Error("there are not two replicas");
  return [new URL(one.baseUrl).host, new URL(two.baseUrl).host];
}

/** An API that records the requests it receives. */
function recording(replica: number, events: EventStreams): OpenAPIHono {
  const clientOf = clientByAddress({ header: "X-Forwarded-For", count: 1 });
  const app = new OpenAPIHono();
  app.use(async (c, next) => {
    await next();
    received.push({
      replica,
      path: c.req.path,
      url: c.req.url,
      client: clientOf(c),
      condition: c.req.header("if-none-match"),
      status: c.res.status,
    });
  });
  const database: Database = {
    query: async (statement) => {
      if (isAway[replica]) throw new Error("the database is away");
      return engine.database.query(statement);
    },
  };
  const limits = { requestsPerMinute: 100_000, nodeRequestsPerMinute: 60, clientOf };
  app.route("/", appOver(engine, { events, database, limits }).app);
  return app;
}

async function newestEventIn(block: number): Promise<void> {
  await engine.execute(`DELETE FROM "${engine.schema}".chain_state`);
  const state = { chainId: 1, blockNumber: block, blockHash: hashOf(String(block)), eventId: "7", seriesCount: 0 };
  await insertRows(engine, "chain_state", [state]);
}

async function ask(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${proxy.baseUrl}${path}`, { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const cacheOf = ({ headers }: { readonly headers: Headers }) => headers.get("x-cache-status");

/** Repeats a request until the cache reports the given status. */
async function askUntil(path: string, cacheStatus: string) {
  let last = await ask(path);
  await waitUntil(
    `the cache answers ${path} with ${cacheStatus}`,
    async () => {
      if (cacheOf(last) === cacheStatus) return null;
      await pause(50);
      last = await ask(path);
      return cacheOf(last) === cacheStatus ? null : `${last.status} ${cacheOf(last)}`;
    },
    { deadlineMs: 60_000, intervalMs: 0 },
  );
  return last;
}

/** Sends a path or a host that `fetch` would normalize, and returns the status line of the response. */
async function rawStatus(path: string, host = "coreswap.example"): Promise<string> {
  const socket = connect(proxy.port, "127.0.0.1");
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`, "latin1");
  let text = "";
  socket.setEncoding("utf8").on("data", (part) => {
    text += part;
  });
  await once(socket, "close");
  return text.split("\r\n")[0] ?? "";
}

it("is a valid nginx configuration as shipped", () => {
  const directory = mkdtempSync(join(tmpdir(), "coreswap-nginx-"));
  try {
    execFileSync(installedProgram("nginx"), ["-t", "-q", "-p", directory, "-c", resolve("ops/nginx/nginx.conf")]);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

it("logs requests into its folder with the line that the runbook names for systemd, also where its output is a socket", async () => {
  const [, line = ""] = /`(access_log access[^`]+;)`/.exec(runbook) ?? [];
  const edit = (shipped: string) => shipped.replace("access_log off;", line);
  const directory = mkdtempSync(join(tmpdir(), "coreswap-nginx-"));
  try {
    cpSync("ops/nginx", directory, { recursive: true });
    writeFileSync(join(directory, "nginx.conf"), edit(readFileSync("ops/nginx/nginx.conf", "utf8")));
    // Node.js gives the program sockets, as systemd does.
    execFileSync(installedProgram("nginx"), ["-t", "-q", "-p", directory, "-c", join(directory, "nginx.conf")]);
  } finally {
    rmSync(directory, { recursive: true });
  }
  await proxy.stop();
  proxy = await startProxy(addressesOf(replicas), edit);
  const path = freshPath();
  await ask(path, { "Min-Indexed-Block": String(NEWEST + 1) });
  await waitUntil(
    "the request is logged",
    async () => {
      const log = readFileSync(join(proxy.folder, "access.log"), "utf8");
      return log.includes(`"GET ${path} HTTP/1.1" 503 `) ? null : log;
    },
    { deadlineMs: 60_000 },
  );
});

it("forwards each documented path, and no other", async () => {
  const { paths } = JSON.parse((await ask("/openapi.json")).text) as { paths: Record<string, unknown> };
  // Streams have their own test. Ponder answers /health, and Ponder is not part of this app.
  const documented = Object.keys(paths).filter((path) => path !== "/v1/events");
  for (const template of [...documented, "/docs/swagger-ui.css", "/docs/guide/", "/app", "/app/assets"]) {
    const path = template.replace(/\{\w+\}/, "0x00");
    await ask(path);
    expect(received.map((request) => request.path)).toContain(path);
  }
  const count = received.length;
  const forbidden = ["/metrics", "/ready", "/status", "/sql/db", "/graphql", "/docsx", "/appx", "/v2", "/v1x"];
  for (const path of forbidden) {
    const { status, headers, text } = await ask(path);
    expect([status, JSON.parse(text).status, headers.get("cache-control")], path).toEqual([404, 404, "no-store"]);
  }
  const disguised = [
    "//metrics",
    "/v1/../metrics",
    "/v1/%2e%2e/metrics",
    "/v1/..%2fmetrics",
    "/%6detrics",
    "/v1/../ready?x",
  ];
  for (const path of disguised) expect(await rawStatus(path), path).toBe("HTTP/1.1 404 Not Found");
  expect(received).toHaveLength(count);
  // Whatever the proxy forwards must be a path of this API for the replica, too.
  for (const path of [
    "/v1/\\..\\..\\metrics",
    "/v1/x/%5c..%5c..%5cmetrics",
    "/metrics%2f..%2fv1/x",
    "/v1/x;/../../metrics",
  ])
    await rawStatus(path);
  const reached = received.slice(count).map(({ path }) => path);
  expect(reached.filter((path) => !path.startsWith("/v1/") && !path.startsWith("/metrics%2f"))).toEqual([]);
});

/**
 * A host that contains a path, and that the server of the API would take for a host: it compares the length with that of
 * the normalized name, in which each "é" is six characters longer and each soft hyphen is gone.
 */
function hostWith(path: string): string {
  const labels = Math.ceil(path.length / 6);
  return Array(labels).fill("\u00e9").join(".") + "\u00ad".repeat(6 * labels - path.length) + path;
}

it("keeps the answer to the path that was asked for, whatever the host says", async () => {
  const path = freshPath();
  await rawStatus(path, hostWith("\\v1\\info#"));
  await rawStatus(path, hostWith("\\metrics?"));
  expect(received.map((request) => request.path)).toEqual(["/v1/transactions"]);
  expect(JSON.parse((await ask(path)).text)).toHaveProperty("transactions");
});

it("answers from its cache, and revalidates its copy when it has expired", async () => {
  const path = freshPath();
  const first = await ask(path);
  expect([first.status, cacheOf(first)]).toEqual([200, "MISS"]);
  const hit = await askUntil(path, "HIT");
  expect([hit.text, hit.headers.get("etag")]).toEqual([first.text, first.headers.get("etag")]);
  await pause(EXPIRED_MS);
  const count = received.length;
  const revalidated = await ask(path);
  expect([cacheOf(revalidated), revalidated.text]).toEqual(["REVALIDATED", first.text]);
  expect(received.slice(count)).toMatchObject([{ condition: first.headers.get("etag"), status: 304 }]);
});

it("returns an expired answer for a second while it fetches the new one", async () => {
  let block = NEWEST;
  await waitUntil(
    "an answer within the second",
    async () => {
      const path = freshPath();
      const old = await ask(path);
      await newestEventIn(++block);
      let next = await ask(path);
      while (cacheOf(next) === "HIT") {
        await pause(50);
        next = await ask(path);
      }
      // On a busy machine, it can be over before anybody asks.
      if (cacheOf(next) !== "STALE") return `${next.status} ${cacheOf(next)}`;
      expect(next.headers.get("etag")).toBe(old.headers.get("etag"));
      await waitUntil(
        "the new answer",
        async () => ((await ask(path)).headers.get("etag") === old.headers.get("etag") ? "the old one" : null),
        { deadlineMs: 60_000 },
      );
      return null;
    },
    { deadlineMs: 60_000 },
  );
});

it("says what a replica said about the client's limits, and nothing of another client's", async () => {
  const path = freshPath();
  const fresh = await ask(path);
  expect([cacheOf(fresh), fresh.headers.get("ratelimit-policy")]).toEqual(["MISS", '"requests";q=100000;w=60']);
  expect(fresh.headers.get("ratelimit")).toMatch(/^"requests";r=99\d{3};t=\d+$/);
  const hit = await askUntil(path, "HIT");
  await pause(EXPIRED_MS);
  const revalidated = await ask(path);
  expect(cacheOf(revalidated)).toBe("REVALIDATED");
  for (const { headers } of [hit, revalidated]) {
    expect([headers.get("ratelimit"), headers.get("ratelimit-policy")]).toEqual([null, null]);
  }
  const refused = await ask("/v1/quote");
  expect(refused.status).toBe(400);
  expect(refused.headers.get("ratelimit-policy")).toBe('"requests";q=100000;w=60, "quotes";q=60;w=60');
});

it("gives each request an ID of its own, also if the answer comes from the cache", async () => {
  const path = freshPath();
  const ids = new Set<string | null>();
  for (const headers of [{}, {}, { "X-Request-Id": "of-the-client" }]) {
    ids.add((await ask(path, headers)).headers.get("x-request-id"));
  }
  expect(ids.size).toBe(3);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/);
});

it("answers a conditional request of a client", async () => {
  const path = freshPath();
  const tag = (await ask(path)).headers.get("etag") ?? "";
  expect((await ask(path, { "If-None-Match": tag })).status).toBe(304);
  expect((await ask(path, { "If-None-Match": '"another"' })).status).toBe(200);
});

it("returns stale answers when no replica answers, but none that depends on a node or on the clock", async () => {
  const [path, status] = [freshPath(), "/v1/status/indexing"];
  const before = await ask(path);
  expect((await ask(status)).status).toBe(200);
  for (const replica of replicas.splice(0)) await replica.close();
  await pause(EXPIRED_MS);
  const after = await ask(path);
  expect([after.status, cacheOf(after), after.text]).toEqual([200, "STALE", before.text]);
  expect((await ask(status)).status).toBe(502);
  expect((await ask(freshPath())).status).toBe(502);
});

it("forwards errors, and caches none", async () => {
  const [known, unknown] = [freshPath(), freshPath()];
  await ask(known);
  isAway = [true, true];
  await pause(EXPIRED_MS);
  for (const path of [known, unknown]) expect((await ask(path)).status).toBe(500);
  isAway = [false, false];
  for (const path of [known, unknown]) expect((await ask(path)).status).toBe(200);
  for (const [path, status] of [
    [`${HISTORY}&limit=0`, 400],
    ["/v1/nothing", 404],
  ] as const) {
    const count = received.length;
    for (const _ of [1, 2]) expect((await ask(path)).status).toBe(status);
    expect(received).toHaveLength(count + 2);
  }
});

it("caches answers separately by query", async () => {
  const [one, two] = [freshPath(), freshPath()];
  for (const path of [one, two, one, two]) {
    const { transactions } = JSON.parse((await ask(path)).text) as { transactions: unknown[] };
    expect(transactions).toHaveLength(Math.min(Number(new URLSearchParams(path).get("limit")), 10));
  }
});

it("does not use the cache for a request that demands a block", async () => {
  const path = freshPath();
  await askUntil(path, "HIT");
  const count = received.length;
  const [has, lacks] = [{ "Min-Indexed-Block": String(NEWEST) }, { "Min-Indexed-Block": String(NEWEST + 1) }];
  const behind = await ask(path, lacks);
  expect([behind.status, cacheOf(behind), behind.headers.get("retry-after")]).toEqual([503, "BYPASS", "1"]);
  const answered = await ask(path, has);
  expect([answered.status, cacheOf(answered)]).toEqual([200, "BYPASS"]);
  await newestEventIn(NEWEST - 1);
  expect((await ask(path, has)).status).toBe(503);
  expect(received).toHaveLength(count + 3);
  expect((await ask(path)).status).toBe(200);
});

it("forwards each event at once, and caches none", async () => {
  const clients: EventClient[] = [];
  try {
    for (const _ of [1, 2]) clients.push(await followEvents(`${proxy.baseUrl}/v1/events?network=evm-mainnet`));
    const [made] = madeHistory(1, "new");
    if (made === undefined) throw new Error("no transaction");
    const inclusion = { ...made.inclusion, blockNumber: String(NEWEST + 1) };
    await insertHistory(engine, 1, [{ ...made, inclusion }]);
    await newestEventIn(NEWEST + 1);
    await waitUntil(
      "each client has the event",
      async () => (clients.every(({ received: events }) => events.length === 1) ? null : "not yet"),
      { deadlineMs: 60_000 },
    );
  } finally {
    for (const client of clients) client.stop();
  }
});

it("tells the replicas who the client is, whatever the client says", async () => {
  await ask(freshPath(), { "X-Forwarded-For": "192.0.2.7" });
  expect(received.at(-1)?.client).toBe("127.0.0.1");
});

it("uses the other replica when the database of the first one is unavailable", async () => {
  await ask(freshPath());
  const used = received[0]?.replica ?? 0;
  isAway[used] = true;
  for (const _ of [1, 2, 3]) expect((await ask(freshPath())).status).toBe(200);
  isAway[used] = false;
  received = [];
  await ask(freshPath());
  expect(received).toMatchObject([{ replica: used }]);
});

it("uses one replica for one client, and the other replica when the first has ended", async () => {
  for (const _ of [1, 2, 3, 4]) await ask(freshPath());
  const [used, ...others] = new Set(received.map(({ replica }) => replica));
  expect(others).toEqual([]);
  await replicas[used ?? 0]?.close();
  replicas.splice(used ?? 0, 1);
  received = [];
  for (const _ of [1, 2, 3, 4]) expect((await ask(freshPath())).status).toBe(200);
  expect(new Set(received.map(({ replica }) => replica))).toEqual(new Set([1 - (used ?? 0)]));
});
