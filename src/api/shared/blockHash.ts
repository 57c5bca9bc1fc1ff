/** Reads the hash of a block from one of a network's nodes. */
import type { Hash, PublicClient } from "viem";

/**
 * Returns the hash of a block at the first node that has it. A node that is behind answers null, after which viem's
 * fallback of several URLs does not ask the next one.
 * @param nodes clients of one URL each
 * @throws viem's errors of the last node when none has the block
 */
export async function blockHashOf(nodes: readonly PublicClient[], blockNumber: bigint): Promise<Hash> {
  let failure: unknown = new Error("the network has no node");
  for (const node of nodes) {
    try {
      return (await node.getBlock({ blockNumber })).hash;
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}
