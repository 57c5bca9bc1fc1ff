/**
 * Finds forks deeper than Ponder repairs. Ponder takes a block as final after a fixed number of others (65 on mainnet)
 * and never looks at it again. When the newest final block with rows is not the node's, rows are of another chain.
 */
import type { PublicClient } from "viem";
import type { Database } from "../shared/database.ts";
import type { DeepFork } from "../shared/health.ts";
import type { ApiNetwork } from "../shared/networks.ts";
import { finalBlockReader } from "./finalBlock.ts";

/** A network with the two views of it that are compared. */
export interface ForkWatchOptions {
  readonly database: Database;
  readonly network: ApiNetwork;
  readonly node: PublicClient;
}

/** The watch of one network; the caller decides when it compares. */
export function createForkWatch({ database, network, node }: ForkWatchOptions) {
  const readFinalBlock = finalBlockReader(database, network);
  let found: DeepFork | null = null;
  return {
    network,
    /** What the last comparison found; null when the blocks were the same, or there was none yet. */
    current: () => found,
    /**
     * Compares the newest final block that has rows.
     * @throws when the database or the node fails, or the node lacks the block; what was found before then stays
     */
    async compare(): Promise<DeepFork | null> {
      const indexed = await readFinalBlock();
      if (indexed === null) return found;
      const { hash } = await node.getBlock({ blockNumber: indexed.blockNumber });
      found = hash === indexed.blockHash ? null : { ...indexed, nodeBlockHash: hash };
      return found;
    },
  };
}

/** The watch of one network. */
export type ForkWatch = ReturnType<typeof createForkWatch>;
