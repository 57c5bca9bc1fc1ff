/** Requests the parts of a block from one node, and verifies each of them against the block. */
import { BaseError, hexToBigInt, numberToHex } from "viem";
import {
  type BlockAnswer,
  type LogAnswer,
  type ReceiptAnswer,
  readBlock,
  readLogs,
  readReceipt,
  readReceipts,
} from "./answers.ts";
import { inParallel } from "./inParallel.ts";
import { inChainOrder } from "./logRange.ts";
import { Disagreement, provenLogs, verifyBlockReceipts, verifyLogs, verifyTransactions } from "./verifyBlock.ts";

/**
 * Sends a request to one node.
 * @throws NodeFailure when there is no answer
 * @throws Error of viem with which the node refuses the request
 */
export type SendRequest = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** Enough to keep a node busy at the default request rate; when one fails, few others are wasted. */
const RECEIPTS_AT_ONCE = 5;

/**
 * Requests a block with its transactions.
 * @throws the errors of `send`
 * @throws NodeFailure when the answer is missing or has another format
 * @throws Disagreement when the answer is another block, or its hash does not prove it
 */
export async function requestBlock(send: SendRequest, number: bigint): Promise<BlockAnswer> {
  const block = readBlock(await send("eth_getBlockByNumber", [numberToHex(number), true]));
  const found = hexToBigInt(block.number);
  if (found !== number) throw new Disagreement(`the answer is block ${found}`);
  verifyTransactions(block);
  return block;
}

/** All logs of a block in order, and all its receipts if the logs had to be taken from them. */
interface BlockLogs {
  readonly logs: readonly LogAnswer[];
  readonly receipts: readonly ReceiptAnswer[] | null;
}

/**
 * Requests all logs of a block. If the node refuses them, they are taken from the receipts: nodes limit the number of
 * logs in an answer, and anyone can emit more in one block.
 * @throws as `requestBlock`
 */
export async function requestLogs(send: SendRequest, block: BlockAnswer): Promise<BlockLogs> {
  const answer = await unlessRefused(send, "eth_getLogs", { blockHash: block.hash });
  if (answer === null) {
    const receipts = await requestReceipts(send, block, null);
    return { logs: provenLogs(block, receipts), receipts };
  }
  const logs = inChainOrder(readLogs(answer));
  verifyLogs(block, logs);
  return { logs, receipts: null };
}

/**
 * Requests all receipts of a block: one by one if the node does not return those of a whole block, because not every
 * provider supports the method. Of a block without transactions none are requested.
 * @param logs all logs of the block, with which the receipts are compared; null if they were not requested
 * @returns the receipts in the order of the transactions
 * @throws as `requestBlock`
 */
export async function requestReceipts(
  send: SendRequest,
  block: BlockAnswer,
  logs: readonly LogAnswer[] | null,
): Promise<ReceiptAnswer[]> {
  const together = block.transactions.length === 0 ? [] : await unlessRefused(send, "eth_getBlockReceipts", block.hash);
  const receipts = together === null ? await receiptsOneByOne(send, block) : readReceipts(together);
  verifyBlockReceipts(block, logs, receipts);
  return receipts;
}

/** Returns the answer of the node, or null if it refuses. */
async function unlessRefused(send: SendRequest, method: string, parameter: unknown): Promise<unknown> {
  try {
    return await send(method, [parameter]);
  } catch (error) {
    if (error instanceof BaseError) return null;
    throw error;
  }
}

async function receiptsOneByOne(send: SendRequest, { transactions }: BlockAnswer): Promise<ReceiptAnswer[]> {
  const receipts: ReceiptAnswer[] = [];
  await inParallel([...transactions.entries()], RECEIPTS_AT_ONCE, async ([index, { hash }]) => {
    receipts[index] = readReceipt(await send("eth_getTransactionReceipt", [hash]));
  });
  return receipts;
}
