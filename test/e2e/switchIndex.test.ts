/**
 * Replicas answer from views while `pnpm ops:switch` changes them to a new index and back to the old one. Each process
 * has the role of `ops/roles.sql` that operators give it.
 */

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { CHAIN_IDS } from "../../config/networks.ts";
import { type Indexer, startIndexer } from "../../localnet/indexer.ts";
import type { IndexingAnswer } from "../../src/api/status/indexing.schema.ts";
import { Balancer, type RightAnswers, rightAnswersOf } from "../reliability/harness/balancer.ts";
import { documentedCommands } from "../support/documented.ts";
import { outcomeOf } from "../support/outcome.ts";
import { urlAs, withClient } from "../support/postgres.ts";
import { ApiClient } from "./harness/api.ts";
import { waitUntilCaughtUp } from "./harness/converge.ts";
import { waitUntil } from "./harness/poll.ts";
import { type PostgresServer, startPostgres } from "./harness/postgres.ts";

const shared = inject("sharedStack");
const VIEWS = "mainnet";
const OLD = "mainnet_1";
const NEW = "mainnet_2";
const CLIENTS = 6;
/** A fixed range that covers the whole history, so that the answers of all processes stay the same. */
const RANGE = { from: daysFromNow(-300), to: daysFromNow(60) };
const FROM_TO = `from=${RANGE.from}&to=${RANGE.to}`;
const PATHS = [
  "/v1/transactions?network=evm-mainnet&limit=20",
  "/v1/transactions?network=evm-mainnet&limit=20&outcome=revert",
  `/v1/volume?network=evm-mainnet&${FROM_TO}`,
  `/v1/volume/series?network=evm-mainnet&interval=day&${FROM_TO}`,
  "/v1/info",
];

let server: PostgresServer;
let indexers: Indexer[] = [];
let replicas: Indexer[] = [];
let answers: RightAnswers;

beforeAll(async () => {
  server = await startPostgres();
  await connected((client) => client.query(readFileSync("ops/roles.sql", "utf8")));
  indexers = await Promise.all([start("start", OLD), start("start", NEW)]);
  for (const indexer of indexers) {
    await indexer.ready();
    await waitUntilCaughtUp(new ApiClient(indexer.baseUrl), "mainnet", shared.networks.mainnet);
  }
  expect(await switchTo(OLD)).toEqual({
    status: 0,
    output: `Schema ${VIEWS} is new, and its views show ${OLD}.\n`,
  });
  replicas = await Promise.all([start("serve", VIEWS), start("serve", VIEWS)]);
  await Promise.all(replicas.map((replica) => replica.ready()));
  await live(indexers.map(({ baseUrl }) => baseUrl));
  answers = await rightAnswersOf(indexers[0]?.baseUrl ?? "", PATHS);
});

afterAll(async () => {
  await Promise.all([...replicas, ...indexers].map((process) => process.stop()));
  await server?.stop();
});

function daysFromNow(days: number): string {
  const day = new Date(Date.now() + days * 86_400_000).toISOString().slice(0, "YYYY-MM-DD".length);
  return `${day}T00:00:00Z`;
}

function start(command: "start" | "serve", schema: string): Promise<Indexer> {
  return startIndexer({
    command,
    deploymentsDirectory: shared.deploymentsDirectory,
    rpcUrls: { [CHAIN_IDS.mainnet]: shared.networks.mainnet.rpcUrl },
    database: {
      databaseUrl: urlAs(command === "start" ? "coreswap_indexer" : "coreswap_api", server.databaseUrl),
      schema,
    },
    logFile: join(shared.deploymentsDirectory, "..", `switch-${schema}-${command}.log`),
  });
}

/** Commands that ran, with the names of schemas that docs/operate/upgrade.md also uses. */
const ran: string[] = [];

/** Starts `pnpm ops:switch`. */
function startOps(args: readonly string[]) {
  ran.push(args.join(" "));
  const child = spawn(process.execPath, ["tools/switch.ts", ...args], {
    env: { ...process.env, DATABASE_URL: urlAs("coreswap_indexer", server.databaseUrl), DATABASE_PRIVATE_URL: "" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  return { child, ended: outcomeOf(child) };
}

async function ops(...args: string[]) {
  const since = performance.now();
  const outcome = await startOps(args).ended;
  console.log(`pnpm ops:switch ${args.join(" ")}: ${((performance.now() - since) / 1000).toFixed(1)} s`);
  return outcome;
}

/** A busy machine delays an indexer or its node for so long that a switch refuses its index. */
const NOT_LIVE = / is in state (stopped|unreachable|stalled), not live\.\n$/;

/** Changes the views to an index, again while the state of its indexer, which runs, is late. */
async function switchTo(index: string) {
  for (;;) {
    const outcome = await ops("--views", VIEWS, "--to", index);
    if (outcome.status === 0 || !NOT_LIVE.test(outcome.output)) return outcome;
    await live(indexers.map(({ baseUrl }) => baseUrl));
  }
}

async function live(baseUrls: readonly string[]): Promise<void> {
  for (const baseUrl of baseUrls) {
    await waitUntil(`${baseUrl} is live`, async () => {
      const { text } = await new ApiClient(baseUrl).request("/v1/status/indexing");
      const { networks } = JSON.parse(text) as IndexingAnswer;
      return networks.every(({ state }) => state === "live") ? null : text;
    });
  }
}

/** Runs a task with a superuser's connection, which stays open during the task. */
const connected = <T>(task: (client: Client) => Promise<T>) => withClient(server.databaseUrl, task);

const shown = () =>
  connected(async (client) => {
    const { rows } = await client.query<{ schema_name: string }>(`SELECT schema_name FROM ${VIEWS}.coreswap_index`);
    return rows[0]?.schema_name;
  });

/** Runs a task under load, and checks that no request fails and that each answer is right. */
async function underLoad(task: () => Promise<void>): Promise<void> {
  const balancer = new Balancer(
    replicas.map(({ baseUrl }) => baseUrl),
    answers,
    CLIENTS,
  );
  try {
    await task();
  } finally {
    const report = await balancer.stop();
    console.log(`${report.requests} requests, ${report.failed.length} failed, ${report.wrong.length} wrong`);
    expect(report).toMatchObject({ failed: [], wrong: [], excused: 0 });
    expect(report.requests).toBeGreaterThan(CLIENTS);
  }
}

test("no request fails while the views switch to a new index, to the same index again, and back", async () => {
  await underLoad(async () => {
    for (let round = 0; round < 3; round += 1) {
      const there = await switchTo(NEW);
      expect(there.output).toContain(`The views in schema ${VIEWS} show ${NEW} instead of ${OLD}.`);
      expect(await shown()).toBe(NEW);
      expect(await switchTo(NEW)).toEqual({
        status: 0,
        output: `The views in schema ${VIEWS} already show ${NEW}.\n`,
      });
      const back = await switchTo(OLD);
      expect(back.output).toContain(`The views in schema ${VIEWS} show ${OLD} instead of ${NEW}.`);
    }
  });
});

test("a switch that is killed half-way changes nothing, and can be run again", async () => {
  await live(indexers.map(({ baseUrl }) => baseUrl));
  await underLoad(async () => {
    await connected(async (reader) => {
      // Keeps the last view locked, so that the switch is killed after it has replaced the other views.
      await reader.query(`BEGIN; SELECT * FROM ${VIEWS}.chain_state LIMIT 1`);
      const { child, ended } = startOps(["--views", VIEWS, "--to", NEW]);
      await waitUntil(
        "the switch waits for the last view",
        () =>
          connected(async (client) => {
            const { rows } = await client.query(
              "SELECT 1 FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE application_name = 'coreswap_switch' AND NOT granted",
            );
            return rows.length > 0 ? null : "it does not wait";
          }),
        { intervalMs: 10 },
      );
      child.kill("SIGKILL");
      await ended;
      await reader.query("COMMIT");
    });
    expect(await shown()).toBe(OLD);
    const { status } = await switchTo(NEW);
    expect(status).toBe(0);
    expect(await shown()).toBe(NEW);
  });
});

test("the ETag belongs to the index shown, so cached answers of another index are not reused", async () => {
  const [replica] = replicas;
  const path = PATHS[0] ?? "";
  const tagOf = async () => (await fetch((replica?.baseUrl ?? "") + path)).headers.get("etag");
  const there = await tagOf();
  await switchTo(OLD);
  const back = await tagOf();
  expect(back).not.toBe(there);
  await switchTo(NEW);
  expect(await tagOf()).toBe(there);
  await live([replica?.baseUrl ?? ""]);
});

test("an index whose indexer has ended is refused, and dropped by name when nothing shows it", async () => {
  await underLoad(async () => {
    const [old] = indexers;
    expect(await ops("--drop", OLD)).toEqual({
      status: 1,
      output: `An indexer runs on schema ${OLD}: stop it first.\n`,
    });
    await old?.stop();
    await connected((client) =>
      client.query(
        "UPDATE core_offchain.indexing_status SET written_at = now() - interval '1 minute' WHERE schema_name = $1",
        [OLD],
      ),
    );
    expect(await ops("--views", VIEWS, "--to", OLD)).toEqual({
      status: 1,
      output: `Schema ${OLD} is not ready: mainnet is in state stopped, not live.\n`,
    });
    expect(await ops("--drop", NEW)).toEqual({
      status: 1,
      output: `An indexer runs on schema ${NEW}: stop it first.\n`,
    });
    expect(await ops("--drop", OLD)).toEqual({ status: 0, output: `Schema ${OLD} is dropped.\n` });
    expect(await ops("--views", VIEWS, "--to", OLD)).toEqual({
      status: 1,
      output: `Schema ${OLD} is not an index: it has no view coreswap_index, which its indexer creates.\n`,
    });
  });
  await live(replicas.map(({ baseUrl }) => baseUrl));
});

test("docs/operate/upgrade.md shows commands that ran here", () => {
  const commands = documentedCommands("docs/operate/upgrade.md").filter((line) => line.startsWith("pnpm ops:switch "));
  expect(commands).toHaveLength(3);
  expect(ran).toEqual(expect.arrayContaining(commands.map((line) => line.replace("pnpm ops:switch ", ""))));
});
