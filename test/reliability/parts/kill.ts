/** The indexer is killed at random moments, during a backfill and live, and restarted. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Tally } from "../harness/figures.ts";
import { forEach, inWorld, type Part, type PartContext, type Scene } from "../harness/part.ts";
import { Rig } from "../harness/rig.ts";
import { type Attack, attackInRounds } from "../harness/rounds.ts";

const ALIVE_MS = 120_000;
const READY_MS = 180_000;
/** A start and the backfill of a small history at Ponder's own pace take about this long. */
const BACKFILL_MOMENTS_MS = 6_000;
const KILLS_OF_A_BACKFILL = 4;
const LIVE_MOMENTS_MS = 4_000;

export const kill: Part = {
  name: "kill",
  summary: "kill -9 of the indexer at 20 random moments per database",
  run: (context) =>
    inWorld("kill", context, async (world) => {
      const rigs = [
        // At Ponder's own pace, a backfill lasts long enough to be killed.
        await Rig.open({ name: "kill-postgres", world, database: "PostgreSQL", settings: PONDERS_PACE }),
        await Rig.open({ name: "kill-pglite", world, database: "PGlite", settings: PONDERS_PACE }),
      ];
      const scene = { ...context, world, rigs };
      await killInBackfill(scene, 10);
      await attackInRounds(
        scene,
        rigs.map((rig) => killOf(rig, context)),
        10,
      );
    }),
};

/** Without a rate of the operator, Ponder begins with 20 requests per second. */
const PONDERS_PACE = { PONDER_RPC_REQUESTS_PER_SECOND: "" };

async function killInBackfill(scene: Scene, planned: number): Promise<void> {
  const { tally: newTally, world, rigs, random, say } = scene;
  const tallies = rigs.map(({ database }) => newTally("kill -9 in a backfill", database, planned));
  const oracles = await world.still();
  const expected = await world.expected(oracles);
  await forEach(rigs, async (rig, index) => {
    const tally = tallies[index] as Tally;
    for (let done = 0; done < planned; ) {
      await rig.renew();
      const kills = Math.min(KILLS_OF_A_BACKFILL, planned - done);
      for (let count = 0; count < kills; count += 1) {
        await rig.supervisor.alive(ALIVE_MS);
        await sleep(random.integer(0, BACKFILL_MOMENTS_MS));
        await rig.supervisor.kill();
        tally.injected();
      }
      await rig.supervisor.ready(READY_MS);
      const isWhole = await rig.check(tally, oracles, expected, kills);
      done += kills;
      say(`${rig.database}: ${done} of ${planned} kills in a backfill${isWhole ? "" : ", NOT WHOLE"}`);
    }
  });
}

/** Kills the indexer while it follows the heads of its chains. */
export function killOf(rig: Rig, { random }: PartContext): Attack {
  return {
    rig,
    fault: "kill -9 live",
    async inject() {
      await sleep(random.integer(0, LIVE_MOMENTS_MS));
      await rig.supervisor.kill();
      await rig.supervisor.ready(READY_MS);
    },
  };
}
