/** Checks whether the reserve of the treasury token covers what its holders may redeem. */
import { findCreditedAccounts, readSolvencyInputs, type Solvency, solvencyOf } from "@coreswap/sdk";
import type { PublicClient } from "viem";
import type { NodeClient } from "../chain/connect.ts";
import { type Deployment, liquidityProviders } from "../chain/deployment.ts";
import { percent, tokens, usd } from "../text.ts";

/** Reads every account that ever had credits, from the events since the deployment, and what it may redeem. */
export async function readSolvency(
  client: NodeClient,
  deployment: Deployment,
  blockNumber: bigint,
  blocksPerRequest: bigint,
): Promise<Solvency> {
  const reader = client as PublicClient;
  const delegateAddress = deployment.treasuryStablecoin.delegate;
  const accounts = await findCreditedAccounts({
    client: reader,
    delegateAddress,
    fromBlock: BigInt(deployment.startBlock),
    toBlock: blockNumber,
    blocksPerRequest,
  });
  const { inputs } = await readSolvencyInputs({
    client: reader,
    blockNumber,
    coreSwap: deployment.coreSwap,
    delegateAddress,
    assets: [
      ...deployment.rwas.map(({ id }) => ({ id, kind: "rwa" as const })),
      ...liquidityProviders(deployment).map(({ id }) => ({ id, kind: "stablecoin" as const })),
    ],
    otherDelegates: deployment.stablecoins.map(({ delegate }) => delegate),
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
