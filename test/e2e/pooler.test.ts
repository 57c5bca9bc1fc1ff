/**
 * Replicas behind pgbouncer in transaction mode (`ops/pgbouncer`), beside a replica that is connected directly, and what
 * refuses to run behind it.
 */

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { CHAIN_IDS } from "../../config/networks.ts";
import { SCHEMA_LOCK_KEY } from "../../config/postgresConnection.ts";
import { type Indexer, startIndexer } from "../../localnet/indexer.ts";
import { randomOf } from "../../localnet/plan.ts";
import { sendOne } from "../../localnet/sendOne.ts";
import { findPgbouncer, type RunningPooler, startPooler } from "../support/pgbouncer.ts";
import { queryOnce, urlAs, withClient } from "../support/postgres.ts";
import { timeText } from "../support/time.ts";
import { ApiClient } from "./harness/api.ts";
import { verifyNetwork, waitForHistory } from "./harness/converge.ts";
import { PATIENCE_MS, waitUntil } from "./harness/poll.ts";
import { type PostgresServer, startPostgres } from "./harness/postgres.ts";
import { duringReaderLock } from "./harness/readerLock.ts";
import { reorganize } from "./harness/reorganize.ts";
import { Stack } from "./harness/stack.ts";
import { Supervisor } from "./harness/supervisor.ts";

const API = "coreswap_api";
const INDEXER = "coreswap_indexer";
const EXPORT = "coreswap_export";
const SCHEMA = "mainnet_1";
/** Has another index's progress, which does not change. */
const OTHER_SCHEMA = "mainnet_0";
/** Fewer than the requests that are sent at once, so that they share connections. */
const POOL_SIZE = 3;
const CLIENTS_PER_REPLICA = 4;
const BETWEEN_REQUESTS_MS = 10;
const DEPTH = 5;
const OUTAGE_MS = 3_000;
const AROUND_OUTAGE_MS = 1_000;
const REFUSAL = "DATABASE_URL leads to a pooler such as pgbouncer.";

const found = findPgbouncer();
// `.ci/run` provides one where it can.
if ("missing" in found) console.warn(`SKIPPED: test/e2e/pooler.test.ts does not run, because ${found.missing}`);

describe.skipIf("missing" in found)("behind pgbouncer in transaction mode", () => {
  let stack: Stack;
  let server: PostgresServer;
  let pooler: RunningPooler;
  let indexer: Supervisor;
  let direct: Indexer;
  let pooled: Indexer[];
  let other: Indexer;

  beforeAll(async () => {
    stack = await Stack.build({
      name: "pooler",
      networks: ["mainnet"],
      seed: 53,
      transactionCount: 120,
      emptyBlocks: 45,
    });
    server = await startPostgres();
    stack.endWithStack(() => server.stop());
    await query(readFileSync("ops/roles.sql", "utf8"));
    const options = optionsOf("start", SCHEMA, urlAs(INDEXER, server.databaseUrl));
    indexer = await Supervisor.start({ name: "the indexer", options });
    stack.endWithStack(() => indexer.stop());
    await indexer.ready();
    await query(`
      CREATE SCHEMA ${OTHER_SCHEMA};
      CREATE TABLE ${OTHER_SCHEMA}._ponder_meta AS TABLE ${SCHEMA}._ponder_meta;
      CREATE TABLE ${OTHER_SCHEMA}._ponder_checkpoint AS TABLE ${SCHEMA}._ponder_checkpoint;
      UPDATE ${OTHER_SCHEMA}._ponder_checkpoint SET chain_name = 'other';
      GRANT USAGE ON SCHEMA ${OTHER_SCHEMA} TO ${API};
      GRANT SELECT ON ALL TABLES IN SCHEMA ${OTHER_SCHEMA} TO ${API}`);
    pooler = await pool({ default_pool_size: String(POOL_SIZE) });
    direct = await serve(SCHEMA, server.databaseUrl);
    pooled = [await serve(SCHEMA, pooler.urlAs(API)), await serve(SCHEMA, pooler.urlAs(API))];
    other = await serve(OTHER_SCHEMA, pooler.urlAs(API));
  });

  afterAll(() => stack?.stop());

  const query = (text: string) => queryOnce(server.databaseUrl, text);
  const source = () => stack.source("mainnet");

  async function pool(settings: Readonly<Record<string, string>>): Promise<RunningPooler> {
    if ("missing" in found) throw new Error(found.missing);
    const started = await startPooler(found.path, server, [API, INDEXER, EXPORT], settings);
    stack.endWithStack(() => started.stop());
    return started;
  }

  function optionsOf(command: "start" | "serve", schema: string, databaseUrl: string) {
    return {
      command,
      deploymentsDirectory: stack.deploymentsDirectory,
      rpcUrls: { [CHAIN_IDS.mainnet]: source().rpcUrl },
      database: { databaseUrl, schema },
      logFile: join(stack.directory, `${command}-${schema}.log`),
    };
  }

  async function serve(schema: string, databaseUrl: string): Promise<Indexer> {
    const replica = await startIndexer(optionsOf("serve", schema, databaseUrl));
    stack.endWithStack(() => replica.stop());
    await replica.ready();
    return replica;
  }

  async function sendSeveral(count: number, seed: number): Promise<void> {
    const random = randomOf(seed, CHAIN_IDS.mainnet);
    for (let sent = 0; sent < count; sent += 1) await sendOne({ deployed: stack.deployed("mainnet"), random });
  }

  /** Compares the answers of a replica with the chain. */
  async function verify(replica = pooled[0]): Promise<void> {
    const api = new ApiClient(replica?.baseUrl ?? "");
    const oracle = await waitForHistory(api, "mainnet", source());
    // The block at which a price was read may have been replaced.
    await verifyNetwork(api, "mainnet", oracle, { pricesAt: "head" });
  }

  /**
   * Asks all replicas until it is stopped. Answers with the same ETag have to be the same, whichever
   * replica gives them.
   */
  function startRequests() {
    const now = BigInt(Math.floor(Date.now() / 1000));
    const range = new URLSearchParams({ from: timeText(now - 100n * 86_400n), to: timeText(now) });
    const paths = [
      "/v1/transactions?network=evm-mainnet",
      "/v1/transactions?network=evm-mainnet&outcome=revert&limit=20",
      "/v1/transactions.csv?network=evm-mainnet",
      `/v1/volume?network=evm-mainnet&${range}`,
      `/v1/volume/series?network=evm-mainnet&interval=day&${range}`,
      "/v1/assets?network=evm-mainnet",
      "/v1/treasury/rates?network=evm-mainnet",
      "/v1/info",
    ];
    const answers = new Map<string, string>();
    const wrong: string[] = [];
    const failures: { readonly text: string; readonly sentAt: number; readonly at: number }[] = [];
    /** For each URL, when the last request was sent that was answered. */
    const answeredAt = new Map<string, number>();
    let compared = 0;
    let isStopped = false;
    const ask = async (baseUrl: string, path: string) => {
      const sentAt = performance.now();
      const response = await fetch(baseUrl + path);
      const text = await response.text();
      // A client may have two files at once.
      if (response.status === 429 && path.includes(".csv")) return;
      if (response.status !== 200) throw new Error(`${response.status} ${text}`);
      answeredAt.set(baseUrl + path, sentAt);
      const key = `${path} ${response.headers.get("etag")}`;
      const same = answers.get(key);
      if (same === undefined) answers.set(key, text);
      else if (same === text) compared += 1;
      else wrong.push(`${key}: ${text.slice(0, 500)}, expected ${same.slice(0, 500)}`);
    };
    const replicas = [direct, ...pooled];
    const asking = replicas.flatMap(({ baseUrl }) =>
      Array.from({ length: CLIENTS_PER_REPLICA }, async (_, first) => {
        for (let turn = first; !isStopped; turn += 1) {
          const path = paths[turn % paths.length] ?? "";
          const sentAt = performance.now();
          await ask(baseUrl, path).catch((error: unknown) => {
            failures.push({ text: `${baseUrl}${path}: ${error}`, sentAt, at: performance.now() });
          });
          await pause(BETWEEN_REQUESTS_MS);
        }
      }),
    );
    const stop = async () => {
      isStopped = true;
      await Promise.all(asking);
      return { wrong, failures, compared };
    };
    onTestFinished(async () => void (await stop()));
    /** Waits until each replica has answered each path to a request that was sent after a time. */
    const untilAnswered = (since: number) =>
      waitUntil("each replica answers again", async () => {
        const urls = replicas.flatMap(({ baseUrl }) => paths.map((path) => baseUrl + path));
        const missing = urls.filter((url) => (answeredAt.get(url) ?? 0) < since);
        return missing.length === 0 ? null : missing.join("\n");
      });
    return { stop, untilAnswered };
  }

  test("replicas answer as one that is connected directly, while blocks come and are replaced", async () => {
    const requests = startRequests();
    await sendSeveral(DEPTH, 59);
    await verify(direct);
    await verify();
    await reorganize(source().rpcUrl, DEPTH);
    await verify(direct);
    await verify();
    const { wrong, failures, compared } = await requests.stop();
    expect({ wrong, failures }).toEqual({ wrong: [], failures: [] });
    expect(compared).toBeGreaterThan(100);
    const [sessions] = await query(`SELECT count(*)::int AS count FROM pg_stat_activity WHERE usename = '${API}'`);
    expect(sessions).toEqual({ count: POOL_SIZE });
    const [statements] = await queryOnce(
      pooler.urlAs(API),
      "SELECT count(*)::int AS count FROM pg_prepared_statements",
    );
    expect(statements?.count).toBeGreaterThan(0);
  });

  test("replicas of two schemas share the pool, and each reads the progress of its own", async () => {
    const networksOf = async (replica: Indexer | undefined) =>
      Object.keys((await (await fetch(`${replica?.baseUrl}/status`)).json()) as object);
    for (let turn = 0; turn < 20; turn += 1) {
      expect(await Promise.all([...pooled, other].map(networksOf))).toEqual([["mainnet"], ["mainnet"], ["other"]]);
    }
    await query(`UPDATE ${OTHER_SCHEMA}._ponder_meta SET value = jsonb_set(value, '{is_ready}', '0')`);
    const ready = await Promise.all([...pooled, other].map(({ baseUrl }) => fetch(`${baseUrl}/ready`)));
    expect(ready.map(({ status }) => status)).toEqual([200, 200, 503]);
  });

  test("a lock that excludes readers for a second delays requests, but none fails", async () => {
    const { wrong, failures } = await duringReaderLock(server.databaseUrl, `${SCHEMA}.chain_state`, startRequests);
    expect({ wrong, failures }).toEqual({ wrong: [], failures: [] });
  });

  /** Has requests sent before, during and after an outage, and checks that only it fails them. */
  async function expectFailuresDuring(outage: () => Promise<void>): Promise<void> {
    const requests = startRequests();
    await pause(AROUND_OUTAGE_MS);
    const from = performance.now();
    await outage();
    await requests.untilAnswered(performance.now());
    const to = performance.now();
    await pause(AROUND_OUTAGE_MS);
    const { wrong, failures } = await requests.stop();
    expect(failures.length).toBeGreaterThan(0);
    const others = failures.filter(({ at, sentAt }) => at < from || sentAt > to);
    expect({ wrong, others }).toEqual({ wrong: [], others: [] });
  }

  test("requests fail while the pooler is away, and afterwards answers are right", async () => {
    await expectFailuresDuring(async () => {
      await pooler.kill();
      await sendSeveral(2, 61);
      await pooler.start();
    });
    await verify();
  });

  test("requests fail while the database is away, and afterwards answers are right", async () => {
    await expectFailuresDuring(async () => {
      await server.kill();
      await pause(OUTAGE_MS);
      await server.start();
    });
    await sendSeveral(2, 67);
    await indexer.ready();
    await verify(direct);
    await verify();
  });

  test("an indexer refuses, and leaves no lock behind", async () => {
    const refused = await startIndexer(optionsOf("start", "refused", pooler.urlAs(INDEXER)));
    const end = await Promise.race([refused.ended, pause(PATIENCE_MS)]);
    await refused.kill();
    expect(end).toMatch(/exit code 1\b/);
    expect(readFileSync(join(stack.directory, "start-refused.log"), "utf8")).toContain(REFUSAL);
    expect(await query("SELECT nspname FROM pg_namespace WHERE nspname = 'refused'")).toEqual([]);
    const locks = await withClient(server.databaseUrl, (client) =>
      client.query(
        `SELECT pg_try_advisory_lock(hashtext('core_offchain')) AS records, pg_try_advisory_lock(${SCHEMA_LOCK_KEY}) AS schema`,
        ["refused"],
      ),
    );
    expect(locks.rows).toEqual([{ records: true, schema: true }]);
  });

  test("an export refuses, also if the pooler lets its connection start", async () => {
    const lenient = await pool({ ignore_startup_parameters: "statement_timeout" });
    const folder = join(stack.directory, "export");
    const { status, stderr } = spawnSync(
      process.execPath,
      ["exporter/src/main.ts", "--network", "mainnet", "--format", "csv", "--to", folder],
      {
        encoding: "utf8",
        env: {
          ...process.env,
          DATABASE_URL: lenient.urlAs(EXPORT),
          DATABASE_PRIVATE_URL: "",
          DATABASE_SCHEMA: SCHEMA,
          DEPLOYMENTS_DIR: stack.deploymentsDirectory,
        },
      },
    );
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(REFUSAL) });
  });
});
