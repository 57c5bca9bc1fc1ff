/** Nodes fail in every way known of RPC providers, live and during a backfill, one fault at a time and mixed. */
import { setTimeout as sleep } from "node:timers/promises";
import type { NetworkName } from "../../../config/networks.ts";
import { createChainClient } from "../../../localnet/chain.ts";
import { type ApiClient, apiNetwork } from "../../e2e/harness/api.ts";
import { NETWORKS } from "../harness/answers.ts";
import type { Tally } from "../harness/figures.ts";
import { Observer } from "../harness/observer.ts";
import { forEach, inWorld, type Part, type Scene } from "../harness/part.ts";
import { Rig } from "../harness/rig.ts";
import { BACKFILL_FAULTS, BEHIND_BLOCKS, FAULTS, type FaultInputs, mixedFaults } from "../harness/rpcFaults.ts";
import type { Fault } from "../harness/rpcProxy.ts";

const TRAFFIC_INTERVAL_MS = 700;
const FAULT_SECONDS = 20;
/** Additional time for which a fault remains if no call has met it. */
const FIRST_CALL_MS = 60_000;
const MIXED_SECONDS = 180;
const AWAY_SECONDS = 180;
/** Number of backfills under a fault that run at once. */
const BACKFILLS_AT_ONCE = 4;
const READY_MS = 300_000;
/**
 * Maximum lag of the other network while one node does not answer. It allows for polling, indexing and a busy machine.
 */
const NORMAL_LAG_MS = 10_000;
const PAGE_LIMIT = 100;
const DATABASES = ["PostgreSQL", "PGlite"] as const;

export const rpc: Part = {
  name: "rpc",
  summary: "a node with each fault for 20 s; mixed for 3 min; one away for 3 min",
  run: (context) =>
    inWorld("rpc", context, async (world) => {
      const rigs = [
        await Rig.open({ name: "rpc-postgres", world, database: "PostgreSQL" }),
        await Rig.open({ name: "rpc-pglite", world, database: "PGlite" }),
      ];
      await forEach(rigs, (rig) => rig.renewed());
      const scene = { ...context, world, rigs };
      await faultsLive(scene, FAULT_SECONDS);
      await faultLive(scene, "mixed at random", mixedFaults, MIXED_SECONDS);
      await nodeAway(scene, AWAY_SECONDS);
    }),
};

export const rpcBackfill: Part = {
  name: "rpc-backfill",
  summary: "a node with each fault for 20 s while it is asked for a whole history",
  run: (context) => inWorld("rpc-backfill", context, (world) => faultsInBackfill({ ...context, world }, FAULT_SECONDS)),
};

/** Injects each fault separately, on both networks at once. */
async function faultsLive(scene: Scene, seconds: number): Promise<void> {
  for (const [name, make] of Object.entries(FAULTS)) {
    if (BACKFILL_FAULTS.includes(name)) continue;
    await faultLive(scene, name, make, seconds);
  }
}

/** Injects each fault briefly, one right after the other, with one check of everything at the end. */
export async function faultsInTurn(scene: Scene, seconds: number): Promise<void> {
  const { tally: newTally, world, rigs, say } = scene;
  const faults = Object.entries(FAULTS).filter(([name]) => !BACKFILL_FAULTS.includes(name));
  const tallies = rigs.map(({ database }) => newTally("each RPC fault, live", database, faults.length));
  const watch = watchRigs(scene, tallies);
  world.startTraffic(TRAFFIC_INTERVAL_MS);
  for (const [name, make] of faults) {
    await injectFor(scene, tallies, make, seconds);
    say(name);
  }
  const oracles = await world.still();
  const expected = await world.expected(oracles);
  const isWhole = new Map<Rig, boolean>();
  await forEach(rigs, async (rig, index) => {
    isWhole.set(rig, await rig.check(tallies[index] as Tally, oracles, expected, faults.length));
  });
  await watch.report();
  await renewBroken(rigs, isWhole);
}

/** Makes the nodes of every indexer answer with the fault for a time, and counts it if a call met it. */
async function injectFor(
  scene: Scene,
  tallies: readonly Tally[],
  make: (inputs: FaultInputs) => Fault,
  seconds: number,
): Promise<void> {
  const { rigs } = scene;
  for (const rig of rigs) {
    for (const network of NETWORKS) rig.rpc[network].inject(make(inputsOf(scene, network)));
  }
  await sleep(seconds * 1000);
  // A fault of receipts is met only when a block has an indexed transaction.
  const patience = performance.now() + FIRST_CALL_MS;
  while (rigs.some((rig) => callsMet(rig) === 0) && performance.now() < patience) await sleep(100);
  for (const [index, rig] of rigs.entries()) {
    for (const network of NETWORKS) rig.rpc[network].inject(null);
    if (callsMet(rig) > 0) tallies[index]?.injected();
  }
}

/** Starts damaged indexes again, so that damage by one fault does not count against the next. */
async function renewBroken(rigs: readonly Rig[], isWhole: ReadonlyMap<Rig, boolean>): Promise<void> {
  await forEach(rigs, async (rig) => {
    if (!isWhole.get(rig)) await rig.renewed();
  });
}

/** Number of calls that the last fault has answered. */
function callsMet(rig: Rig): number {
  return NETWORKS.reduce((sum, network) => sum + rig.rpc[network].injected(), 0);
}

/** Starts clients of every indexer, and a check that none ends by itself, which no fault of a node may cause. */
function watchRigs({ world, rigs }: Scene, tallies: readonly Tally[]) {
  const restartsBefore = rigs.map((rig) => rig.supervisor.restarts);
  const observers = rigs.map(({ api }) => Observer.start({ api, world, limit: PAGE_LIMIT, pages: 1, pauseMs: 100 }));
  return {
    async report() {
      await forEach(rigs, async (rig, index) => {
        const tally = tallies[index] as Tally;
        await observers[index]?.report(tally);
        const ends = rig.supervisor.restarts - (restartsBefore[index] ?? 0);
        if (ends > 0) tally.remark(`the indexer ended ${ends} times: ${rig.supervisor.ends.at(-1)?.slice(0, 300)}`);
      });
    },
  };
}

async function faultLive(
  scene: Scene,
  name: string,
  make: (inputs: FaultInputs) => Fault,
  seconds: number,
): Promise<void> {
  const { tally: newTally, world, rigs, say } = scene;
  const tallies = rigs.map(({ database }) => newTally(`${name}, live`, database, 1));
  const watch = watchRigs(scene, tallies);
  world.startTraffic(TRAFFIC_INTERVAL_MS);
  await injectFor(scene, tallies, make, seconds);
  const endedAt = performance.now();
  const oracles = await world.still();
  const expected = await world.expected(oracles);
  const isWhole = new Map<Rig, boolean>();
  await forEach(rigs, async (rig, index) => {
    isWhole.set(rig, await rig.check(tallies[index] as Tally, oracles, expected));
    const recovery = ((performance.now() - endedAt) / 1000).toFixed(0);
    const verdict = isWhole.get(rig) ? `whole ${recovery} s later` : "NOT WHOLE";
    say(`${name}, ${rig.database}: ${callsMet(rig)} calls, ${verdict}`);
  });
  await watch.report();
  await renewBroken(rigs, isWhole);
}

/** Injects each fault into nodes that serve a backfill. Every backfill builds a separate index. */
async function faultsInBackfill(scene: Omit<Scene, "rigs">, seconds: number): Promise<void> {
  const { tally: newTally, world, say } = scene;
  // When a node hides its newest blocks, the API reads prices at an earlier block. These blocks have swaps but no price
  // posts, so the price is the same.
  for (const network of NETWORKS) {
    for (let block = 0; block < BEHIND_BLOCKS; block += 1) await world.sendOne(network);
  }
  const oracles = await world.still();
  const expected = await world.expectedAnew(oracles);
  const waiting = Object.entries(FAULTS).flatMap(([name, make]) =>
    DATABASES.map((database) => ({ name, make, database })),
  );
  const work = async (worker: number) => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { name, make, database } = next;
      const tally = newTally(`${name}, backfill`, database, 1);
      const rig = await Rig.open({ name: `backfill-${worker}-${waiting.length}`, world, database });
      try {
        const begun = NETWORKS.map((network) =>
          rig.rpc[network].injectFrom("eth_getLogs", make(inputsOf(scene, network))),
        );
        await rig.renew();
        await Promise.race([Promise.all(begun), sleep(READY_MS)]);
        await sleep(seconds * 1000);
        for (const network of NETWORKS) rig.rpc[network].inject(null);
        if (callsMet(rig) > 0) tally.injected();
        await rig.supervisor.ready(READY_MS);
        const isWhole = await rig.check(tally, oracles, expected);
        if (rig.supervisor.restarts > 0)
          say(`${name}, backfill on ${database}: ended ${rig.supervisor.restarts} times`);
        say(`${name}, backfill on ${database}${isWhole ? "" : ": NOT WHOLE"}`);
      } catch (error) {
        tally.remark(String(error));
      } finally {
        await rig.stop();
      }
    }
  };
  await Promise.all(Array.from({ length: BACKFILLS_AT_ONCE }, (_, worker) => work(worker)));
}

/** Keeps one network's node silent for minutes, while the other network continues normally. */
async function nodeAway(scene: Scene, seconds: number): Promise<void> {
  const { tally: newTally, world, rigs, say } = scene;
  const tallies = rigs.map(({ database }) => newTally("node of one network away", database, 1));
  const restartsBefore = rigs.map((rig) => rig.supervisor.restarts);
  for (const rig of rigs) rig.rpc.mainnet.inject(() => ({ kind: "reset" }));
  const until = performance.now() + seconds * 1000;
  const lags: number[][] = rigs.map(() => []);
  while (performance.now() < until) {
    await world.sendOne("mainnet");
    await world.sendOne("sepolia");
    const head = await createChainClient(world.stack.deployed("sepolia").rpcUrl).getBlock({
      includeTransactions: true,
    });
    const [hash] = head.transactions.map((transaction) => transaction.hash);
    await forEach(rigs, async (rig, index) => {
      lags[index]?.push(await lagOf(rig.api, "sepolia", hash ?? "0x"));
    });
    await sleep(TRAFFIC_INTERVAL_MS);
  }
  for (const [index, rig] of rigs.entries()) {
    rig.rpc.mainnet.inject(null);
    if (rig.rpc.mainnet.injected() > 0) tallies[index]?.injected();
  }
  const oracles = await world.still();
  const expected = await world.expected(oracles);
  await forEach(rigs, async (rig, index) => {
    const tally = tallies[index] as Tally;
    const isWhole = await rig.check(tally, oracles, expected);
    const worst = Math.max(...(lags[index] ?? []));
    if (worst > NORMAL_LAG_MS) tally.remark(`the other network was ${(worst / 1000).toFixed(1)} s behind`);
    const ends = rig.supervisor.restarts - (restartsBefore[index] ?? 0);
    if (ends > 0) tally.remark(`the indexer ended ${ends} times: ${rig.supervisor.ends.at(-1)?.slice(0, 300)}`);
    say(`node away, ${rig.database}: the other ${(worst / 1000).toFixed(1)} s behind${isWhole ? "" : ", NOT WHOLE"}`);
  });
}

/** Milliseconds until a mined transaction is in the answers, and at most three times the normal lag. */
async function lagOf(api: ApiClient, network: NetworkName, transactionHash: string): Promise<number> {
  const start = performance.now();
  for (;;) {
    const elapsed = performance.now() - start;
    if (elapsed > 3 * NORMAL_LAG_MS) return elapsed;
    const found = await api.history(apiNetwork(network), { transactionHash, limit: 1 }).then(
      ({ transactions }) => transactions.length > 0,
      // An indexer that has ended does not answer, which counts as lag.
      () => false,
    );
    if (found) return elapsed;
    await sleep(100);
  }
}

function inputsOf({ random, world }: Pick<Scene, "random" | "world">, network: NetworkName): FaultInputs {
  const other = network === "mainnet" ? "sepolia" : "mainnet";
  return { random, otherNodeUrl: world.stack.deployed(other).rpcUrl };
}
