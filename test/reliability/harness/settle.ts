/** Waits until an index has caught up with its chains. */
import { setTimeout as sleep } from "node:timers/promises";
import type { ApiClient } from "../../e2e/harness/api.ts";
import { missingOf } from "../../e2e/harness/converge.ts";
import { PATIENCE_MS } from "../../e2e/harness/poll.ts";
import { NETWORKS, type Oracles } from "./answers.ts";

const INTERVAL_MS = 300;

/**
 * Waits until the newest transaction of each chain is in the answers and each leg has its price. Any other answer,
 * including an error, means "not yet".
 * @throws Error after the deadline, with what was still missing
 */
export async function waitUntilCaughtUp(api: ApiClient, oracles: Oracles, deadlineMs = PATIENCE_MS): Promise<void> {
  const deadline = performance.now() + deadlineMs;
  for (const network of NETWORKS) {
    for (;;) {
      const missing = await missingOf(api, network, oracles[network]).catch((error: unknown) => String(error));
      if (missing === null) break;
      if (performance.now() > deadline) throw new Error(`${network} is not caught up: ${missing}`);
      await sleep(INTERVAL_MS);
    }
  }
}
