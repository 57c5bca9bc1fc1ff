/** Waits until an index has caught up with its chains. */
import { setTimeout as sleep } from "node:timers/promises";
import type { ApiClient } from "../../e2e/harness/api.ts";
import { PATIENCE_MS } from "../../e2e/harness/poll.ts";
import { timeText } from "../../support/time.ts";
import { apiNetwork, NETWORKS, type Oracles } from "./answers.ts";

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
      const missing = await missingOf(api, network, oracles).catch((error: unknown) => String(error));
      if (missing === null) break;
      if (performance.now() > deadline) throw new Error(`${network} is not caught up: ${missing}`);
      await sleep(INTERVAL_MS);
    }
  }
}

async function missingOf(api: ApiClient, network: (typeof NETWORKS)[number], oracles: Oracles): Promise<string | null> {
  const { transactions, legs } = oracles[network];
  const newest = transactions[0]?.transactionHash;
  const [row] = (await api.history(apiNetwork(network), { limit: 1 })).transactions;
  if (row?.transactionHash !== newest) return `the newest is ${row?.transactionHash}, expected ${newest}`;
  const { pricingComplete, missingPriceAssetIds } = await api.volume(apiNetwork(network), {
    from: timeText(legs[0]?.timestamp ?? 0n),
    to: timeText((legs.at(-1)?.timestamp ?? 0n) + 1n),
  });
  return pricingComplete ? null : `there is no price of ${missingPriceAssetIds.join(", ")}`;
}
