/** The states of a network that an indexer and its replica report while their dependencies fail. */

import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CHAIN_IDS } from "../../config/networks.ts";
import { createChainClient } from "../../localnet/chain.ts";
import { type Indexer, startIndexer } from "../../localnet/indexer.ts";
import { startNode } from "../../localnet/nodes.ts";
import type { IndexingAnswer } from "../../src/api/status/indexing.schema.ts";
import { STOPPED_AFTER_SECONDS } from "../../src/api/status/state.ts";
import { readAlertRules, readDashboardExpressions, selectorsOf } from "../support/prometheus.ts";
import { ApiClient } from "./harness/api.ts";
import { followLog } from "./harness/log.ts";
import { waitUntil } from "./harness/poll.ts";
import { type PostgresServer, startPostgres } from "./harness/postgres.ts";
import { type PrometheusServer, startPrometheus } from "./harness/prometheus.ts";
import { type RpcGate, startRpcGate } from "./harness/rpcGate.ts";
import { Stack } from "./harness/stack.ts";
import { STATUS_PATH, statusOf, waitForState } from "./harness/status.ts";

const SCHEMA = "coreswap";
/** Longer than a busy machine keeps a process waiting, because nothing restarts an indexer that the watchdog ends. */
const WATCHDOG_SECONDS = 600;
/** For the test in which the watchdog ends the indexer. */
const SHORT_WATCHDOG_SECONDS = 12;
/** More seconds than the age of any block of this chain. */
const ANY_LAG = 31_536_000;

let stack: Stack;
let server: PostgresServer;
let gate: RpcGate;
let indexer: Indexer;
let replica: Indexer;
let prometheus: PrometheusServer;
let chain: ReturnType<typeof createChainClient>;

beforeAll(async () => {
  [stack, server] = await Promise.all([
    Stack.build({ name: "indexing-status", networks: ["mainnet"], seed: 21, transactionCount: 100, emptyBlocks: 300 }),
    startPostgres(),
  ]);
  chain = createChainClient(stack.deployed("mainnet").rpcUrl);
  gate = await startRpcGate(stack.deployed("mainnet").rpcUrl);
});

afterAll(async () => {
  await prometheus?.stop();
  await replica?.stop();
  await indexer?.stop();
  await gate?.stop();
  await server?.stop();
  await stack?.stop();
});

function start(command: "start" | "serve", settings: Readonly<Record<string, string>> = {}): Promise<Indexer> {
  return startIndexer({
    command,
    deploymentsDirectory: stack.deploymentsDirectory,
    rpcUrls: { [CHAIN_IDS.mainnet]: gate.rpcUrl },
    database: { databaseUrl: server.databaseUrl, schema: SCHEMA },
    settings: { WATCHDOG_SECONDS: String(WATCHDOG_SECONDS), ...settings },
    logFile: logFileOf(command),
  });
}

const logFileOf = (command: string) => join(stack.directory, `${command}.log`);

async function probe(process: Indexer, maxLagSeconds: number): Promise<number> {
  return (await new ApiClient(process.baseUrl).request(`${STATUS_PATH}?maxLagSeconds=${maxLagSeconds}`)).status;
}

async function head(): Promise<number> {
  return Number((await chain.getBlock()).number);
}

test("a network is reported in backfill, with its newest indexed block and the node's head, and then live", async () => {
  gate.holdBackfill(await head());
  indexer = await start("start");
  const backfill = await waitForState(indexer, "backfill");
  await waitUntil("the node's head is known", async () =>
    (await statusOf(indexer)).head === null ? "it is not" : null,
  );
  expect(backfill.lagSeconds === null || backfill.lagSeconds >= 0).toBe(true);
  gate.release();
  await indexer.ready();
  await waitForState(indexer, "live");
  await waitUntil("everything is indexed", async () => {
    const { newestIndexedBlock, lagBlocks } = await statusOf(indexer);
    return lagBlocks?.blocks === "0" ? null : `${newestIndexedBlock?.blockNumber} is the newest`;
  });
  const live = await statusOf(indexer);
  const number = await head();
  const { hash } = await chain.getBlock();
  expect(live).toMatchObject({
    head: { blockNumber: String(number), blockHash: hash },
    newestIndexedBlock: { blockNumber: String(number) },
    reason: null,
    reorganizations: 0,
  });
  expect(Number(live.newestFinalBlock)).toBeGreaterThanOrEqual(number - 65 - 1);
  expect(await probe(indexer, ANY_LAG)).toBe(200);
});

test("a replica reports the same status as the indexer, and a new block ends the lag", async () => {
  replica = await start("serve");
  await waitUntil("the replica answers", async () => ((await probe(replica, ANY_LAG)) === 200 ? null : "not yet"));
  expect(await statusOf(replica)).toMatchObject({
    state: "live",
    newestIndexedBlock: { blockNumber: String(await head()) },
  });
  await chain.mine({ blocks: 1 });
  const number = String(await head());
  await waitUntil("the replica reports the new block", async () =>
    (await statusOf(replica)).newestIndexedBlock?.blockNumber === number ? null : "not yet",
  );
  // The chain's clock is behind by the time that it took to build its history.
  const { timestamp } = await chain.getBlock();
  const age = () => Math.max(0, Math.floor(Date.now() / 1000) - Number(timestamp));
  const before = age();
  const { lagSeconds } = await statusOf(replica);
  expect(lagSeconds).toBeGreaterThanOrEqual(before);
  expect(lagSeconds).toBeLessThanOrEqual(age());
  expect(await probe(replica, 3_600)).toBe(200);
});

test("a node that does not answer makes the state unreachable until it is back", async () => {
  gate.refuse(true);
  const unreachable = await waitForState(replica, "unreachable");
  expect(unreachable.head).not.toBeNull();
  expect(unreachable.reason).not.toBeNull();
  expect(JSON.stringify(unreachable)).not.toContain("127.0.0.1");
  expect(await probe(replica, ANY_LAG)).toBe(503);
  // These requests also give the alerts on failed requests their series.
  for (const { baseUrl } of [indexer, replica]) {
    expect((await new ApiClient(baseUrl).request("/v1/treasury/summary?network=evm-mainnet")).status).toBe(503);
  }
  expect((await new ApiClient(replica.baseUrl).request("/v1/status")).text).toBe(
    "unreachable\nevm-mainnet on, unreachable\n",
  );
  gate.refuse(false);
  await waitForState(replica, "live");
  expect((await new ApiClient(replica.baseUrl).request("/v1/status")).text).toBe("ok\nevm-mainnet on\n");
});

test("a node that answers with another, shorter chain makes the state unreachable until it is back", async () => {
  const other = await startNode({
    chainId: CHAIN_IDS.mainnet,
    logFile: join(stack.directory, "other.node.log"),
  });
  try {
    const newest = String(await head());
    await waitUntil("the newest block is known", async () => {
      const { head: known } = await statusOf(replica);
      return known?.blockNumber === newest ? null : `it is ${known?.blockNumber}`;
    });
    gate.passTo(other.rpcUrl);
    const { reason, head: last } = await waitForState(replica, "unreachable");
    expect(reason).toBe("the newest block that the node returns is of another chain");
    expect(last?.blockNumber).toBe(newest);
    expect(await probe(replica, ANY_LAG)).toBe(503);
    gate.passTo(null);
    await waitForState(replica, "live");
  } finally {
    gate.passTo(null);
    await other.stop();
  }
});

test("every series that an alert or the dashboard selects exists on the indexer and on the replica", async () => {
  prometheus = await startPrometheus([indexer.baseUrl, replica.baseUrl], stack.directory);
  const panels = readDashboardExpressions();
  const selectors = new Set([...readAlertRules("indexer").map(({ expr }) => expr), ...panels].flatMap(selectorsOf));
  expect(selectors.size).toBeGreaterThan(10);
  const ofEach = [indexer, replica].flatMap(({ baseUrl }) =>
    [...selectors].map((selector) => `${selector} and on (instance) up{instance="${new URL(baseUrl).host}"}`),
  );
  // A rate needs two scrapes, and a scrape that a busy process answers too late takes all series of that process away.
  const missing = new Set([...ofEach, ...panels]);
  await waitUntil("each selector, of each process, and each panel of the dashboard has shown something", async () => {
    for (const expression of missing) if ((await prometheus.count(expression)) > 0) missing.delete(expression);
    return missing.size === 0 ? null : [...missing].join("\n");
  });
});

test("every replica reports a killed indexer as stopped within 30 seconds", async () => {
  await waitForState(replica, "live");
  await indexer.kill();
  const { writtenAt } = await statusOf(replica);
  const secondsSinceWritten = () => (Date.now() - Date.parse(String(writtenAt))) / 1_000;
  const api = new ApiClient(replica.baseUrl);
  // The deadline is checked for each request, because a busy machine may send the next one only after the deadline.
  await waitUntil("stopped is reported", async () => {
    const askedAt = secondsSinceWritten();
    const { status, text } = await api.request(`${STATUS_PATH}?maxLagSeconds=${ANY_LAG}`);
    const [mainnet] = (JSON.parse(text) as IndexingAnswer).networks;
    expect(mainnet?.writtenAt).toBe(writtenAt);
    if (mainnet?.state === "stopped") {
      expect(status).toBe(503);
      expect(secondsSinceWritten()).toBeGreaterThanOrEqual(STOPPED_AFTER_SECONDS);
      return null;
    }
    expect({ state: mainnet?.state, status }).toEqual({ state: "live", status: 200 });
    expect(askedAt).toBeLessThanOrEqual(30);
    return "it is live";
  });
  expect((await new ApiClient(replica.baseUrl).request("/v1/status")).text).toMatch(/^stopped\n/);
  const address = new URL(indexer.baseUrl).host;
  await waitUntil("the alerts on the killed indexer have their conditions", async () => {
    const alerts = await prometheus.alerts();
    const missing = ["CoreSwapStopped mainnet", `CoreSwapDown ${address}`].filter((alert) => !alerts.includes(alert));
    return missing.length === 0 ? null : `missing: ${missing}; there are: ${alerts}`;
  });
});

test("after a restart, the status never names a block whose rows are missing, and the state returns to live", async () => {
  const before = Number((await statusOf(replica)).newestIndexedBlock?.blockNumber);
  indexer = await start("start");
  await indexer.ready();
  const live = await waitForState(replica, "live");
  expect(Number(live.newestIndexedBlock?.blockNumber)).toBeLessThanOrEqual(before);
  await chain.mine({ blocks: 1 });
  const number = String(await head());
  await waitUntil("the new block is reported", async () =>
    (await statusOf(replica)).newestIndexedBlock?.blockNumber === number ? null : "not yet",
  );
});

test("a process whose indexing hangs while the head rises is reported as stalled, and ends to be restarted", async () => {
  await indexer.stop();
  indexer = await start("start", { WATCHDOG_SECONDS: String(SHORT_WATCHDOG_SECONDS) });
  await indexer.ready();
  await waitForState(replica, "live");
  const logged = followLog(logFileOf("start"));
  const blocker = new Client({ connectionString: server.databaseUrl });
  await blocker.connect();
  // Everybody can read the progress, but nobody can write it.
  await blocker.query(`BEGIN; LOCK TABLE ${SCHEMA}._ponder_checkpoint IN SHARE MODE`);
  const mining = setInterval(() => void chain.mine({ blocks: 1 }), 1_000);
  try {
    const stalled = await waitForState(replica, "stalled");
    expect(stalled.reason).toBe("the chain advances, but nothing is indexed");
    expect(await probe(replica, ANY_LAG)).toBe(503);
    expect(await indexer.ended).toContain("exit code 75");
    expect(logged()).toContain("mainnet: the chain advances, but nothing was indexed for");
  } finally {
    clearInterval(mining);
    await blocker.end();
  }
  indexer = await start("start");
  await indexer.ready();
  await waitForState(replica, "live");
});
