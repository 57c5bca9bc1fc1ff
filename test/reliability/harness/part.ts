/** What the runner knows of a part. */
import type { Random } from "../../../localnet/random.ts";
import type { Figure } from "./figures.ts";
import type { Rig } from "./rig.ts";
import { World } from "./world.ts";

export interface PartContext {
  readonly seed: number;
  readonly random: Random;
  readonly say: (text: string) => void;
}

export interface Part {
  readonly name: string;
  /** What it does, in one line. */
  readonly summary: string;
  run(context: PartContext): Promise<Figure[]>;
}

/** What a sequence of faults needs: indexers over one world, and how it is called in the table. */
export interface Scene extends PartContext {
  readonly part: string;
  readonly world: World;
  readonly rigs: readonly Rig[];
}

/** Builds a world for a part and ends it with everything that belongs to it, whatever happens. */
export async function inWorld<T>(
  name: string,
  { seed, say }: PartContext,
  task: (world: World) => Promise<T>,
): Promise<T> {
  say("two chains with a history");
  const world = await World.build({ name, seed });
  try {
    return await task(world);
  } finally {
    await world.stop();
  }
}

/** Runs a task for several subjects at once; waits for all of them also when one fails. */
export async function forEach<T>(subjects: readonly T[], task: (subject: T, index: number) => Promise<void>) {
  for (const outcome of await Promise.allSettled(subjects.map(task))) {
    if (outcome.status === "rejected") throw outcome.reason;
  }
}
