/** Single transactions on a chain that may be in any state. */
import { treasuryAbi } from "../abis/index.ts";
import { DELISTED_RWA } from "./assets.ts";
import type { DeployedNetwork } from "./deployment.ts";
import { type PlayedTransaction, Player } from "./player.ts";
import type { Random } from "./random.ts";
import { planTrafficTransaction } from "./transactionPlanner.ts";
import { ALLOWLIST_ACCOUNTS, WALLETS } from "./wallets.ts";

/**
 * Sends one economic transaction and mines it at once, alone in its block. It reads everything that it depends on from
 * the chain, so it works in any state, even after a reorganization.
 * @throws Error when it has an unplanned result
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
