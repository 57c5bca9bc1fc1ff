/**
 * Background work of the API's process: cycles that run repeatedly. Each runs once per process, no matter how often the
 * API module is loaded.
 */

/** Survives a reload by `ponder dev`, which runs the API module again while its old timers keep running. */
const REGISTRY_KEY = Symbol.for("coreswap.api.schedules");

interface Schedule {
  stop(): void;
}

interface Repetition {
  /** Each cycle runs immediately, and returns the milliseconds until its next run. */
  readonly cycles: readonly (() => Promise<number>)[];
  readonly delayAfterFailureMs: number;
  readonly onFailure: (error: unknown) => void;
  /** Releases the resources of the cycles. */
  readonly onStop?: () => void;
}

const global = globalThis as { [REGISTRY_KEY]?: Map<string, Schedule> };

/** Starts the cycles, replacing those that an earlier call started under this name. */
export function repeatInBackground(
  name: string,
  { cycles, delayAfterFailureMs, onFailure, onStop }: Repetition,
): Schedule {
  global[REGISTRY_KEY] ??= new Map();
  const schedules = global[REGISTRY_KEY];
  schedules.get(name)?.stop();
  let isStopped = false;
  const timers = new Map<number, NodeJS.Timeout>();
  const run = async (cycle: () => Promise<number>, index: number) => {
    let delayMs = delayAfterFailureMs;
    try {
      delayMs = await cycle();
    } catch (error) {
      // What ended it may have taken away what the cycle needs.
      if (!isStopped) onFailure(error);
    }
    // The delay starts at the end of the cycle, so that cycles do not accumulate behind a slow node.
    if (!isStopped) timers.set(index, setTimeout(() => run(cycle, index), delayMs).unref());
  };
  for (const [index, cycle] of cycles.entries()) void run(cycle, index);
  const schedule = {
    stop: () => {
      isStopped = true;
      for (const timer of timers.values()) clearTimeout(timer);
      onStop?.();
    },
  };
  schedules.set(name, schedule);
  return schedule;
}

/** Ends the cycles of this name, if there are any. A cycle that still runs reports no failure. */
export function endInBackground(name: string): void {
  global[REGISTRY_KEY]?.get(name)?.stop();
}
