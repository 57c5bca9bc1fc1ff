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
  /** Told when a transaction fails to be sent or does otherwise than planned; no more are sent after it. */
  readonly onError: (error: Error) => void;
}

export interface Traffic {
  /** Sends no more; settles when the last one is mined. */
  stop(): Promise<void>;
}

/** Sends one transaction after another until it is stopped. */
export function startTraffic({ deployed, seed, intervalMs, onError }: TrafficOptions): Traffic {
  const stopping = new AbortController();
  const random = randomOf(seed, deployed.chainId);
  const run = async () => {
    while (!stopping.signal.aborted) {
      await sendOne({ deployed, random });
      // An aborted pause is how the traffic is stopped.
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
