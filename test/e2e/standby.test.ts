/** What a fail-over to a streaming standby loses, without and with synchronous_standby_names (docs/operate/fleet.md). */

import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CHAIN_IDS } from "../../config/networks.ts";
import { randomOf } from "../../localnet/plan.ts";
import { sendOne } from "../../localnet/sendOne.ts";
import { promote, type Standby, startStandby } from "../reliability/harness/standby.ts";
import { queryOnce } from "../support/postgres.ts";
import { verifyNetwork, waitForHistory, waitUntilCaughtUp } from "./harness/converge.ts";
import { type DatabaseProxy, startDatabaseProxy } from "./harness/databaseProxy.ts";
import { waitUntil } from "./harness/poll.ts";
import { type PostgresServer, startPostgres } from "./harness/postgres.ts";
import { Stack } from "./harness/stack.ts";
import { Supervisor } from "./harness/supervisor.ts";

/** Ends an indexer that makes no progress. */
const WATCHDOG_SECONDS = 60;
/** From the first commit that waits. Several times as long as a block takes, and less than the watchdog allows. */
const SHORT_OUTAGE_MS = 2_000;
/** Also the schema. */
const INDEX = "primary_1";
const random = randomOf(37, CHAIN_IDS.mainnet);

let stack: Stack;

beforeAll(async () => {
  stack = await Stack.build({
    name: "standby",
    networks: ["mainnet"],
    seed: 37,
    transactionCount: 100,
    emptyBlocks: 45,
  });
});

afterAll(() => stack?.stop());

const source = () => stack.source("mainnet");

async function sendSeveral(count: number): Promise<void> {
  for (let sent = 0; sent < count; sent += 1) await sendOne({ deployed: stack.deployed("mainnet"), random });
}

async function transactionsIn({ databaseUrl }: PostgresServer): Promise<number> {
  const [row] = await queryOnce(databaseUrl, `SELECT count(*) FROM ${INDEX}.transaction`);
  return Number(row?.count);
}

/** A primary with its standby, and an indexer that reaches the primary through an address that can move. */
class Installation {
  readonly primary: PostgresServer;
  readonly standby: Standby;
  readonly address: DatabaseProxy;
  readonly indexer: Supervisor;

  private constructor(parts: Pick<Installation, "primary" | "standby" | "address" | "indexer">) {
    this.primary = parts.primary;
    this.standby = parts.standby;
    this.address = parts.address;
    this.indexer = parts.indexer;
  }

  static async start(name: string): Promise<Installation> {
    const primary = await startPostgres();
    stack.endWithStack(() => primary.stop());
    const standby = await startStandby(primary);
    stack.endWithStack(() => standby.stream.stop());
    stack.endWithStack(() => standby.server.stop());
    const address = await startDatabaseProxy(primary.port);
    stack.endWithStack(() => address.stop());
    const databaseUrl = Object.assign(new URL(primary.databaseUrl), { port: String(address.port) }).href;
    const indexer = await Supervisor.start({
      name,
      options: {
        deploymentsDirectory: stack.deploymentsDirectory,
        rpcUrls: { [CHAIN_IDS.mainnet]: source().rpcUrl },
        database: { databaseUrl, schema: INDEX },
        settings: { WATCHDOG_SECONDS: String(WATCHDOG_SECONDS) },
        logFile: join(stack.directory, `${name}.log`),
      },
    });
    stack.endWithStack(() => indexer.stop());
    const installation = new Installation({ primary, standby, address, indexer });
    await indexer.ready();
    await installation.verify();
    await installation.waitForStandby();
    return installation;
  }

  /** Waits until the standby has every row of the primary. */
  async waitForStandby(): Promise<void> {
    await waitUntil("the standby has every row", async () => {
      const [there, here] = [await transactionsIn(this.primary), await transactionsIn(this.standby.server)];
      return there === here ? null : `${here} of ${there}`;
    });
  }

  /** Kills the primary, and lets the address lead to its standby. */
  async failOver(): Promise<void> {
    await this.primary.kill();
    await promote(this.standby.server);
    this.address.forwardTo(this.standby.server.port);
  }

  /** Checks that nothing is missing or counted twice. */
  async verify(): Promise<void> {
    await waitUntilCaughtUp(this.indexer.api, "mainnet", source());
    const { api } = this.indexer;
    await verifyNetwork(api, "mainnet", await waitForHistory(api, "mainnet", source()));
  }

  /** Waits until another server has ended the indexer, and the supervisor has started it again. */
  async followsNewServer(ends: number): Promise<void> {
    await waitUntil("the indexer ends", async () => (this.indexer.ends.length > ends ? null : "it lives on"));
    await this.indexer.ready();
  }
}

test("without a synchronous standby, a fail-over takes back the newest rows, which are then indexed again", async () => {
  const installation = await Installation.start("asynchronous");
  const { primary, standby, indexer } = installation;
  standby.stream.block();
  await sendSeveral(3);
  await waitForHistory(indexer.api, "mainnet", source());
  const shown = await transactionsIn(primary);
  await installation.failOver();
  expect(await transactionsIn(standby.server)).toBe(shown - 3);
  await installation.followsNewServer(0);
  await installation.verify();
  expect(await transactionsIn(standby.server)).toBe(shown);
});

test("with a synchronous standby, rows wait while it is away, and a fail-over takes none back", async () => {
  const installation = await Installation.start("synchronous");
  const { primary, standby, indexer } = installation;
  // Not a setting of the start: the standby would take it over, and wait for a standby of its own once it is promoted.
  await queryOnce(primary.databaseUrl, "ALTER SYSTEM SET synchronous_standby_names = '*'");
  await queryOnce(primary.databaseUrl, "SELECT pg_reload_conf()");
  await sendSeveral(1);
  await installation.verify();
  const before = await transactionsIn(primary);

  // Late, but not lost: the same process goes on when the standby is back.
  standby.stream.block();
  await sendSeveral(2);
  await untilCommitsWait(primary);
  await pause(SHORT_OUTAGE_MS);
  expect(await transactionsIn(primary)).toBe(before);
  expect((await indexer.api.history("evm-mainnet", { limit: 1 })).transactions).toHaveLength(1);
  standby.stream.forwardTo(primary.port);
  await installation.verify();
  expect([await transactionsIn(primary), indexer.ends]).toEqual([before + 2, []]);

  // After a longer outage, the watchdog has ended the process, and the next one waits, too.
  standby.stream.block();
  await sendSeveral(1);
  await waitUntil(
    "the watchdog ends the indexer",
    async () => {
      await sendSeveral(1);
      return indexer.ends.length > 0 ? null : "it waits";
    },
    { intervalMs: 2_000 },
  );
  expect(indexer.ends[0]).toMatch(/exit code 75/);
  expect(await transactionsIn(primary)).toBe(before + 2);
  standby.stream.forwardTo(primary.port);
  await indexer.ready();
  await installation.verify();
  await installation.waitForStandby();

  // Whatever was shown when the primary was lost is on the promoted standby.
  const shown = await transactionsIn(primary);
  expect(shown).toBeGreaterThan(before + 3);
  standby.stream.block();
  await sendSeveral(2);
  await untilCommitsWait(primary);
  expect(await transactionsIn(primary)).toBe(shown);
  const ends = indexer.ends.length;
  await installation.failOver();
  expect(await transactionsIn(standby.server)).toBe(shown);
  await installation.followsNewServer(ends);
  await installation.verify();
  expect(await transactionsIn(standby.server)).toBe(shown + 2);
});

/** Waits until a commit of indexed or fetched rows waits for a standby. The writer of the status commits every second. */
async function untilCommitsWait({ databaseUrl }: PostgresServer): Promise<void> {
  const waiting = "SELECT application_name FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
  await waitUntil("a commit waits for a standby", async () => {
    const names = (await queryOnce(databaseUrl, waiting)).map(({ application_name: name }) => String(name));
    return names.some((name) => !name.startsWith("coreswap_")) ? null : `those of ${names.join(", ")} do`;
  });
}
