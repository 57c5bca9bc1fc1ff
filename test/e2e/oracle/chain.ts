/** Reads a whole chain from its node: every block with its transactions, every receipt with its logs. */
import { type Address, createPublicClient, type Hex, http, type PublicClient } from "viem";

export interface ChainLog {
  readonly address: Address;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly logIndex: number;
}

export interface ChainTransaction {
  readonly hash: Hex;
  readonly blockNumber: bigint;
  readonly blockHash: Hex;
  /** Seconds since 1970. */
  readonly timestamp: bigint;
  readonly transactionIndex: number;
  readonly from: Address;
  /** Null for a contract creation. */
  readonly to: Address | null;
  readonly nonce: number;
  /** Wei. */
  readonly value: bigint;
  readonly input: Hex;
  readonly status: "success" | "reverted";
  readonly gasUsed: bigint;
  /** Wei per unit of gas. */
  readonly effectiveGasPrice: bigint;
  /** Ordered by `logIndex`. */
  readonly logs: readonly ChainLog[];
}

export interface ChainSnapshot {
  readonly chainId: number;
  /** The hash of every block. The position in the list is the block number. */
  readonly blockHashes: readonly Hex[];
  /** Every transaction of the chain in canonical order, with hex in lower case. */
  readonly transactions: readonly ChainTransaction[];
}

/** For an answer to a batch, which takes a node on a busy machine a while. */
const ANSWER_TIMEOUT_MS = 60_000;

export function chainClient(rpcUrl: string): PublicClient {
  const transport = http(rpcUrl, { batch: { batchSize: 100 }, timeout: ANSWER_TIMEOUT_MS });
  return createPublicClient({ transport, cacheTime: 0 });
}

/** A block whose transactions are all known. */
interface ChainBlock {
  readonly hash: Hex;
  readonly parentHash: Hex;
  readonly transactions: readonly ChainTransaction[];
}

/** The blocks that were read from each node. A block never changes; only its place in the chain can be lost. */
const blocksRead = new Map<string, readonly ChainBlock[]>();

/**
 * Reads the chain from its genesis to its current head. Blocks that were read before and are still in the chain are not
 * read again.
 * @throws Error when the blocks do not link up, because the chain was reorganized meanwhile
 */
export async function readChain(rpcUrl: string): Promise<ChainSnapshot> {
  const client = chainClient(rpcUrl);
  const chainId = await client.getChainId();
  const head = Number(await client.getBlockNumber());
  const kept = await stillInChain(client, (blocksRead.get(rpcUrl) ?? []).slice(0, head + 1));
  const added = await Promise.all(
    Array.from({ length: head + 1 - kept.length }, (_, index) => readBlock(client, BigInt(kept.length + index))),
  );
  const blocks = [...kept, ...added];
  for (const [number, block] of blocks.entries()) {
    if (number > 0 && block.parentHash !== blocks[number - 1]?.hash) {
      throw new Error(`chain ${chainId} changed while it was read: block ${number} does not extend the one before`);
    }
  }
  blocksRead.set(rpcUrl, blocks);
  return {
    chainId,
    blockHashes: blocks.map(({ hash }) => hash),
    transactions: blocks.flatMap(({ transactions }) => transactions),
  };
}

/** Returns the blocks that no reorganization has replaced. All blocks before one that is in the chain are in it, too. */
async function stillInChain(client: PublicClient, blocks: readonly ChainBlock[]): Promise<readonly ChainBlock[]> {
  let [low, high] = [0, blocks.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const { hash } = await client.getBlock({ blockNumber: BigInt(middle - 1) });
    if (lower(hash) === blocks[middle - 1]?.hash) low = middle;
    else high = middle - 1;
  }
  return blocks.slice(0, low);
}

async function readBlock(client: PublicClient, blockNumber: bigint): Promise<ChainBlock> {
  const block = await client.getBlock({ blockNumber, includeTransactions: true });
  const transactions = await Promise.all(
    block.transactions.map(async (transaction): Promise<ChainTransaction> => {
      const receipt = await client.getTransactionReceipt({ hash: transaction.hash });
      if (receipt.blockHash !== block.hash) {
        throw new Error(`the chain changed while it was read: ${transaction.hash} moved`);
      }
      return {
        hash: lower(transaction.hash),
        blockNumber: block.number,
        blockHash: lower(block.hash),
        timestamp: block.timestamp,
        transactionIndex: receipt.transactionIndex,
        from: lower(transaction.from),
        to: transaction.to === null ? null : lower(transaction.to),
        nonce: transaction.nonce,
        value: transaction.value,
        input: lower(transaction.input),
        status: receipt.status,
        gasUsed: receipt.gasUsed,
        effectiveGasPrice: receipt.effectiveGasPrice,
        logs: receipt.logs.map((log) => ({
          address: lower(log.address),
          topics: log.topics.map(lower),
          data: lower(log.data),
          logIndex: log.logIndex,
        })),
      };
    }),
  );
  return { hash: lower(block.hash), parentHash: lower(block.parentHash), transactions };
}

export function lower<T extends Hex>(value: T): T {
  return value.toLowerCase() as T;
}
