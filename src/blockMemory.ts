/**
 * What the handlers remember of the block that is being indexed, for each network: the events of a block share transactions, assets
 * and series, and asking the store for each leg costs more than all else about it.
 *
 * Ponder commits and takes back whole blocks, and delivers the events of a block in ascending order. So nothing of a block is
 * stored before its first event, and an event that is not later than the newest one here says that its block is indexed anew.
 */
import type { Hash, Hex } from "viem";
import type { BlockEvent, Context } from "./events.ts";
import type { RegisteredAsset } from "./registry.ts";

/** A transaction of the history, as `transaction` and `transaction_by_filter` have it. */
interface FiledTransaction {
  readonly filterClass: number;
  /** Lower-case, in order of first appearance. */
  readonly wallets: readonly string[];
}

/** A row of `volume_series`. */
export interface SeriesHead {
  readonly seriesId: number;
  readonly legTotal: bigint;
  readonly amountTotal: bigint;
}

export interface BlockMemory {
  readonly blockHash: Hash;
  newestEventId: string;
  /** By id. */
  readonly assets: Map<Hex, RegisteredAsset>;
  /** By transaction index; all that the block put into the history so far. */
  readonly transactions: Map<number, FiledTransaction>;
  /** Those that grew in this block, by LP and asset. */
  readonly series: Map<string, SeriesHead>;
}

/** By chain id: networks may take turns on one thread. */
const memories = new Map<number, BlockMemory>();

/**
 * Begins an event, before anything else is asked of the memory.
 * @returns whether it is the first of its block, as far as any was begun
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

/** The memory of the block whose event was begun last on the network. */
export function blockMemory({ chain }: Context): BlockMemory {
  const memory = memories.get(chain.id);
  if (memory === undefined) throw new Error(`${chain.name}: no event was begun`);
  return memory;
}
