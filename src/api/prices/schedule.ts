/** Runs refreshers now and every 30 seconds, once per process however often the API module is loaded. */
import { COMPARE_INTERVAL_MS, type Refresher } from "./refresher.ts";

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
  const timers = refreshers.map((refresher) => {
    let isRunning = false;
    const cycle = async () => {
      // A slow node must not pile cycles up.
      if (isRunning) return;
      isRunning = true;
      try {
        await refresher.refreshDue();
      } catch (error) {
        logWarning("price refresh failed", error);
      } finally {
        isRunning = false;
      }
    };
    void cycle();
    return setInterval(cycle, COMPARE_INTERVAL_MS).unref();
  });
  const schedule = {
    stop: () => {
      for (const timer of timers) clearInterval(timer);
    },
  };
  registry[REGISTRY_KEY] = schedule;
  return schedule;
}
