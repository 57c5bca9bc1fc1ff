/** Reads price adapters on the chain. */
import type { Address, Hash, Hex, PublicClient } from "viem";
import { iPriceAdapterAbi } from "../../../abis/index.ts";
import type { RwaPrice } from "./store.ts";

/** An RWA whose price is needed, with its current adapter. */
export interface WantedPrice {
  readonly rwaId: Hex;
  readonly priceAdapter: Address;
}

/** The results of the adapters at one block. Each requested RWA has a price or a failure. */
export interface Observation {
  readonly blockNumber: bigint;
  readonly blockHash: Hash;
  readonly prices: readonly Pick<RwaPrice, "rwaId" | "priceAdapter" | "priceUsdWad">[];
  readonly failures: readonly (WantedPrice & { readonly reason: string })[];
}

/**
 * Reads adapters at the latest block, all in one call. An adapter that reverts or returns zero does not affect the
 * others.
 * @throws when the node fails
 */
export async function observePrices(client: PublicClient, wanted: readonly WantedPrice[]): Promise<Observation> {
  const block = await client.getBlock({ blockTag: "latest" });
  const results = await client.multicall({
    contracts: wanted.map(({ priceAdapter }) => ({
      abi: iPriceAdapterAbi,
      address: priceAdapter,
      functionName: "getPrice" as const,
    })),
    allowFailure: true,
    blockNumber: block.number,
    // No multicall contract is used, because not every chain has Multicall3.
    deployless: true,
  });
  const prices: Observation["prices"][number][] = [];
  const failures: Observation["failures"][number][] = [];
  for (const [index, asset] of wanted.entries()) {
    const answer = results[index];
    if (answer?.status === "success" && answer.result > 0n) prices.push({ ...asset, priceUsdWad: answer.result });
    else failures.push({ ...asset, reason: answer?.error?.message.split("\n", 1)[0] ?? "the price is zero" });
  }
  return { blockNumber: block.number, blockHash: block.hash, prices, failures };
}
