/**
 * Finds forks that are deeper than Ponder repairs. Ponder treats a block as final after a fixed number of further
 * blocks (65 on mainnet) and never checks it again. When the newest final block with rows differs from the node's block
 * of that number, some rows belong to another chain.
 */
import type { PublicClient } from "viem";
import { blockHashOf } from "../shared/blockHash.ts";
import type { Database } from "../shared/database.ts";
import type { DeepFork } from "../shared/health.ts";
import type { ApiNetwork } from "../shared/networks.ts";
import { finalBlockReader } from "./finalBlock.ts";

/** A network with the two views of it that are compared. */
interface ForkWatchOptions {
  readonly database: Database;
  readonly network: ApiNetwork;
  /** Clients of one URL each. */
  readonly nodes: readonly PublicClient[];
}

/** Creates the watch of one network. The caller decides when it compares. */
export function createForkWatch({ database, network, nodes }: ForkWatchOptions) {
  const readFinalBlock = finalBlockReader(database, network);
  let found: DeepFork | null = null;
  let comparedIndexId: string | null = null;
  return {
    network,
    /** Result of the last comparison. Null when the blocks were equal, or there was no comparison yet. */
    current: () => found,
    /**
     * Compares the newest final block that has rows. What was found of another index is forgotten.
     * @throws when the database fails, or no node has the block; the previous result is then kept
     */
    async compare(): Promise<DeepFork | null> {
      const { indexId, block } = await readFinalBlock();
      if (indexId !== comparedIndexId) found = null;
      comparedIndexId = indexId;
      if (block === null) return found;
      const hash = await blockHashOf(nodes, block.blockNumber);
      found = hash === block.blockHash ? null : { ...block, nodeBlockHash: hash };
      return found;
    },
  };
}

/** The watch of one network. */
export type ForkWatch = ReturnType<typeof createForkWatch>;
