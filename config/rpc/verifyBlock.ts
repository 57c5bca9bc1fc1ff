/**
 * Checks that the parts of a block from one node agree with each other. Its hash proves its header, its transactions
 * and all its receipts. A header confirms its logs by their bloom and their numbering. Receipts are stored separately
 * from the index that serves `eth_getLogs`, so they reveal gaps in that index.
 */
import { BaseError, hexToBigInt, hexToNumber } from "viem";
import {
  type BlockAnswer,
  type LogAnswer,
  type NumberedBlockAnswer,
  type ReceiptAnswer,
  readLogs,
  readNumberedBlock,
} from "./answers.ts";
import { bloomOfLogs } from "./bloom.ts";
import { failureOf, NodeFailure } from "./failures.ts";
import { blockMismatch, provesReceipts, receiptsMismatch } from "./header/commitments.ts";
import { hasOwnSender } from "./header/signature.ts";
import { inChainOrder, sameLogs } from "./logRange.ts";

/** Answers about a block, or about a range of blocks, that cannot all be right. The message says what differs. */
export class Disagreement extends Error {
  override readonly name = "Disagreement";
}

/**
 * Returns why a node's answers about a block are of no use.
 * @throws the error itself when it is not a node's
 */
export function failureOfBlock(error: unknown): NodeFailure {
  if (error instanceof NodeFailure) return error;
  if (error instanceof Disagreement) return new NodeFailure("damaged", error.message);
  if (error instanceof BaseError) return failureOf(error, "a request for its data");
  throw error;
}

function claim(holds: boolean, otherwise: () => string): void {
  if (!holds) throw new Disagreement(otherwise());
}

function requireNoMismatch(mismatch: string | null): void {
  if (mismatch !== null) throw new Disagreement(mismatch);
}

/** Returns what a check of a node's answer finds wrong, or null if nothing is. */
function problemOf(check: () => void): string | null {
  try {
    check();
    return null;
  } catch (error) {
    return failureOfBlock(error).message;
  }
}

/**
 * Returns what cannot be right in an answer to `eth_getBlockByNumber`, or null if nothing is wrong. Code that requests a
 * block by number knows that it exists.
 * @param number null if the block was requested by a name, such as "latest"
 */
export function blockProblem(number: bigint | null, answer: unknown): string | null {
  const problem = problemOf(() => {
    const block = readNumberedBlock(answer);
    const found = hexToBigInt(block.number);
    claim(number === null || found === number, () => `the answer is block ${found}`);
    verifyTransactions(block);
  });
  return problem && `${number === null ? "the newest block" : `block ${number}`}: ${problem}`;
}

/** Returns what cannot be right in an answer with all logs of a block, in any order, or null if nothing is wrong. */
export function blockLogsProblem(block: BlockAnswer, answer: unknown): string | null {
  return problemOf(() => verifyLogs(block, inChainOrder(readLogs(answer))));
}

/**
 * Checks the header and the transactions of a block. Where only hashes of transactions were requested, the hash of the
 * block proves its header alone.
 * @throws Disagreement unless the transactions belong to the block, and its hash proves them and its header
 */
export function verifyTransactions(block: NumberedBlockAnswer): void {
  const { hash, number, gasUsed, transactions } = block;
  claim(transactions.length > 0 || hexToNumber(gasUsed) === 0, () => "gas was used, but there are no transactions");
  for (const [index, transaction] of transactions.entries()) {
    if (typeof transaction === "string") continue;
    claim(
      transaction.blockHash === hash && transaction.blockNumber === number,
      () => `transaction ${index} belongs to another block`,
    );
    claim(hexToNumber(transaction.transactionIndex) === index, () => `transaction ${index} has a different index`);
  }
  requireNoMismatch(blockMismatch(block));
}

/**
 * Checks the senders of transactions that were verified.
 * @throws Disagreement unless each is the account that signed
 */
export async function verifySenders(transactions: BlockAnswer["transactions"]): Promise<void> {
  for (const transaction of transactions) {
    const isRight = await hasOwnSender(transaction);
    claim(isRight, () => `transaction ${transaction.hash} has a sender that did not sign it`);
  }
}

/**
 * Checks the logs of a block.
 * @throws Disagreement unless these are all logs of the block
 */
export function verifyLogs({ hash, number, logsBloom, transactions }: BlockAnswer, logs: readonly LogAnswer[]): void {
  for (const [index, log] of logs.entries()) {
    claim(log.blockHash === hash && log.blockNumber === number, () => `log ${index} belongs to another block`);
    claim(hexToNumber(log.logIndex) === index, () => `log ${index} has the index ${hexToNumber(log.logIndex)}`);
    claim(
      transactions[hexToNumber(log.transactionIndex)]?.hash === log.transactionHash,
      () => `log ${index} does not belong to a transaction of the block`,
    );
  }
  claim(bloomOfLogs(logs) === logsBloom, () => `the bloom of its ${logs.length} logs differs from that of its header`);
}

/**
 * Checks the receipts of a block.
 * @param logs the logs that `eth_getLogs` returned, or null if they were not requested
 * @throws Disagreement unless there is one receipt per transaction, together they have exactly the logs, and the
 * block's hash proves them
 */
export function verifyBlockReceipts(
  block: BlockAnswer,
  logs: readonly LogAnswer[] | null,
  receipts: readonly ReceiptAnswer[],
): void {
  const { hash, number, transactions } = block;
  claim(
    receipts.length === transactions.length,
    () => `it has ${transactions.length} transactions and ${receipts.length} receipts`,
  );
  for (const [index, receipt] of receipts.entries()) {
    claim(
      receipt.blockHash === hash && receipt.blockNumber === number,
      () => `receipt ${index} belongs to another block`,
    );
    claim(
      receipt.transactionHash === transactions[index]?.hash && hexToNumber(receipt.transactionIndex) === index,
      () => `receipt ${index} belongs to another transaction`,
    );
  }
  if (logs !== null) {
    const held = receipts.flatMap((receipt) => receipt.logs);
    claim(
      held.length === logs.length,
      () => `${held.length} logs in its receipts, but eth_getLogs returned ${logs.length}`,
    );
    claim(sameLogs(logs, held), () => "the logs in its receipts differ from those of eth_getLogs");
  }
  requireNoMismatch(receiptsMismatch(block, receipts));
}

/**
 * Returns the logs in verified receipts of a block. `eth_getLogs` does not confirm them, so the block's hash has to.
 * @throws Disagreement unless it does, and these are all logs of the block
 */
export function provenLogs(block: BlockAnswer, receipts: readonly ReceiptAnswer[]): LogAnswer[] {
  claim(provesReceipts(block, receipts), () => "its hash does not prove the receipts that its logs are taken from");
  const logs = receipts.flatMap((receipt) => receipt.logs);
  verifyLogs(block, logs);
  return logs;
}
