/** Checks whether the reserve of the treasury token covers what its holders may redeem. */
import { readSolvencyInputs, type Solvency, solvencyOf } from "@coreswap/sdk";
import type { Address, PublicClient } from "viem";
import type { NodeClient } from "../chain/connect.ts";
import type { Deployment } from "../chain/deployment.ts";
import { creditedAccounts } from "../chain/events.ts";
import { percent, tokens, usd } from "../text.ts";

/** Finds every account that ever had credits, by the events since the deployment, and computes solvency at a block. */
export async function readSolvency(
  client: NodeClient,
  deployment: Deployment,
  blockNumber: bigint,
  blocksPerRequest: bigint,
): Promise<Solvency> {
  const accounts = await creditedAccounts(client, deployment, blockNumber, blocksPerRequest);
  return solvencyOfAccounts(client, deployment, blockNumber, accounts);
}

/**
 * Computes solvency at a block.
 * @param accounts every account that may have credits
 */
export async function solvencyOfAccounts(
  client: NodeClient,
  { coreSwap, treasuryStablecoin, rwas, stablecoins }: Deployment,
  blockNumber: bigint,
  accounts: readonly Address[],
): Promise<Solvency> {
  const { inputs } = await readSolvencyInputs({
    client: client as PublicClient,
    blockNumber,
    coreSwap,
    delegateAddress: treasuryStablecoin.delegate,
    // Without the treasury token, which would not count: it is what the reserve has to cover.
    assets: [
      ...rwas.map(({ id }) => ({ id, kind: "rwa" as const })),
      ...stablecoins.map(({ id }) => ({ id, kind: "stablecoin" as const })),
    ],
    otherDelegates: stablecoins.map(({ delegate }) => delegate),
    accounts,
  });
  return solvencyOf(inputs);
}

export function solvencyLines(solvency: Solvency, deployment: Deployment): string[] {
  const { credits, liabilities, liabilitiesUsdWad, assetsUsdWad, sharedAssetsUsdWad, ratioWad, isSolvent } = solvency;
  const token = deployment.treasuryStablecoin;
  const answer = isSolvent === null ? "UNKNOWN: an asset has no price" : isSolvent ? "covered" : "NOT COVERED";
  const shared = sharedAssetsUsdWad === 0n ? "" : `, of it ${usd(sharedAssetsUsdWad)} in accounts of other LPs, too`;
  return [
    `${answer}${ratioWad === null ? "" : `, ${percent(ratioWad)}`}`,
    `owed ${tokens(liabilities, token)} for ${tokens(credits, token)} of credits: ${usd(liabilitiesUsdWad)}`,
    `kept ${usd(assetsUsdWad)}${shared}`,
  ];
}
