/** Chains are reorganized repeatedly while a client reads pages, sums and files. */
import { setTimeout as sleep } from "node:timers/promises";
import { percentile } from "../../../bench/api/statistics.ts";
import type { NetworkName } from "../../../config/networks.ts";
import { createChainClient } from "../../../localnet/chain.ts";
import type { Random } from "../../../localnet/random.ts";
import { type ReplacementPlan, reorganize } from "../../e2e/harness/reorganize.ts";
import { NETWORKS } from "../harness/answers.ts";
import type { Tally } from "../harness/figures.ts";
import { Observer } from "../harness/observer.ts";
import { forEach, inWorld, type Part, type Scene } from "../harness/part.ts";
import { Rig } from "../harness/rig.ts";

/** Ponder repairs reorganizations of up to 65 blocks. Deeper ones are only reported. */
const MAXIMUM_DEPTH = 60;
const NEW_TRANSACTIONS = 6;
/** Number of reorganizations between comparisons. */
const BATCH = 5;
/** A small limit, so that a walk has many pages between which a reorganization can happen. */
const PAGE_LIMIT = 13;
const FRESH_EVERY = 50;
const PAUSE_MS = 1_500;
const MAXIMUM_BLOCK_SECONDS = 3;
/** Blocks from one transaction to the next, while a chain grows. */
const GROWTH_STEP = 3;

export const reorgs: Part = {
  name: "reorgs",
  summary: "100 reorganizations of depth 1 to 60 under a client that pages, sums and reads files",
  run: (context) =>
    inWorld("reorgs", context, async (world) => {
      const rigs = [
        await Rig.open({ name: "reorgs-postgres", world, database: "PostgreSQL" }),
        await Rig.open({ name: "reorgs-pglite", world, database: "PGlite" }),
      ];
      await forEach(rigs, (rig) => rig.renewed());
      await reorganizeChains({ ...context, world, rigs }, 100);
    }),
};

/** Reorganizes the chains. The indexers are already running. When this settles, they have caught up with the chains. */
export async function reorganizeChains(scene: Scene, planned: number): Promise<void> {
  const { tally: newTally, world, rigs, random, say, isSample = false } = scene;
  const tallies = rigs.map(({ database }) => newTally("reorganization", database, planned));
  const restartsBefore = rigs.map((rig) => rig.supervisor.restarts);
  const latenciesMs = rigs.map((): number[] => []);
  const floors = {} as Record<NetworkName, number>;
  for (const network of NETWORKS) floors[network] = await growChain(world, network);
  for (let done = 0; done < planned; ) {
    const observers = rigs.map(({ api }, index) =>
      // Files are read during every second batch, so that paging without files is covered, too.
      Observer.start({ api, world, limit: PAGE_LIMIT, readsFiles: (done / BATCH + index) % 2 < 1 }),
    );
    const count = Math.min(BATCH, planned - done);
    for (let step = 0; step < count; step += 1) {
      const network = random.pick(NETWORKS);
      for (let sent = 0; sent < random.integer(1, NEW_TRANSACTIONS); sent += 1) await world.sendOne(network);
      await reorganizeOne(scene, network, floors[network]);
      for (const tally of tallies) tally.injected();
      // The next one comes sometimes immediately, and sometimes after the indexers have followed the previous one.
      await sleep(random.integer(0, PAUSE_MS));
    }
    done += count;
    const oracles = await world.still();
    const isFresh = !isSample && (done === planned || done % FRESH_EVERY === 0);
    const expected = isFresh ? await world.expectedAnew(oracles) : await world.expected(oracles);
    await forEach(rigs, async (rig, index) => {
      const tally = tallies[index] as Tally;
      const isWhole = await rig.check(tally, oracles, expected, count);
      const observed = await observers[index]?.report(tally);
      latenciesMs[index]?.push(...(observed?.latenciesMs ?? []));
      say(`${rig.database}: ${done} of ${planned}, ${observed?.requests} requests${isWhole ? "" : ", NOT WHOLE"}`);
      if (!isWhole) await rig.renewed();
    });
  }
  for (const [index, rig] of rigs.entries()) {
    const taken = latenciesMs[index] ?? [];
    if (taken.length > 0) {
      const [p50, p99] = [0.5, 0.99].map((share) => percentile(taken, share).toFixed(0));
      say(`${rig.database}: pages, sums and files took p50 ${p50} ms and p99 ${p99} ms while blocks were replaced`);
    }
    const ends = rig.supervisor.restarts - (restartsBefore[index] ?? 0);
    if (ends > 0) tallies[index]?.remark(`the indexer ended ${ends} times: ${rig.supervisor.ends.at(-1)}`);
  }
}

/**
 * Adds as many blocks to a chain as the deepest reorganization replaces, so that none reaches the earlier history:
 * without the end of a pause, or a listing, later transactions would revert.
 * @returns the newest block before the new blocks
 */
export async function growChain(world: Scene["world"], network: NetworkName): Promise<number> {
  const client = createChainClient(world.stack.deployed(network).rpcUrl);
  const floor = Number(await client.getBlockNumber());
  for (let height = 0; height < MAXIMUM_DEPTH; height += GROWTH_STEP) {
    await world.sendOne(network);
    await client.mine({ blocks: GROWTH_STEP - 1, interval: 1 });
  }
  return floor;
}

/**
 * Reorganizes one chain.
 * @param floor newest block that stays
 */
async function reorganizeOne({ world, random, say }: Scene, network: NetworkName, floor: number): Promise<void> {
  const { rpcUrl } = world.stack.deployed(network);
  const client = createChainClient(rpcUrl);
  const head = Number(await client.getBlockNumber());
  // Most reorganizations are shallow, as on real chains.
  const deepest = Math.min(random.pick([2, 5, 20, MAXIMUM_DEPTH]), head - floor);
  const depth = random.integer(1, deepest);
  // The interval sets the time between new blocks. Without it, all of them have the same timestamp.
  const interval = random.integer(0, MAXIMUM_BLOCK_SECONDS);
  if (interval > 0) await client.setBlockTimestampInterval({ interval });
  const { removed, added } = await reorganize(rpcUrl, depth, randomPlan(random));
  if (interval > 0) await client.removeBlockTimestampInterval();
  say(`${network}: ${depth} blocks, ${removed.length} transactions replaced by ${added.length}`);
}

/** Drops, keeps, changes and adds some transactions, and moves most to another block and position. */
function randomPlan(random: Random): ReplacementPlan {
  return (removed, depth, firstReplaced) =>
    random.shuffled(
      removed.flatMap((transaction) => {
        const where = () =>
          random.chance(1, 3) ? Number(transaction.blockNumber - firstReplaced) : random.integer(0, depth - 1);
        const copies = random.pick([0, 1, 1, 1, 2]);
        return Array.from({ length: copies }, () => ({
          transaction,
          block: where(),
          isAltered: random.chance(1, 2),
        }));
      }),
    );
}
