/** Tests that no request waits because the indexer rolls back rows, and that none fails because of a lock. */
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { CHAIN_IDS, type NetworkName } from "../../config/networks.ts";
import { type Indexer, startIndexer } from "../../localnet/indexer.ts";
import { randomOf } from "../../localnet/plan.ts";
import { sendOne } from "../../localnet/sendOne.ts";
import { timeText } from "../support/time.ts";
import { ApiClient } from "./harness/api.ts";
import { verifyNetwork, waitForHistory } from "./harness/converge.ts";
import { type PostgresServer, startPostgres } from "./harness/postgres.ts";
import { duringReaderLock } from "./harness/readerLock.ts";
import { reorganize } from "./harness/reorganize.ts";
import { Stack } from "./harness/stack.ts";

const NETWORKS: readonly NetworkName[] = ["mainnet", "sepolia"];
const SCHEMA = "coreswap";
const DEPTHS = [1, 6, 3];
const LOCK_SAMPLES_MS = 10;

let stack: Stack;
let server: PostgresServer;
let indexer: Indexer;
let replica: Indexer;

beforeAll(async () => {
  stack = await Stack.build({ name: "locks", seed: 11, transactionCount: 120, emptyBlocks: 45 });
  server = await startPostgres();
  stack.endWithStack(() => server.stop());
  indexer = await start("start");
  await indexer.ready();
  replica = await start("serve");
  await replica.ready();
});

afterAll(() => stack?.stop());

async function start(command: "start" | "serve"): Promise<Indexer> {
  const process = await startIndexer({
    command,
    deploymentsDirectory: stack.deploymentsDirectory,
    rpcUrls: Object.fromEntries(NETWORKS.map((network) => [CHAIN_IDS[network], stack.deployed(network).rpcUrl])),
    database: { databaseUrl: server.databaseUrl, schema: SCHEMA },
    logFile: join(stack.directory, `${command}.log`),
  });
  stack.endWithStack(() => process.stop());
  return process;
}

/** Opens a connection that closes at the end of the test. */
async function connect(): Promise<Client> {
  const client = new Client({ connectionString: server.databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/**
 * Starts a transaction that has read every table of the indexer, like a long report, and stays open until the test
 * ends.
 */
async function startReader(): Promise<void> {
  const client = await connect();
  const { rows } = await client.query<{ name: string }>(
    "SELECT oid::regclass AS name FROM pg_class WHERE relnamespace = $1::regnamespace AND relkind IN ('r', 'p')",
    [SCHEMA],
  );
  await client.query("BEGIN");
  for (const { name } of rows) await client.query(`SELECT count(*) FROM ${name}`);
}

/** Polls for readers of the indexer's tables that wait for a lock, and for locks that exclude them. */
async function watchLocks() {
  const client = await connect();
  const seen = new Set<string>();
  let samples = 0;
  let isStopped = false;
  const watching = (async () => {
    while (!isStopped) {
      const { rows } = await client.query<{ seen: string }>(
        `SELECT format('%s on %s, %s', mode, relation::regclass, CASE WHEN granted THEN 'held' ELSE 'waited for' END) AS seen
         FROM pg_locks JOIN pg_class ON pg_class.oid = relation
         WHERE relnamespace = $1::regnamespace
           AND (mode = 'AccessExclusiveLock' OR mode = 'AccessShareLock' AND NOT granted)`,
        [SCHEMA],
      );
      for (const row of rows) seen.add(row.seen);
      samples += 1;
      await pause(LOCK_SAMPLES_MS);
    }
  })();
  const stop = async () => {
    isStopped = true;
    await watching;
    return { samples, seen: [...seen] };
  };
  onTestFinished(async () => void (await stop()));
  return { stop };
}

/** Requests pages and volume of both networks until it is stopped. */
function startRequests({ baseUrl }: Indexer) {
  const now = BigInt(Math.floor(Date.now() / 1000));
  const range = new URLSearchParams({ from: timeText(now - 100n * 86_400n), to: timeText(now) });
  const paths = NETWORKS.flatMap((network) => [
    `/v1/transactions?network=evm-${network}`,
    `/v1/volume?network=evm-${network}&${range}`,
  ]);
  const failures: string[] = [];
  let answers = 0;
  let isStopped = false;
  const asking = paths.map(async (path) => {
    while (!isStopped) {
      const response = await fetch(baseUrl + path);
      const text = await response.text();
      answers += 1;
      if (response.status !== 200) failures.push(`${path}: ${response.status} ${text}`);
    }
  });
  const stop = async () => {
    isStopped = true;
    await Promise.all(asking);
    return { answers, failures };
  };
  onTestFinished(async () => void (await stop()));
  return { stop };
}

async function verify(): Promise<void> {
  const api = new ApiClient(replica.baseUrl);
  for (const network of NETWORKS) {
    const oracle = await waitForHistory(api, network, stack.source(network));
    // The block at which a price was read may have been replaced.
    await verifyNetwork(api, network, oracle, { pricesAt: "head" });
  }
}

test("reorganizations of both networks proceed during a long read, and no request waits or fails", async () => {
  await startReader();
  const locks = await watchLocks();
  const requests = [indexer, replica].map(startRequests);
  for (const depth of DEPTHS) {
    await Promise.all(
      NETWORKS.map(async (network) => {
        const deployed = stack.deployed(network);
        const random = randomOf(depth, deployed.chainId);
        for (let count = 0; count < depth; count += 1) await sendOne({ deployed, random });
        await waitForHistory(new ApiClient(replica.baseUrl), network, stack.source(network));
        await reorganize(deployed.rpcUrl, depth);
      }),
    );
    await verify();
  }
  for (const { answers, failures } of await Promise.all(requests.map((each) => each.stop()))) {
    expect(failures).toEqual([]);
    expect(answers).toBeGreaterThan(20);
  }
  const { samples, seen } = await locks.stop();
  expect(seen).toEqual([]);
  expect(samples).toBeGreaterThan(100);
});

test("a killed indexer starts again during a long read, and no request to a replica waits or fails", async () => {
  const deployed = stack.deployed("mainnet");
  await sendOne({ deployed, random: randomOf(4, deployed.chainId) });
  await verify();
  await startReader();
  const locks = await watchLocks();
  const requests = startRequests(replica);
  await indexer.kill();
  indexer = await start("start");
  await indexer.ready();
  await sendOne({ deployed, random: randomOf(5, deployed.chainId) });
  await verify();
  const { answers, failures } = await requests.stop();
  expect(failures).toEqual([]);
  expect(answers).toBeGreaterThan(20);
  expect((await locks.stop()).seen).toEqual([]);
});

test("a lock that excludes readers for a second delays requests, but none fails", async () => {
  const outcomes = await duringReaderLock(server.databaseUrl, `${SCHEMA}.chain_state`, () => {
    const requests = [indexer, replica].map(startRequests);
    return { stop: () => Promise.all(requests.map((each) => each.stop())) };
  });
  for (const { answers, failures } of outcomes) {
    expect(failures).toEqual([]);
    expect(answers).toBeGreaterThan(0);
  }
});

test("autovacuum does not truncate any table, which would take a lock that excludes readers", async () => {
  const client = await connect();
  const { rows } = await client.query(
    `SELECT coalesce(owner.relname, of.relname) AS name FROM pg_class AS of LEFT JOIN pg_class AS owner ON owner.reltoastrelid = of.oid
     WHERE of.relkind IN ('r', 't') AND coalesce(owner.relnamespace, of.relnamespace) = $1::regnamespace
       AND 'vacuum_truncate=off' <> ALL (coalesce(of.reloptions, '{}'))`,
    [SCHEMA],
  );
  expect(rows).toEqual([]);
});
