/** New economic transactions on a network whose history has been played. */
import { setTimeout as sleep } from "node:timers/promises";
import { treasuryAbi } from "../abis/index.ts";
import { DELISTED_RWA } from "./assets.ts";
import type { DeployedNetwork } from "./deployment.ts";
import { randomOf } from "./plan.ts";
import { type PlayedTransaction, Player } from "./player.ts";
import type { Random } from "./random.ts";
import { planTrafficTransaction } from "./transactionPlanner.ts";
import { ALLOWLIST_ACCOUNTS, WALLETS } from "./wallets.ts";

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

/**
 * Sends one economic transaction and mines it at once, in a block of its own. Everything that it depends on is read
 * from the chain, so it may follow anything, including a reorganization.
 * @throws Error when it does otherwise than planned
 */
export async function sendOne({
  deployed,
  random,
}: {
  readonly deployed: DeployedNetwork;
  readonly random: Random;
}): Promise<PlayedTransaction> {
  const player = new Player(deployed);
  const { client } = player.sender;
  const listed = await Promise.all(
    ALLOWLIST_ACCOUNTS.map((name) =>
      client.readContract({
        address: deployed.treasury,
        abi: treasuryAbi,
        functionName: "whitelisted",
        args: [WALLETS[name].address],
      }),
    ),
  );
  const planned = planTrafficTransaction(random, {
    delisted: new Set([DELISTED_RWA]),
    allowlisted: new Set(ALLOWLIST_ACCOUNTS.filter((_, index) => listed[index])),
  });
  const { timestamp } = await client.getBlock();
  const submitted = await player.submit(planned, Math.max(Number(timestamp), Math.floor(Date.now() / 1000)));
  return player.verify(submitted, await player.sender.waitForReceipt(submitted.hash));
}
