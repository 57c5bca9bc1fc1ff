/** Runs refreshers now and every 30 seconds. */
import { repeatInBackground } from "../shared/schedule.ts";
import type { Refresher } from "./refresher.ts";

const COMPARE_INTERVAL_MS = 30_000;

/** During the backfill: the price of an RWA just met should not wait for half a minute. */
const BACKFILL_INTERVAL_MS = 1_000;

/** Starts the refreshers in place of those that an earlier call started. */
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
