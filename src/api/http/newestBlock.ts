/** The block at which answers are read from a node. */
import { type ApiNetwork, apiNameOf } from "../shared/networks.ts";
import { coverageOf, type NetworkState } from "../shared/state.ts";
import { Unavailable } from "./errors.ts";

/**
 * The newest block that the index vouches for: that of its newest event, or the last one that is final.
 * @throws Unavailable while nothing is indexed
 */
export function newestIndexedBlock(network: ApiNetwork, state: NetworkState): bigint {
  const { indexedThroughBlock } = coverageOf(network, state).historicalBackfill;
  const blocks = [state.newest?.blockNumber, indexedThroughBlock].flatMap((block) => (block ? [BigInt(block)] : []));
  const newest = blocks.sort((a, b) => (a < b ? 1 : -1)).at(0);
  if (newest === undefined) throw new Unavailable(`nothing of ${apiNameOf(network)} is indexed yet`);
  return newest;
}
