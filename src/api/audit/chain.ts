/** Reads a block with its receipts from a node for the audit, which relies on nothing that the indexer has read. */
import { z } from "@hono/zod-openapi";
import { type Hex, numberToHex, type PublicClient } from "viem";
import { blockMismatch, receiptsMismatch } from "../../../config/rpc/header/commitments.ts";
import type { Answer } from "../../../config/rpc/header/encoding.ts";
import { hasOwnSender } from "../../../config/rpc/header/signature.ts";
import { QUANTITY } from "../../../config/rpc/hex.ts";
import type { ApiNetwork } from "../shared/networks.ts";

const hex = z.templateLiteral(["0x", z.string()]);
const lowerHex = hex.transform((value) => value.toLowerCase() as Hex);
const quantity = hex.refine((value) => QUANTITY.test(value)).transform(BigInt);

const log = z.object({
  address: lowerHex,
  topics: z.array(hex),
  data: hex,
  logIndex: quantity,
});

const receipt = z.object({
  transactionHash: lowerHex,
  blockHash: lowerHex,
  status: quantity,
  gasUsed: quantity,
  effectiveGasPrice: quantity,
  logs: z.array(log),
});

const transaction = z.object({
  hash: lowerHex,
  transactionIndex: quantity,
  from: lowerHex,
  to: lowerHex.nullable().default(null),
  nonce: quantity,
  value: quantity,
  input: lowerHex,
});

const block = z.object({
  number: quantity,
  hash: lowerHex,
  timestamp: quantity,
  transactions: z.array(transaction),
});

type Receipt = z.output<typeof receipt>;

/** A log of a transaction. */
export type AuditLog = z.output<typeof log>;

/** A transaction with its receipt. */
export type AuditTransaction = z.output<typeof transaction> & {
  readonly receipt: Receipt;
  /** The transaction as the node answered it, with its signature. */
  readonly signed: Answer;
};

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

/** The node did not answer, or its answers differ from the hash of the block, so nothing is known about the block. */
export class AuditNodeFailure extends Error {}

/**
 * Reads a block by number and its receipts by hash, in one request where the node supports it, and otherwise one by
 * one. The hash of the block proves its transactions and its receipts.
 * @throws AuditNodeFailure when the node does not answer, or its answers differ from the hash of the block
 */
export async function readBlock(node: AuditNode, number: bigint): Promise<AuditBlock> {
  const answer = (await ask(node, "eth_getBlockByNumber", [numberToHex(number), true])) as Answer;
  const found = block.safeParse(answer);
  if (!found.success || found.data.number !== number)
    throw new AuditNodeFailure(`the node has no complete block ${number}`);
  const { hash, timestamp, transactions } = found.data;
  const receiptAnswers = await readReceipts(node, found.data);
  const receipts = z.array(receipt).safeParse(receiptAnswers);
  if (!receipts.success || receipts.data.length !== transactions.length) {
    throw new AuditNodeFailure(`the node does not have all receipts of block ${number}`);
  }
  const mismatch = blockMismatch(answer) ?? receiptsMismatch(answer, receiptAnswers as readonly Answer[]);
  if (mismatch !== null) throw new AuditNodeFailure(`the node's answer about block ${number} is wrong: ${mismatch}`);
  return {
    number,
    hash,
    timestamp,
    transactions: transactions.map((item, index) => {
      const own = receipts.data[index];
      if (own?.transactionHash !== item.hash || own.blockHash !== hash || item.transactionIndex !== BigInt(index)) {
        throw new AuditNodeFailure(`the receipts of block ${number} do not match its transactions`);
      }
      return { ...item, receipt: own, signed: (answer.transactions as readonly Answer[])[index] ?? {} };
    }),
  };
}

/**
 * Checks the senders of some transactions of a block, by their hashes.
 * @throws AuditNodeFailure when one did not sign its transaction
 */
export async function requireSenders({ number, transactions }: AuditBlock, hashes: readonly string[]): Promise<void> {
  for (const { hash, signed } of transactions) {
    if (hashes.includes(hash) && !(await hasOwnSender(signed)))
      throw new AuditNodeFailure(`the node names a sender in block ${number} that did not sign transaction ${hash}`);
  }
}

/**
 * Checks that a node serves a chain. A URL can start to serve another one at any time.
 * @throws AuditNodeFailure when the node serves another chain or does not answer
 */
export async function requireChain(node: AuditNode, { chainId }: Pick<ApiNetwork, "chainId">): Promise<void> {
  const found = quantity.safeParse(await ask(node, "eth_chainId", []));
  if (found.data !== BigInt(chainId)) throw new AuditNodeFailure(`the node does not serve chain ${chainId}`);
}

/**
 * Reads the hash of a block.
 * @throws AuditNodeFailure when the node does not answer
 */
export async function readHash(node: AuditNode, number: bigint): Promise<Hex> {
  const header = block.pick({ number: true, hash: true });
  const found = header.safeParse(await ask(node, "eth_getBlockByNumber", [numberToHex(number), false]));
  if (!found.success || found.data.number !== number) throw new AuditNodeFailure(`the node has no block ${number}`);
  return found.data.hash;
}

async function readReceipts(
  node: AuditNode,
  { hash, transactions }: z.output<typeof block>,
): Promise<readonly unknown[]> {
  if (transactions.length === 0) return [];
  const together = await ask(node, "eth_getBlockReceipts", [hash]).catch((error: unknown) => {
    if (error instanceof AuditNodeFailure) return null;
    throw error;
  });
  const answers: unknown[] = Array.isArray(together) ? together : [];
  if (answers.length === 0) {
    for (const item of transactions) answers.push(await ask(node, "eth_getTransactionReceipt", [item.hash]));
  }
  return answers;
}

async function ask({ client, pace }: AuditNode, method: string, params: readonly unknown[]): Promise<unknown> {
  await pace();
  try {
    // The audit's own schemas check the answer.
    return await client.request({ method, params } as never);
  } catch (cause) {
    throw new AuditNodeFailure(
      `${method} failed: ${cause instanceof Error ? cause.message.split("\n", 1)[0] : "no answer"}`,
      {
        cause,
      },
    );
  }
}
