/**
 * Faults of PostgreSQL and of the connection to it, under an indexer that a supervisor restarts. The sample of
 * `test/reliability` cuts connections at the COMMIT of live blocks.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CHAIN_IDS } from "../../config/networks.ts";
import { randomOf } from "../../localnet/plan.ts";
import { sendOne } from "../../localnet/sendOne.ts";
import { queryOnce } from "../support/postgres.ts";
import type { ApiClient } from "./harness/api.ts";
import { verifyNetwork, waitForHistory, waitUntilCaughtUp } from "./harness/converge.ts";
import { type CommitCut, type DatabaseProxy, startDatabaseProxy } from "./harness/databaseProxy.ts";
import { followLog } from "./harness/log.ts";
import { waitUntil } from "./harness/poll.ts";
import { type PostgresServer, startPostgres } from "./harness/postgres.ts";
import { Stack } from "./harness/stack.ts";
import { Supervisor } from "./harness/supervisor.ts";

const WAITING = 'Another process indexes into the schema "live"';
const random = randomOf(9, CHAIN_IDS.mainnet);

let stack: Stack;
let server: PostgresServer;
let proxy: DatabaseProxy;
let supervisor: Supervisor;
let api: ApiClient;

beforeAll(async () => {
  stack = await Stack.build({
    name: "database",
    networks: ["mainnet"],
    seed: 9,
    transactionCount: 120,
    emptyBlocks: 45,
  });
  server = await startPostgres();
  stack.endWithStack(() => server.stop());
  await noteCommits();
  proxy = await startDatabaseProxy(server.port);
  stack.endWithStack(() => proxy.stop());
});

afterAll(() => stack?.stop());

const query = (text: string) => queryOnce(server.databaseUrl, text);

/**
 * Makes the server record whether commits are synchronous for writes of each of Ponder's pools, because the settings of
 * another connection cannot be read.
 */
async function noteCommits(): Promise<void> {
  await query(`
    CREATE TABLE noted_commit (application text, synchronous text);
    CREATE FUNCTION note_commit() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO public.noted_commit
        VALUES (current_setting('application_name'), current_setting('synchronous_commit'));
      RETURN NULL;
    END $$;
    CREATE FUNCTION note_commits_of_table() RETURNS event_trigger LANGUAGE plpgsql AS $$
    DECLARE created record;
    BEGIN
      FOR created IN
        SELECT object_identity AS name FROM pg_event_trigger_ddl_commands()
        WHERE object_identity ~ '\\.(_ponder_meta|_ponder_checkpoint|intervals)$'
      LOOP
        EXECUTE format('CREATE OR REPLACE TRIGGER note_commit AFTER INSERT OR UPDATE ON %s
          FOR EACH STATEMENT EXECUTE FUNCTION public.note_commit()', created.name);
      END LOOP;
    END $$;
    CREATE EVENT TRIGGER note_commits ON ddl_command_end WHEN TAG IN ('CREATE TABLE')
      EXECUTE FUNCTION note_commits_of_table();
  `);
}

/** An indexer of mainnet that reaches its database through the proxy. */
function optionsOf(schema: string, logFile: string) {
  const databaseUrl = new URL(server.databaseUrl);
  databaseUrl.port = String(proxy.port);
  return {
    deploymentsDirectory: stack.deploymentsDirectory,
    rpcUrls: { [CHAIN_IDS.mainnet]: stack.deployed("mainnet").rpcUrl },
    database: { databaseUrl: databaseUrl.href, schema },
    logFile: join(stack.directory, logFile),
  };
}

async function start(schema: string): Promise<void> {
  const running = await Supervisor.start({
    name: `the indexer of ${schema}`,
    options: optionsOf(schema, `${schema}.log`),
  });
  stack.endWithStack(() => running.stop());
  supervisor = running;
  api = running.api;
}

const liveLog = () => join(stack.directory, "live.log");

const send = () => sendOne({ deployed: stack.deployed("mainnet"), random });

/** Checks that nothing is missing or counted twice: rows and totals equal those of the chain. */
async function verify(): Promise<void> {
  await waitUntilCaughtUp(api, "mainnet", stack.source("mainnet"));
  await verifyNetwork(api, "mainnet", await waitForHistory(api, "mainnet", stack.source("mainnet")));
}

test.each<CommitCut>(["before", "after"])(
  "a connection cut %s COMMIT of a range of blocks loses and repeats nothing",
  async (place) => {
    const schema = `cut_${place}`;
    // A range has many rows, which Ponder writes with COPY.
    const isCut = proxy.cutCommit(place, `COPY "${schema}"."transaction`);
    await start(schema);
    await isCut;
    await verify();
    expect(supervisor.ends).toEqual([expect.stringContaining("exit code 75")]);
    const log = readFileSync(join(stack.directory, `${schema}.log`), "utf8");
    expect(log).toContain("did not confirm a COMMIT");
    expect(log).not.toContain("the audit could not read the database");
    await supervisor.stop();
  },
);

test("commits are synchronous on each connection pool that writes", async () => {
  await start("live");
  await verify();
  await send();
  await verify();
  const noted = await query("SELECT DISTINCT application, synchronous FROM noted_commit ORDER BY 1");
  expect(noted).toEqual(expect.arrayContaining(["live_internal", "live_user", "ponder_sync"].map(synchronous)));
  expect(noted.filter(({ synchronous }) => synchronous !== "on")).toEqual([]);
});

const synchronous = (application: string) => ({ application, synchronous: "on" });

test("the indexer ends when the database crashes or loses commits, and agrees with the chain after a restart", async () => {
  const runs = supervisor.ends.length;
  for (const [count, fault] of [() => server.crash(), () => server.goBack()].entries()) {
    await send();
    await waitForHistory(api, "mainnet", stack.source("mainnet"));
    const logged = followLog(liveLog());
    await fault();
    await send();
    await waitUntil("the indexer ends", async () => (supervisor.ends.length > runs + count ? null : "it lives"));
    expect(supervisor.ends.at(-1)).toContain("exit code 75");
    expect(logged()).toContain("PostgreSQL has restarted");
    await supervisor.ready();
    await verify();
  }
});

test("an indexer ends that has lost its lock and that the server does not let connect again", async () => {
  const runs = supervisor.ends.length;
  const elsewhere = Object.assign(new URL(server.databaseUrl), { pathname: "/template1" }).href;
  const name = new URL(server.databaseUrl).pathname.slice(1);
  const logged = followLog(liveLog());
  // Sessions that are open continue, and could write.
  await queryOnce(elsewhere, `ALTER DATABASE "${name}" ALLOW_CONNECTIONS false`);
  try {
    await queryOnce(
      elsewhere,
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'coreswap_lock'",
    );
    await waitUntil("the indexer ends", async () => (supervisor.ends.length > runs ? null : "it lives"));
  } finally {
    await queryOnce(elsewhere, `ALTER DATABASE "${name}" ALLOW_CONNECTIONS true`);
  }
  expect(supervisor.ends[runs]).toContain("exit code 75");
  expect(logged()).toContain('The connection that holds the schema "live" was lost');
  await send();
  await supervisor.ready();
  await verify();
});

test("a paused indexer keeps its schema, and another indexer waits until the first has ended", async () => {
  const second = await Supervisor.start({ name: "the second indexer", options: optionsOf("live", "second.log") });
  stack.endWithStack(() => second.stop());
  const paused = supervisor.pid;
  process.kill(paused, "SIGSTOP");
  try {
    await waitUntil("the second indexer waits", async () =>
      readFileSync(join(stack.directory, "second.log"), "utf8").includes(WAITING) ? null : "it does not",
    );
    await send();
    // Longer than the silence after which another indexer would take over Ponder's own lock.
    await pause(10_000);
    await expect(second.api.request("/health")).rejects.toThrow();
  } finally {
    process.kill(paused, "SIGCONT");
  }
  await verify();
  await supervisor.stop();
  await second.ready();
  api = second.api;
  await send();
  await verify();
  expect(second.ends).toEqual([]);
});
