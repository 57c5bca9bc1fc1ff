/** Ids of events of the stream: block number, start of the block's hash, index in the block, and more that it adds. */
import type { components } from "./schema.ts";

const BLOCK_HASH_START = 16;

/** Stands for the hash in an id that names a block without a transaction. */
const NO_HASH = "0".repeat(BLOCK_HASH_START);

/**
 * An id from which the stream continues after a transaction: block number, start of the block's hash, and index in the
 * block. The ids that the stream gives also name the index that they are from, so prefer them where you have one.
 */
export function eventIdOf({ inclusion }: Pick<components["schemas"]["Transaction"], "inclusion">): string {
  const { blockNumber, blockHash, transactionIndex } = inclusion;
  return `${blockNumber}-${blockHash.slice(2, 2 + BLOCK_HASH_START)}-${transactionIndex}`;
}

/** The transaction that an id names; null for one that names none. */
export function transactionNamedBy(id: string): { readonly eventId: string; readonly blockNumber: bigint } | null {
  const [blockNumber = "", hashStart = "", index = ""] = id.split("-");
  return hashStart === NO_HASH
    ? null
    : { eventId: `${blockNumber}-${hashStart}-${index}`, blockNumber: BigInt(blockNumber) };
}
