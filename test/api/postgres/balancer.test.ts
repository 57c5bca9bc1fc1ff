/** The balancer of `ops/haproxy` before two replicas of the API: which one it asks, and when it asks another. */
import { OpenAPIHono } from "@hono/zod-openapi";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { createStatusTable } from "../../../src/api/status/table.ts";
import { waitUntil } from "../../e2e/harness/poll.ts";
import { type RunningBalancer, startBalancer } from "../../support/haproxy.ts";
import { openEngine, type TestEngine } from "../support/engine.ts";
import { madeHistory } from "../support/history.ts";
import { type ListeningApi, listen } from "../support/listening.ts";
import { appOver, insertHistory, insertStatus, LIVE, withStatusAge } from "../support/world.ts";

const HISTORY = "/v1/transactions?network=evm-mainnet";
/** Checks that a replica has answered before a test begins. */
const FIRST_CHECKS = 4;
const CHECKS_PATH = "/v1/status/indexing";
const DEADLINE_MS = 60_000;

vi.setConfig({ testTimeout: 240_000 });

interface Replica {
  readonly api: ListeningApi;
  /** Whether its database is away. */
  isAway: boolean;
  isClosed: boolean;
  /** How far its database is behind. */
  ageSeconds: number;
  /** Number of the balancer's checks that it has answered. */
  checks: number;
  /** Paths of the requests that it got, without the balancer's checks. */
  readonly received: string[];
}

let engine: TestEngine;
let replicas: [Replica, Replica];
let balancer: RunningBalancer;

beforeAll(async () => {
  engine = await openEngine("balancer_test");
  await insertHistory(engine, 1, madeHistory(10));
  await createStatusTable(engine.database);
  await insertStatus(engine, { mainnet: LIVE, sepolia: LIVE });
});
beforeEach(async () => {
  replicas = [await startReplica(), await startReplica()];
  balancer = await startBalancer([hostOf(replicas[0]), hostOf(replicas[1])]);
  await waitUntil(
    "both replicas have passed their first checks",
    async () => {
      const checks = replicas.map((replica) => replica.checks);
      const areCurrent = [balancer.isCurrent(1), balancer.isCurrent(2)];
      return Math.min(...checks) >= FIRST_CHECKS && !areCurrent.includes(false) ? null : `${checks}, ${areCurrent}`;
    },
    { deadlineMs: DEADLINE_MS },
  );
});
afterEach(async () => {
  await balancer.stop();
  for (const replica of replicas) await closeReplica(replica);
});
afterAll(() => engine.close());

async function startReplica(): Promise<Replica> {
  const state = { isAway: false, isClosed: false, ageSeconds: 0, checks: 0, received: [] as string[] };
  const app = new OpenAPIHono();
  app.use(async (c, next) => {
    if (c.req.path !== CHECKS_PATH) state.received.push(c.req.path);
    await next();
    if (c.req.path === CHECKS_PATH) state.checks += 1;
  });
  const query: TestEngine["database"]["query"] = async (statement) => {
    if (state.isAway) throw new Error("the database is away");
    return engine.database.query(statement);
  };
  // The indexer of sepolia has stopped.
  const database = withStatusAge({ query }, (chainId) => (chainId === 1 ? state.ageSeconds : 9_000));
  app.route("/", appOver(engine, { database }).app);
  return Object.assign(state, { api: await listen({ app }) });
}

async function closeReplica(replica: Replica): Promise<void> {
  if (!replica.isClosed) await replica.api.close();
  replica.isClosed = true;
}

function hostOf({ api }: Replica): string {
  return new URL(api.baseUrl).host;
}

async function ask(client: number): Promise<number> {
  const headers = { "X-Forwarded-For": `192.0.2.${client}` };
  const response = await fetch(balancer.baseUrl + HISTORY, { headers });
  await response.text();
  return response.status;
}

/** The status of each answer that eight clients get. */
const askAll = () => Promise.all(Array.from({ length: 8 }, (_, client) => ask(client + 1)));

function forget(): void {
  for (const { received } of replicas) received.length = 0;
}

async function untilUnasked(replica: Replica): Promise<void> {
  await waitUntil(
    "the replica gets no more requests",
    async () => {
      forget();
      await askAll();
      return replica.received.length === 0 ? null : `it got ${replica.received.length}`;
    },
    { deadlineMs: DEADLINE_MS },
  );
}

it("spreads clients over the replicas, and keeps each client on one", async () => {
  await askAll();
  expect(replicas.every(({ received }) => received.length > 0)).toBe(true);
  forget();
  for (let turn = 0; turn < 5; turn += 1) expect(await ask(1)).toBe(200);
  expect(replicas.map(({ received }) => received.length).sort()).toEqual([0, 5]);
});

it("gets an answer from the other replica when one refuses, breaks off, or has no database", async () => {
  const [one, two] = replicas;
  one.isAway = true;
  expect(await askAll()).toEqual(Array(8).fill(200));
  one.isAway = false;
  await closeReplica(two);
  expect(await askAll()).toEqual(Array(8).fill(200));
});

it("leaves out a replica that is behind, and asks it again when it has caught up", async () => {
  const [one] = replicas;
  one.ageSeconds = 6;
  await untilUnasked(one);
  one.ageSeconds = 5;
  let client = 100;
  await waitUntil(
    "the replica gets requests",
    async () => {
      // New clients, since known ones stay where they are.
      for (let turn = 0; turn < 3; turn += 1) await ask(client++ % 256);
      return one.received.length > 0 ? null : "it gets none";
    },
    { deadlineMs: DEADLINE_MS },
  );
});

it("asks every replica when all are behind, each client its own, and answers 503 when none is there", async () => {
  forget();
  expect(await ask(1)).toBe(200);
  const used = replicas.findIndex(({ received }) => received.length > 0);
  for (const replica of replicas) replica.ageSeconds = 3_600;
  await waitUntil(
    "the balancer counts neither as current",
    async () => {
      const areCurrent = [balancer.isCurrent(1), balancer.isCurrent(2)];
      return areCurrent.includes(true) ? String(areCurrent) : null;
    },
    { deadlineMs: DEADLINE_MS },
  );
  forget();
  for (let turn = 0; turn < 5; turn += 1) expect(await ask(1)).toBe(200);
  // Each client stays where it was.
  expect(replicas[used]?.received).toHaveLength(5);
  expect(await askAll()).toEqual(Array(8).fill(200));
  for (const replica of replicas) await closeReplica(replica);
  await waitUntil(
    "every client gets a 503",
    async () => {
      // Until the balancer knows, it may close a connection to make its client ask again.
      const statuses = await askAll();
      return statuses.every((status) => status === 503) ? null : String(statuses);
    },
    { deadlineMs: DEADLINE_MS },
  );
});
