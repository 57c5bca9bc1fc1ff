/**
 * A fleet under load and under traffic: its replicas, its standbys, its poolers and its primary disappear, and its chains
 * reorganize.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { apiNetwork } from "../../e2e/harness/api.ts";
import { waitUntil } from "../../e2e/harness/poll.ts";
import type { PostgresServer } from "../../e2e/harness/postgres.ts";
import { reorganize } from "../../e2e/harness/reorganize.ts";
import { withClient } from "../../support/postgres.ts";
import { timeText } from "../../support/time.ts";
import { NETWORKS, type Oracles } from "../harness/answers.ts";
import { Balancer, rightAnswersOf } from "../harness/balancer.ts";
import { checkAnswers } from "../harness/check.ts";
import type { Tally } from "../harness/figures.ts";
import { makeFinal } from "../harness/finality.ts";
import { Fleet, type Replica } from "../harness/fleet.ts";
import { LoyalClients } from "../harness/loyalClients.ts";
import { forEach, inWorld, type Part, type Scene } from "../harness/part.ts";
import { growChain } from "./reorgs.ts";

const DATABASE = "PostgreSQL";
const READY_MS = 180_000;
const ALIVE_MS = 120_000;
const CLIENTS = 8;
const TRAFFIC_INTERVAL_MS = 500;
/** Duration of the load before and after each fault. */
const AROUND_MS = 3_000;
/** How long a standby stays away, or a pooler whose replica has left. */
const AWAY_MS = 5_000;
/** A replica whose standby gets no changes leaves after five seconds and two checks. */
const LEAVES_WITHIN_MS = 10_000;
const RECOVERY_MS = 60_000;
const DEPTH = 60;
const READER_SECONDS = 5;
const PAGE_LIMIT = 20;
/** One failed request in this many is allowed. */
const REQUESTS_PER_FAILURE = 1_000;

/** The scene of the faults: a fleet, and the answers that stay right whatever happens to the newest blocks. */
interface FleetScene extends Scene {
  readonly fleet: Fleet;
  readonly answers: ReadonlyMap<string, string>;
}

export const fleet: Part = {
  name: "fleet",
  summary:
    "a balancer and two replicas on standbys: each killed, poolers killed, one behind, deep reorganizations, a new primary",
  async run(context) {
    Fleet.requirePrograms();
    await inWorld("fleet", context, async (world) => {
      const started = await Fleet.start(world);
      const { rig, baseUrl } = started;
      const oracles = await world.still();
      for (const network of NETWORKS) await growChain(world, network);
      await makeFinal(rig, await world.still(), READY_MS);
      const paths = await steadyPaths(started, oracles);
      const answers = await rightAnswersOf(rig.api.baseUrl, paths);
      const scene: FleetScene = { ...context, world, rigs: [rig], fleet: started, answers };
      context.say(`the balancer is ${baseUrl}`);
      await killReplicas(scene, 3);
      await killStandbys(scene, 2);
      await killPoolers(scene, 2);
      await leaveBehind(scene);
      await reorganizeUnderReaders(scene);
      await replacePrimary(scene);
    });
  },
};

/** Paths whose answers never change again: closed ranges, and pages that begin at a final transaction. */
async function steadyPaths({ rig }: Fleet, oracles: Oracles): Promise<string[]> {
  const paths: string[] = ["/v1/info"];
  for (const network of NETWORKS) {
    const { legs } = oracles[network];
    const range = new URLSearchParams({
      from: timeText(legs[0]?.timestamp ?? 0n),
      to: timeText((legs.at(-1)?.timestamp ?? 0n) + 1n),
    });
    const name = apiNetwork(network);
    let cursor = (await rig.api.history(name, { limit: PAGE_LIMIT })).nextCursor;
    for (let page = 0; page < 3 && cursor !== null; page += 1) {
      paths.push(`/v1/transactions?network=${name}&limit=${PAGE_LIMIT}&cursor=${cursor}`);
      cursor = (await rig.api.history(name, { limit: PAGE_LIMIT, cursor })).nextCursor;
    }
    paths.push(`/v1/volume?network=${name}&${range}`, `/v1/volume/series?network=${name}&interval=day&${range}`);
  }
  return paths;
}

/**
 * Injects faults while clients ask and transactions go on, and then compares all answers of each replica.
 * @param mayStepBack whether the fault may show a client an older newest block than before
 */
async function underLoad(
  scene: FleetScene,
  fault: string,
  { rounds, mayStepBack }: { readonly rounds: number; readonly mayStepBack: boolean },
  inject: (round: number, clients: LoyalClients) => Promise<void>,
): Promise<void> {
  const { world, fleet: subject, answers, say } = scene;
  const tally = scene.tally(fault, DATABASE, rounds);
  for (let round = 1; round <= rounds; round += 1) {
    world.startTraffic(TRAFFIC_INTERVAL_MS);
    const balancer = new Balancer([subject.baseUrl], answers, CLIENTS);
    const clients = new LoyalClients(`${subject.baseUrl}/v1/transactions?network=evm-mainnet&limit=1`, CLIENTS);
    await sleep(AROUND_MS);
    await inject(round, clients);
    tally.injected();
    await sleep(AROUND_MS);
    const [steady, loyal] = await Promise.all([balancer.stop(), clients.stop()]);
    const requests = steady.requests + loyal.requests;
    const failed = [...steady.failed, ...loyal.failed];
    say(
      `${fault}, ${round} of ${rounds}: ${requests} requests, ${failed.length} failed, ` +
        `${loyal.stepsBack.length} answers older than the client's last`,
    );
    if (failed[0] !== undefined) say(`the first failure: ${failed[0]}`);
    if (failed.length * REQUESTS_PER_FAILURE > requests) tally.failed(failed.length);
    const wrong = [...steady.wrong, ...(mayStepBack ? [] : loyal.stepsBack)];
    tally.compared({ lost: [], wrong, first: wrong[0] ?? null }, 0);
    await checkReplicas(scene, tally);
  }
}

/** Compares all answers of both replicas with those of an index that no fault affects. */
async function checkReplicas({ world, fleet: subject, say }: FleetScene, tally: Tally): Promise<void> {
  const oracles = await world.still();
  const expected = await world.expected(oracles);
  let whole = 0;
  await forEach(subject.replicas, async ({ process }) => {
    // The fault counts as survived once, when both are whole.
    if (await checkAnswers(process.api, { tally, oracles, expected, faults: 0 })) whole += 1;
  });
  if (whole === subject.replicas.length) tally.compared({ lost: [], wrong: [], first: null });
  else say("NOT WHOLE");
}

function killReplicas(scene: FleetScene, rounds: number): Promise<void> {
  return underLoad(scene, "a replica killed", { rounds, mayStepBack: true }, async () => {
    const { process } = scene.random.pick(scene.fleet.replicas);
    await process.kill();
    await process.alive(ALIVE_MS);
  });
}

function killStandbys(scene: FleetScene, rounds: number): Promise<void> {
  return underLoad(scene, "a standby killed", { rounds, mayStepBack: true }, async () => {
    const { server } = scene.random.pick(scene.fleet.replicas);
    await server.kill();
    await sleep(AWAY_MS);
    await server.start();
  });
}

/** Kills the pooler of a replica, which must leave, and starts it when the replica has left, which must come back. */
function killPoolers(scene: FleetScene, rounds: number): Promise<void> {
  const { fleet: subject, random, say } = scene;
  return underLoad(scene, "a pooler killed", { rounds, mayStepBack: true }, async () => {
    const replica = random.pick(subject.replicas);
    const { pooler, process } = replica;
    await pooler.kill();
    await waitUntil(
      "/ready of the replica is 503",
      async () => {
        const { status } = await process.api.request("/ready");
        return status === 503 ? null : `it is ${status}`;
      },
      { deadlineMs: RECOVERY_MS },
    );
    await waitUntil(
      "the balancer takes the replica out",
      async () => (subject.isCurrent(replica) ? "it still takes part" : null),
      { deadlineMs: RECOVERY_MS },
    );
    await sleep(AWAY_MS);
    await pooler.start();
    const since = performance.now();
    await process.ready(RECOVERY_MS);
    await waitUntil(
      "the balancer takes the replica back",
      async () => (subject.isCurrent(replica) ? null : "it is still out"),
      { deadlineMs: RECOVERY_MS },
    );
    say(`the replica took part again after ${(performance.now() - since).toFixed(0)} ms`);
  });
}

/** Cuts a standby off from the primary. Its replica still answers, as of then, and must leave. */
function leaveBehind(scene: FleetScene): Promise<void> {
  const { fleet: subject, random, say } = scene;
  return underLoad(scene, "a standby behind", { rounds: 1, mayStepBack: false }, async (_round, clients) => {
    const { process, stream } = random.pick(subject.replicas);
    stream.block();
    await sleep(LEAVES_WITHIN_MS);
    const behind = await newestBlockOf(process);
    await waitUntil(
      "every client has answers newer than the replica that is behind",
      async () => {
        const stuck = clients.newestBlocks.filter((block) => block <= behind);
        return stuck.length === 0 ? null : `${stuck.length} clients are at most at block ${behind}`;
      },
      { deadlineMs: RECOVERY_MS },
    );
    if ((await newestBlockOf(process)) !== behind) throw new Error("the replica was not behind");
    stream.forwardTo(subject.rig.server.port);
    const since = performance.now();
    await catchesUp(subject, process);
    say(`the replica had caught up after ${(performance.now() - since).toFixed(0)} ms`);
  });
}

/** Replaces 60 blocks of each chain while a report on each standby reads for five seconds. */
function reorganizeUnderReaders(scene: FleetScene): Promise<void> {
  const { world, fleet: subject, say } = scene;
  return underLoad(scene, "60 blocks replaced", { rounds: NETWORKS.length, mayStepBack: true }, async (round) => {
    await world.stopTraffic();
    const network = NETWORKS[round - 1] ?? "mainnet";
    const readers = subject.replicas.map(({ server }) => readFor(server, subject.rig.schema));
    const since = performance.now();
    const { removed, added } = await reorganize(world.stack.deployed(network).rpcUrl, DEPTH);
    await world.sendOne(network);
    await forEach(subject.replicas, ({ process }) => catchesUp(subject, process));
    say(
      `${network}: ${removed.length} transactions replaced by ${added.length}, ` +
        `shown by both replicas after ${(performance.now() - since).toFixed(0)} ms`,
    );
    await Promise.all(readers);
  });
}

function replacePrimary(scene: FleetScene): Promise<void> {
  const { fleet: subject, say } = scene;
  return underLoad(scene, "primary replaced", { rounds: 1, mayStepBack: true }, async () => {
    const since = performance.now();
    await subject.replacePrimary();
    await subject.rig.supervisor.ready(READY_MS);
    await forEach(subject.replicas, ({ process }) => catchesUp(subject, process));
    say(`both replicas follow the new primary after ${(performance.now() - since).toFixed(0)} ms`);
  });
}

/** Keeps a transaction open that has read all tables with rows of the chains. */
function readFor({ databaseUrl }: PostgresServer, schema: string): Promise<void> {
  return withClient(databaseUrl, async (client) => {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    for (const table of ["transaction", "transaction_by_filter", "swap", "volume_total"])
      await client.query(`SELECT count(*) FROM ${schema}.${table}`);
    await client.query(`SELECT pg_sleep(${READER_SECONDS})`);
    await client.query("COMMIT");
  });
}

async function newestBlockOf({ api }: Replica["process"]): Promise<bigint> {
  const { transactions } = await api.history("evm-mainnet", { limit: 1 });
  return BigInt(transactions[0]?.inclusion.blockNumber ?? 0);
}

/** Waits until a replica shows on each network what the indexer showed when the wait began. */
async function catchesUp({ rig }: Fleet, replica: Replica["process"]): Promise<void> {
  for (const network of NETWORKS) {
    const [newest] = (await rig.api.history(apiNetwork(network), { limit: 1 })).transactions;
    await waitUntil(
      `the replica shows ${newest?.transactionHash} of ${network}`,
      async () => {
        const { transactions } = await replica.api.history(apiNetwork(network), { limit: PAGE_LIMIT });
        const isShown = transactions.some(({ transactionHash }) => transactionHash === newest?.transactionHash);
        return isShown ? null : `its newest is ${transactions[0]?.transactionHash}`;
      },
      { deadlineMs: RECOVERY_MS },
    );
  }
}
