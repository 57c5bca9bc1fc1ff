/** The assets of a leg, from CoreSwap's registry. */
import { coreSwapAbi } from "@coreswap/abi";
import { type Hex, zeroAddress } from "viem";
import { multicall } from "viem/actions";
import { namingReverts } from "../errors/contractRevertError.ts";
import type { AssetToken } from "../leg.ts";
import { type BlockParameters, type Deployment, type SwapClient, together } from "./client.ts";

/** CoreSwap has no asset with an ID. */
export class UnknownAssetError extends Error {
  override readonly name = "UnknownAssetError";

  constructor(id: Hex) {
    super(`CoreSwap has no asset with the ID ${id}`);
  }
}

/** An asset of the registry. */
export type SwapAsset = AssetToken & {
  /** Whether legs may use it now. */
  readonly isAccepted: boolean;
};

export interface GetSwapAssetsParameters extends Deployment, BlockParameters {
  /** IDs of the assets: `/v1/assets` lists them. */
  readonly ids: readonly Hex[];
}

/**
 * Reads assets from CoreSwap's registry, in two requests for all of them together.
 * @returns the assets in the order of the IDs
 * @throws UnknownAssetError; NoContractError when CoreSwap is not on this chain; viem's errors when the node fails
 */
export async function getSwapAssets(
  client: SwapClient,
  { coreSwap, ids, ...block }: GetSwapAssetsParameters,
): Promise<SwapAsset[]> {
  if (ids.length === 0) return [];
  const contract = { abi: coreSwapAbi, address: coreSwap } as const;
  const [rwas, stablecoins] = await Promise.all([
    namingReverts(
      multicall(client, {
        ...together(block),
        contracts: ids.map((id) => ({ ...contract, functionName: "rwaInfo" as const, args: [id] as const })),
      }),
    ),
    namingReverts(
      multicall(client, {
        ...together(block),
        contracts: ids.map((id) => ({ ...contract, functionName: "stablecoinInfo" as const, args: [id] as const })),
      }),
    ),
  ]);
  return ids.map((id, index) => {
    const [rwa, stablecoin] = [rwas[index], stablecoins[index]];
    if (stablecoin !== undefined && stablecoin[4] !== zeroAddress) {
      const [isAccepted, isYieldBearing, decimals, delegateAddress, tokenAddress] = stablecoin;
      return { kind: "stablecoin", id, tokenAddress, decimals, delegateAddress, isYieldBearing, isAccepted };
    }
    if (rwa === undefined || rwa[4] === zeroAddress) throw new UnknownAssetError(id);
    const [isAccepted, , decimals, , tokenAddress] = rwa;
    return { kind: "rwa", id, tokenAddress, decimals, isAccepted };
  });
}
