/** Reads of contracts that all see one block. */
import { BaseError, type Client, type Hash } from "viem";
import { getBlock } from "viem/actions";

/** Options of a read at the block of a hash (EIP-1898). */
export interface AtBlock {
  readonly blockHash: Hash;
  readonly requireCanonical: true;
}

/**
 * Most bytes of calls in one request. With their encoding and the code that makes the calls, a request stays below the
 * 49,152 bytes of creation code that nodes accept.
 */
const REQUEST_BYTES = 4_096;

/**
 * Options of viem's `multicall` for views that must all succeed at one block. No Multicall contract is used, because not
 * every chain has Multicall3.
 */
export function multicallAt(at: AtBlock) {
  return { ...at, allowFailure: false, deployless: true, batchSize: REQUEST_BYTES } as const;
}

/** The block was replaced while contracts were read. */
export class ReplacedBlockError extends Error {
  override readonly name = "ReplacedBlockError";

  constructor(blockNumber: bigint, options?: ErrorOptions) {
    super(`block ${blockNumber} was replaced while contracts were read at it`, options);
  }
}

/**
 * Reads contracts at a block by its hash (EIP-1898). A number names the blocks of all forks: a client with several URLs
 * could mix them in one result. A node refuses the hash of a block that it does not have, and one without EIP-1898
 * refuses every hash.
 * @param read passes the options on to each of its reads
 * @throws ReplacedBlockError when the node then has another block of this number; otherwise what `read` throws
 */
export async function readAtBlock<Reading>(
  client: Client,
  { number: blockNumber, hash }: { readonly number: bigint; readonly hash: Hash },
  read: (at: AtBlock) => Promise<Reading>,
): Promise<Reading> {
  try {
    return await read({ blockHash: hash, requireCanonical: true });
  } catch (cause) {
    // What the caller concludes from the block's data is no failure to read them.
    if (!(cause instanceof BaseError)) throw cause;
    // The error of a node that does not answer this question either says no more than the first one.
    const hashNow = await getBlock(client, { blockNumber }).then(
      (block) => block.hash,
      () => hash,
    );
    if (hashNow !== hash) throw new ReplacedBlockError(blockNumber, { cause });
    throw cause;
  }
}
