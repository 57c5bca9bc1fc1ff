/** Reads price adapters on the chain. */
import { readAtBlock } from "@coreswap/sdk";
import {
  type Address,
  BlockNotFoundError,
  ContractFunctionExecutionError,
  type Hash,
  type Hex,
  type PublicClient,
} from "viem";
import { iPriceAdapterAbi } from "../../../abis/index.ts";
import { firstLineOf } from "../../../config/errorText.ts";
import type { RwaPrice } from "./store.ts";
import type { IndexedBlock } from "./wanted.ts";

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
 * Reads adapters at the latest block, by its hash and all in one call. An adapter that reverts or returns zero does not
 * affect the others. The node must have the indexed block before and after the reading, because another chain, such as a
 * fork of this one, can have adapters at the same addresses. Its latest block must not be older than the indexed one, as
 * that of one of several nodes behind a URL can be: prices there can be outdated.
 * @throws Error when the node does not have the indexed block, or its latest one is before it; ReplacedBlockError when the
 * chain replaces the latest block meanwhile; viem's errors when the node fails, or does not read contracts at the hash of
 * a block (EIP-1898)
 */
export async function observePrices(
  client: PublicClient,
  wanted: readonly WantedPrice[],
  indexed: IndexedBlock,
): Promise<Observation> {
  await requireBlock(client, indexed);
  const block = await client.getBlock({ blockTag: "latest" });
  if (block.number < indexed.number) {
    throw new Error(`the node's latest block is ${block.number}, before block ${indexed.number}, which was indexed`);
  }
  const results = await readAtBlock(client, block, async (at) => {
    const answers = await client.multicall({
      contracts: wanted.map(({ priceAdapter }) => ({
        abi: iPriceAdapterAbi,
        address: priceAdapter,
        functionName: "getPrice" as const,
      })),
      allowFailure: true,
      ...at,
      // No multicall contract is used, because not every chain has Multicall3.
      deployless: true,
    });
    // A request that fails as a whole is not a failure of an adapter.
    for (const { error } of answers) if (error !== undefined && !isOfAdapter(error)) throw error;
    return answers;
  });
  await requireBlock(client, indexed);
  const prices: Observation["prices"][number][] = [];
  const failures: Observation["failures"][number][] = [];
  for (const [index, asset] of wanted.entries()) {
    const answer = results[index];
    if (answer?.status === "success" && answer.result > 0n) prices.push({ ...asset, priceUsdWad: answer.result });
    else failures.push({ ...asset, reason: answer?.error ? firstLineOf(answer.error) : "the price is zero" });
  }
  return { blockNumber: block.number, blockHash: block.hash, prices, failures };
}

/**
 * Checks that a node has a block of the indexed chain.
 * @throws Error when it has another one or none of this number; viem's errors when it fails
 */
export async function requireBlock(client: PublicClient, { number, hash }: IndexedBlock): Promise<void> {
  const found = await hashOf(client, number);
  if (found === hash) return;
  throw new Error(
    `the node has ${found ?? "no block"} as block ${number}, which was indexed as ${hash}: ` +
      "it is behind, on a fork, or on another chain",
  );
}

/** Returns the hash of the node's block of a number, or null if it has none, as after it went back to a shorter chain. */
export async function hashOf(client: PublicClient, blockNumber: bigint): Promise<Hash | null> {
  try {
    return (await client.getBlock({ blockNumber })).hash;
  } catch (error) {
    if (error instanceof BlockNotFoundError) return null;
    throw error;
  }
}

function isOfAdapter(error: Error): boolean {
  return error instanceof ContractFunctionExecutionError && error.functionName === "getPrice";
}
