/** Everything that the oracle knows about one network, recomputed from its node. */
import { type Address, type Hex, zeroAddress } from "viem";
import { coreSwapFunctions, priceAdapterFunctions } from "../publishedAbi.ts";
import { type ChainSnapshot, chainClient, readChain } from "./chain.ts";
import { type Contracts, type HistoryTransaction, type RealizedLeg, recomputeHistory } from "./history.ts";

export interface NetworkSource {
  readonly rpcUrl: string;
  readonly contracts: Contracts;
}

export interface NetworkOracle extends NetworkSource {
  readonly chain: ChainSnapshot;
  /** Newest first. */
  readonly transactions: readonly HistoryTransaction[];
  /** Oldest first. */
  readonly legs: readonly RealizedLeg[];
}

/** Reads the chain as it is now and recomputes everything from it. */
export async function consultOracle({ rpcUrl, contracts }: NetworkSource): Promise<NetworkOracle> {
  const chain = await readChain(rpcUrl);
  return { rpcUrl, contracts, chain, ...recomputeHistory(chain, contracts) };
}

/** The adapter of an RWA and its price at a block, as the contracts state them. */
export async function readPrice(
  { rpcUrl, contracts }: NetworkSource,
  rwaId: Hex,
  blockNumber: bigint,
): Promise<{ priceAdapter: Address; priceUsdWad: bigint }> {
  const client = chainClient(rpcUrl);
  const priceAdapter = await client.readContract({
    address: contracts.coreSwap,
    abi: coreSwapFunctions,
    functionName: "rwaPriceAdapters",
    args: [rwaId],
    blockNumber,
  });
  if (priceAdapter === zeroAddress) throw new Error(`no price adapter is set for ${rwaId} at block ${blockNumber}`);
  const priceUsdWad = await client.readContract({
    address: priceAdapter,
    abi: priceAdapterFunctions,
    functionName: "getPrice",
    blockNumber,
  });
  return { priceAdapter: priceAdapter.toLowerCase() as Address, priceUsdWad };
}
