/** The description of a part for the runner. */
import type { Random } from "../../../localnet/random.ts";
import { undoing } from "./endings.ts";
import type { Tally } from "./figures.ts";
import type { Rig } from "./rig.ts";
import { World } from "./world.ts";

export interface PartContext {
  readonly seed: number;
  readonly random: Random;
  readonly say: (text: string) => void;
  /** A new line of the table, which is shown even when the part fails. */
  readonly tally: (fault: string, database: string, planned: number) => Tally;
}

export interface Part {
  readonly name: string;
  /** A summary in one line. */
  readonly summary: string;
  /** Whether it measures how fast requests are answered, and so runs while no other part does. */
  readonly runsAlone?: boolean;
  run(context: PartContext): Promise<void>;
}

/** The setting of a sequence of faults: indexers of one world. */
export interface Scene extends PartContext {
  readonly world: World;
  readonly rigs: readonly Rig[];
  /** Whether this is a sample, which omits what takes long apart from the faults themselves. */
  readonly isSample?: boolean;
}

/** Builds a world for a part, and always ends it together with everything that belongs to it. */
export async function inWorld(
  name: string,
  { seed, say, transactionCount }: Pick<PartContext, "seed" | "say"> & { readonly transactionCount?: number },
  task: (world: World) => Promise<void>,
): Promise<void> {
  say("two chains with a history");
  const world = await World.build({ name, seed, ...(transactionCount && { transactionCount }) });
  await undoing(
    () => world.stop(),
    () => task(world),
  );
}

/** Runs a task for several subjects at once, and waits for all of them even when one fails. */
export async function forEach<T>(subjects: readonly T[], task: (subject: T, index: number) => Promise<void>) {
  for (const outcome of await Promise.allSettled(subjects.map(task))) {
    if (outcome.status === "rejected") throw outcome.reason;
  }
}
