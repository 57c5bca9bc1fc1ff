/** New economic transactions on a network whose history has been played. */
import { setTimeout as sleep } from "node:timers/promises";
import type { DeployedNetwork } from "../deployment.ts";
import { randomOf } from "../plan.ts";
import { sendOne } from "../sendOne.ts";

interface TrafficOptions {
  readonly deployed: DeployedNetwork;
  readonly seed: number;
  /** Pause between two transactions. */
  readonly intervalMs: number;
  /** Called when a transaction cannot be sent or has an unplanned result; no more are sent after it. */
  readonly onError: (error: Error) => void;
}

export interface Traffic {
  /** Stops sending; settles when the last transaction is mined. */
  stop(): Promise<void>;
}

/** Sends one transaction after another until it is stopped. */
export function startTraffic({ deployed, seed, intervalMs, onError }: TrafficOptions): Traffic {
  const stopping = new AbortController();
  const random = randomOf(seed, deployed.chainId);
  const run = async () => {
    while (!stopping.signal.aborted) {
      await sendOne({ deployed, random });
      // Stopping the traffic aborts the pause.
      await sleep(intervalMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const done = run().catch((error: unknown) => {
    if (!stopping.signal.aborted) onError(error instanceof Error ? error : new Error(String(error)));
  });
  return {
    async stop() {
      stopping.abort();
      await done;
    },
  };
}
