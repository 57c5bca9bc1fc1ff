/** Runs refreshers now and every 30 seconds, once per process however often the API module is loaded. */
import type { Refresher } from "./refresher.ts";

const COMPARE_INTERVAL_MS = 30_000;

/** During the backfill, so that the price of an RWA just met does not wait for half a minute. */
const BACKFILL_INTERVAL_MS = 1_000;

/** Survives a reload by `ponder dev`, which runs the API module again while its old timers tick on. */
const REGISTRY_KEY = Symbol.for("coreswap.api.priceSchedule");

interface Schedule {
  stop(): void;
}

const registry = globalThis as { [REGISTRY_KEY]?: Schedule };

/** Starts the refreshers in place of those that an earlier call started. */
export function schedulePriceRefresh(
  refreshers: readonly Refresher[],
  logWarning: (message: string, error: unknown) => void,
): Schedule {
  registry[REGISTRY_KEY]?.stop();
  let isStopped = false;
  const timers = new Map<Refresher, NodeJS.Timeout>();
  const cycle = async (refresher: Refresher) => {
    let delayMs = COMPARE_INTERVAL_MS;
    try {
      const { isBackfilling } = await refresher.refreshDue();
      if (isBackfilling) delayMs = BACKFILL_INTERVAL_MS;
    } catch (error) {
      logWarning("price refresh failed", error);
    }
    // Counted from the end of the cycle, so that a slow node piles none up.
    if (!isStopped) timers.set(refresher, setTimeout(() => cycle(refresher), delayMs).unref());
  };
  for (const refresher of refreshers) void cycle(refresher);
  const schedule = {
    stop: () => {
      isStopped = true;
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
  registry[REGISTRY_KEY] = schedule;
  return schedule;
}
