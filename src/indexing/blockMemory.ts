/**
 * What the handlers remember of the block being indexed, for each network. The events of a block share transactions,
 * assets and series, and looking those up for every leg would cost more than all else about it.
 *
 * Ponder commits and rolls back whole blocks, and delivers the events of a block in ascending order. So nothing of a
 * block is stored before its first event. An event that is not later than the newest one remembered means that its
 * block is being indexed again.
 */
import type { Hash, Hex } from "viem";
import type { BlockEvent, Context } from "./events.ts";
import type { FilterTraits } from "./filterClass.ts";
import type { RegisteredAsset } from "./registry.ts";

/** A transaction of the history, as its rows in `transaction` and `transaction_by_filter` have it. */
interface FiledTransaction {
  readonly traits: FilterTraits;
  /** Lower-case, in order of first appearance. */
  readonly wallets: readonly string[];
}

/** How far a volume series goes, as `volume_series` and `volume_total` have it. */
export interface SeriesHead {
  readonly seriesId: number;
  /** Second of its newest leg; null before the first. */
  readonly newestSecond: bigint | null;
  readonly legTotal: bigint;
  readonly amountTotal: bigint;
}

/** What is remembered of one block of one network. */
export interface BlockMemory {
  readonly blockHash: Hash;
  /** Id of the event begun last. */
  newestEventId: string;
  /** By id, as logs spell it: the assets looked up in this block. */
  readonly assets: Map<Hex, RegisteredAsset>;
  /** By transaction index: everything that the block has put into the history so far. */
  readonly transactions: Map<number, FiledTransaction>;
  /** By LP, then by asset: the series that grew in this block. */
  readonly series: Map<string, Map<string, SeriesHead>>;
}

/** By chain id, since networks may take turns on one thread. */
const memories = new Map<number, BlockMemory>();

/**
 * Begins an event. Every handler does this before it asks anything of the memory.
 * @returns true when the memory was reset: a new block, or one being indexed again
 */
export function beginEvent({ chain }: Context, { id, block }: BlockEvent): boolean {
  const memory = memories.get(chain.id);
  if (memory?.blockHash === block.hash && id > memory.newestEventId) {
    memory.newestEventId = id;
    return false;
  }
  memories.set(chain.id, {
    blockHash: block.hash,
    newestEventId: id,
    assets: new Map(),
    transactions: new Map(),
    series: new Map(),
  });
  return true;
}

/**
 * The memory of the block whose event was begun last on the network.
 * @throws Error when no event was begun on it
 */
export function blockMemory({ chain }: Context): BlockMemory {
  const memory = memories.get(chain.id);
  if (memory === undefined) throw new Error(`${chain.name}: no event was begun`);
  return memory;
}
