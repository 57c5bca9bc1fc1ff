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

/**
 * Reads the chain from its genesis to its current head.
 * @throws Error when the blocks do not link up, because the chain was reorganized meanwhile
 */
export async function readChain(rpcUrl: string): Promise<ChainSnapshot> {
  const client = chainClient(rpcUrl);
  const chainId = await client.getChainId();
  const head = await client.getBlockNumber();
  const blocks = await Promise.all(
    Array.from({ length: Number(head) + 1 }, (_, number) =>
      client.getBlock({ blockNumber: BigInt(number), includeTransactions: true }),
    ),
  );
  for (const [number, block] of blocks.entries()) {
    if (number > 0 && block.parentHash !== blocks[number - 1]?.hash) {
      throw new Error(`chain ${chainId} changed while it was read: block ${number} does not extend the one before`);
    }
  }
  const transactions = await Promise.all(
    blocks.flatMap((block) =>
      block.transactions.map(async (transaction): Promise<ChainTransaction> => {
        const receipt = await client.getTransactionReceipt({ hash: transaction.hash });
        if (receipt.blockHash !== block.hash) {
          throw new Error(`chain ${chainId} changed while it was read: ${transaction.hash} moved`);
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
    ),
  );
  return { chainId, blockHashes: blocks.map((block) => lower(block.hash)), transactions };
}

export function lower<T extends Hex>(value: T): T {
  return value.toLowerCase() as T;
}
