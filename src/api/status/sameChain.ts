/** Refuses to continue an index on another chain than the one on which it was begun. */
import type { PublicClient } from "viem";
import type { Database } from "../shared/database.ts";
import type { ApiNetwork } from "../shared/networks.ts";
import { finalNumberOf, stateReader } from "../shared/state.ts";
import { readConfirmedBlock, writeFork } from "./table.ts";

interface SameChainOptions {
  /** The database with the rows and with the table of statuses. */
  readonly database: Database;
  readonly network: ApiNetwork;
  readonly node: PublicClient;
}

/**
 * Compares the newest final block that the previous run recorded with the node's block of that number. Ponder would
 * index the blocks after it, whatever chain they are on. An index without final blocks is new, and not compared.
 * @throws Error that names both blocks when they differ; the network is `forked` from then on
 * @throws viem's errors when the node fails, or does not have the block yet
 */
export async function requireSameChain({ database, network, node }: SameChainOptions): Promise<void> {
  const { safeCheckpoint } = await stateReader(database, network)();
  const confirmed = await readConfirmedBlock(database, network);
  if (finalNumberOf(network, safeCheckpoint) === null || confirmed === null) return;
  const { hash } = await node.getBlock({ blockNumber: confirmed.number });
  if (hash === confirmed.hash) return;
  const reason = `block ${confirmed.number} was indexed as ${confirmed.hash}, the node has ${hash}`;
  await writeFork(database, network, reason);
  throw new Error(
    `${network.name}: ${reason}. Final blocks never change, so the node is on another chain than the index. ` +
      "Use a node of the right chain; if this one is right, index into a new DATABASE_SCHEMA with an empty ponder_sync",
  );
}
