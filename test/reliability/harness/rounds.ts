/** Injects faults in rounds: faults under traffic, followed by a check of all answers. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Tally } from "./figures.ts";
import { forEach, type Scene } from "./part.ts";
import type { Rig } from "./rig.ts";

const TRAFFIC_INTERVAL_MS = 150;
/** Time for which the indexers continue after the faults, before the check. */
const AFTERMATH_MS = 2_000;

/** One fault against one indexer, or something it depends on. */
export interface Attack {
  readonly rig: Rig;
  /** Its name in the table. */
  readonly fault: string;
  /** Injects the fault and settles when it has happened. */
  inject(): Promise<void>;
}

/**
 * Each round injects one attack of each kind at once, while transactions continue, and then compares every answer when
 * the chains have no new blocks. Except in a sample, the last comparison uses an index built again from scratch. An
 * index with differences is started again from scratch, so that they do not count against the next round.
 */
export async function attackInRounds(scene: Scene, attacks: readonly Attack[], rounds: number): Promise<void> {
  const { tally: newTally, world, say, isSample = false } = scene;
  const tallies = attacks.map(({ fault, rig }) => newTally(fault, rig.database, rounds));
  for (let round = 1; round <= rounds; round += 1) {
    world.startTraffic(TRAFFIC_INTERVAL_MS);
    await forEach(attacks, async ({ inject }, index) => {
      await inject();
      tallies[index]?.injected();
    });
    await sleep(AFTERMATH_MS);
    const oracles = await world.still();
    const isLast = round === rounds && !isSample;
    const expected = isLast ? await world.expectedAnew(oracles) : await world.expected(oracles);
    await forEach(attacks, async ({ rig, fault }, index) => {
      const isWhole = await rig.check(tallies[index] as Tally, oracles, expected);
      say(`${fault}, ${rig.database}: ${round} of ${rounds}${isWhole ? "" : ", NOT WHOLE"}`);
      if (!isWhole) await rig.renewed();
    });
  }
}
