/** Runs refreshers now and every 30 seconds. */
import { repeatInBackground } from "../shared/schedule.ts";
import type { Refresher } from "./refresher.ts";

const COMPARE_INTERVAL_MS = 30_000;

/** Interval during the backfill, when the price of a new RWA should not wait for 30 seconds. */
const BACKFILL_INTERVAL_MS = 1_000;

/** Starts the refreshers, replacing those that an earlier call started. */
export function schedulePriceRefresh(
  refreshers: readonly Refresher[],
  logWarning: (message: string, error: unknown) => void,
) {
  return repeatInBackground("prices", {
    cycles: refreshers.map((refresher) => async () => {
      const { isBackfilling } = await refresher.refreshDue();
      return isBackfilling ? BACKFILL_INTERVAL_MS : COMPARE_INTERVAL_MS;
    }),
    delayAfterFailureMs: COMPARE_INTERVAL_MS,
    onFailure: (error) => logWarning("price refresh failed", error),
  });
}
