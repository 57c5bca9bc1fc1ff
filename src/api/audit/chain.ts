/** Reads a block with its receipts from a node for the audit, which relies on nothing that the indexer has read. */
import { type Hex, hexToBigInt, numberToHex, type PublicClient } from "viem";
import { type BlockAnswer, type ReceiptAnswer, readHeader } from "../../../config/rpc/answers.ts";
import { requestBlock, requestReceipts } from "../../../config/rpc/blockParts.ts";
import { NodeFailure } from "../../../config/rpc/failures.ts";
import { lowerCase } from "../../../config/rpc/hex.ts";
import { failureOfBlock, verifySenders } from "../../../config/rpc/verifyBlock.ts";
import type { ApiNetwork } from "../shared/networks.ts";

/** A log of a transaction. The address is in lower case. */
export interface AuditLog {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly logIndex: bigint;
}

/** A transaction with its receipt. Addresses are in lower case. */
export interface AuditTransaction {
  readonly hash: Hex;
  readonly transactionIndex: bigint;
  readonly from: Hex;
  readonly to: Hex | null;
  readonly nonce: bigint;
  readonly value: bigint;
  readonly input: Hex;
  readonly receipt: {
    readonly isSuccess: boolean;
    readonly gasUsed: bigint;
    readonly effectiveGasPrice: bigint;
    readonly logs: readonly AuditLog[];
  };
  /** The transaction as the node answered it, with its signature. */
  readonly signed: BlockAnswer["transactions"][number];
}

/** A block with all its transactions and receipts. */
export interface AuditBlock {
  readonly number: bigint;
  readonly hash: Hex;
  readonly timestamp: bigint;
  readonly transactions: readonly AuditTransaction[];
}

/** A node and the pace of requests to it. */
export interface AuditNode {
  readonly client: PublicClient;
  /** Settles when the next request may be sent. */
  readonly pace: () => Promise<void>;
}

/**
 * Reads a block by number with its receipts. The hash of the block proves its transactions and its receipts.
 * @throws NodeFailure when the node does not answer, or its answers differ from the hash of the block
 */
export async function readBlock(node: AuditNode, number: bigint): Promise<AuditBlock> {
  return orNodeFailure(`block ${number}`, async () => {
    const send = (method: string, params: readonly unknown[]) => request(node, method, params);
    const block = await requestBlock(send, number);
    const receipts = await requestReceipts(send, block, null);
    return {
      number,
      hash: block.hash,
      timestamp: hexToBigInt(block.timestamp),
      transactions: block.transactions.map((item, index) => auditTransaction(item, receipts[index] as ReceiptAnswer)),
    };
  });
}

/**
 * Checks the senders of some transactions of a block, by their hashes.
 * @throws NodeFailure when one did not sign its transaction
 */
export function requireSenders({ number, transactions }: AuditBlock, hashes: readonly string[]): Promise<void> {
  const signed = transactions.filter(({ hash }) => hashes.includes(hash)).map((transaction) => transaction.signed);
  return orNodeFailure(`block ${number}`, () => verifySenders(signed));
}

/**
 * Checks that a node serves a chain. A URL can start to serve another one at any time.
 * @throws NodeFailure when the node serves another chain or does not answer
 */
export async function requireChain(node: AuditNode, { chainId }: Pick<ApiNetwork, "chainId">): Promise<void> {
  const found = await orNodeFailure("the chain", () => request(node, "eth_chainId", []));
  if (Number(found) !== chainId) throw new NodeFailure("damaged", `the node does not serve chain ${chainId}`);
}

/**
 * Reads the hash of a block.
 * @throws NodeFailure when the node does not answer
 */
export async function readHash(node: AuditNode, number: bigint): Promise<Hex> {
  const header = await orNodeFailure(`block ${number}`, async () =>
    readHeader(await request(node, "eth_getBlockByNumber", [numberToHex(number), false])),
  );
  if (hexToBigInt(header.number) !== number) throw new NodeFailure("damaged", `the node has no block ${number}`);
  return header.hash;
}

function auditTransaction(
  signed: BlockAnswer["transactions"][number],
  { status, gasUsed, effectiveGasPrice, logs }: ReceiptAnswer,
): AuditTransaction {
  const { hash, transactionIndex, from, to, nonce, value, input } = signed;
  return {
    hash,
    transactionIndex: hexToBigInt(transactionIndex),
    from: lowerCase(from),
    to: to ? lowerCase(to) : null,
    nonce: hexToBigInt(nonce),
    value: hexToBigInt(value),
    input,
    receipt: {
      isSuccess: status === "0x1",
      gasUsed: hexToBigInt(gasUsed),
      effectiveGasPrice: hexToBigInt(effectiveGasPrice),
      logs: logs.map(({ address, topics, data, logIndex }) => ({
        address: lowerCase(address),
        topics,
        data,
        logIndex: hexToBigInt(logIndex),
      })),
    },
    signed,
  };
}

async function request({ client, pace }: AuditNode, method: string, params: readonly unknown[]): Promise<unknown> {
  await pace();
  // The cast is needed because viem's signature knows only the methods of its schema.
  return client.request({ method, params } as never);
}

/** Runs a task, and converts the errors of nodes. */
async function orNodeFailure<T>(subject: string, task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (cause) {
    const { kind, message } = failureOfBlock(cause);
    throw new NodeFailure(kind, `${subject}: ${message}`, cause);
  }
}
