/** Faults in rounds: under traffic, then a look at everything. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Tally } from "./figures.ts";
import { forEach, type Scene } from "./part.ts";
import type { Rig } from "./rig.ts";

const TRAFFIC_INTERVAL_MS = 150;
/** How long the indexers go on after the faults before anyone looks. */
const AFTERMATH_MS = 2_000;

/** One fault against one indexer, or what it stands on. */
export interface Attack {
  readonly rig: Rig;
  /** As the table names it. */
  readonly fault: string;
  /** Settles when the fault has happened. */
  inject(): Promise<void>;
}

/**
 * Each round is an attack of each kind at once, while transactions go on, and a comparison of every answer when the
 * chains are still. The last one is made with an index built anew, but in a sample. An index that is not whole is begun
 * anew, so that it does not show as the next round's doing.
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
