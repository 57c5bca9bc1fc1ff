/** Checks for forks every minute and reports them in the log and in a gauge. */
import { Gauge, type Registry } from "prom-client";
import { describeFork } from "../shared/health.ts";
import { repeatInBackground } from "../shared/schedule.ts";
import type { ForkWatch } from "./watch.ts";

const COMPARE_INTERVAL_MS = 60_000;
const GAUGE_NAME = "coreswap_deep_fork";

interface ForkReports {
  /** Ponder's registry, from which `/metrics` is served. */
  readonly registry: Registry;
  readonly logWarning: (message: string, error?: unknown) => void;
}

/** Starts the watches, replacing those that an earlier call started. */
export function scheduleForkWatch(watches: readonly ForkWatch[], { registry, logWarning }: ForkReports) {
  // After a reload of this module, the previous gauge still exists.
  registry.removeSingleMetric(GAUGE_NAME);
  const gauge = new Gauge({
    name: GAUGE_NAME,
    help: "1 if the node has a different block than the newest one indexed as final, else 0",
    labelNames: ["chain"],
    registers: [registry],
  });
  return repeatInBackground("forks", {
    cycles: watches.map((watch) => async () => {
      const chain = watch.network.name;
      const fork = await watch.compare();
      gauge.set({ chain }, fork === null ? 0 : 1);
      if (fork !== null) {
        logWarning(`${chain} has a fork that is too deep to repair: ${describeFork(fork)}`);
      }
      return COMPARE_INTERVAL_MS;
    }),
    delayAfterFailureMs: COMPARE_INTERVAL_MS,
    onFailure: (error) => logWarning("the comparison of a final block with the node failed", error),
  });
}
