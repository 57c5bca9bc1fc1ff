/** A block with everything needed to index it, fetched from one node and verified. */
import { type Hash, MethodNotFoundRpcError } from "viem";
import {
  type BlockAnswer,
  type LogAnswer,
  type ReceiptAnswer,
  readBlock,
  readLogs,
  readReceipt,
  readReceipts,
} from "../answers.ts";
import { EMPTY_BLOOM } from "../bloom.ts";
import { RequestFailed } from "../failures.ts";
import type { IndexedData } from "../indexedData.ts";
import { verifyBlockReceipts, verifyLogs, verifyReceipt, verifyTransactions } from "../verifyBlock.ts";
import type { Node } from "./nodes.ts";

export interface PreparedBlock {
  readonly block: BlockAnswer;
  /** All logs of the block. Null when its bloom excludes every indexed log, so that the logs are never requested. */
  readonly logs: readonly LogAnswer[] | null;
  /** One receipt per transaction. Null when the node cannot return them by block, or none is needed. */
  readonly blockReceipts: readonly ReceiptAnswer[] | null;
  /** Receipts by transaction, at least those of transactions with an indexed call or log. */
  readonly receipts: ReadonlyMap<Hash, ReceiptAnswer>;
}

/**
 * Fetches and verifies one block. Receipts are fetched only when a log or a call is indexed, because the bloom alone
 * matches something in nearly every block of mainnet.
 * @param block the block, if it was already fetched
 * @throws RequestFailed when an answer is missing or has another format
 * @throws Disagreement when the parts of the block do not agree
 */
export async function prepareBlock(
  node: Node,
  hash: Hash,
  indexed: IndexedData,
  block?: BlockAnswer,
): Promise<PreparedBlock> {
  block ??= readBlock(await node.request("eth_getBlockByHash", [hash, true]));
  if (block.hash !== hash) throw new RequestFailed("eth_getBlockByHash returned a different block");
  verifyTransactions(block);
  const called = block.transactions.filter(indexed.hasCall);
  const logs = await fetchLogs(node, block, called.length > 0 || indexed.mayBeIn(block.logsBloom));
  const logged = new Set(logs?.filter(indexed.hasLog).map(({ transactionHash }) => transactionHash));
  const needed = block.transactions.filter(
    (transaction) => called.includes(transaction) || logged.has(transaction.hash),
  );
  if (logs === null || needed.length === 0) return { block, logs, blockReceipts: null, receipts: new Map() };
  const blockReceipts = await fetchBlockReceipts(node, block, logs);
  const receipts = blockReceipts ?? (await Promise.all(needed.map((each) => fetchReceipt(node, block, each, logs))));
  return {
    block,
    logs,
    blockReceipts,
    receipts: new Map(receipts.map((receipt) => [receipt.transactionHash, receipt])),
  };
}

/**
 * Answers a request from a prepared block, so that no node is needed.
 * @returns undefined when the request is not about this block
 * @throws Error when the request is about this block, but the answer was not prepared: any other answer would be
 * unverified
 */
export function answerFrom(
  { block, logs, blockReceipts, receipts }: PreparedBlock,
  { method, params }: { readonly method: string; readonly params?: unknown },
): unknown {
  const [subject] = Array.isArray(params) ? (params as readonly unknown[]) : [];
  switch (method) {
    case "eth_getLogs":
      if (!isLogsOfBlock(subject, block.hash)) return undefined;
      if (logs === null) throw new Error(`the logs of block ${block.hash} were requested, but not prepared`);
      return logs;
    case "eth_getBlockReceipts":
      if (subject !== block.hash) return undefined;
      // Ponder then requests the receipts one by one.
      if (blockReceipts === null) throw new MethodNotFoundRpcError(new Error("not prepared"), { method });
      return blockReceipts;
    case "eth_getTransactionReceipt":
      return receipts.get(subject as Hash);
    default:
      return undefined;
  }
}

function isLogsOfBlock(filter: unknown, hash: Hash): boolean {
  if (typeof filter !== "object" || filter === null) return false;
  return "blockHash" in filter && filter.blockHash === hash && Object.keys(filter).length === 1;
}

async function fetchLogs(node: Node, block: BlockAnswer, wanted: boolean): Promise<readonly LogAnswer[] | null> {
  // Ponder also requests the logs of a block with an empty bloom, because some chains always leave the bloom empty. The
  // chains of this project do not.
  if (block.logsBloom === EMPTY_BLOOM) return [];
  if (!wanted) return null;
  const logs = readLogs(await node.request("eth_getLogs", [{ blockHash: block.hash }]));
  verifyLogs(block, logs);
  return logs;
}

/** Returns null when the node refuses, because not every provider supports the method. */
async function fetchBlockReceipts(
  node: Node,
  block: BlockAnswer,
  logs: readonly LogAnswer[],
): Promise<readonly ReceiptAnswer[] | null> {
  let answer: unknown;
  try {
    answer = await node.request("eth_getBlockReceipts", [block.hash]);
  } catch (error) {
    if (error instanceof RequestFailed && error.refused) return null;
    throw error;
  }
  const receipts = readReceipts(answer);
  verifyBlockReceipts(block, logs, receipts);
  return receipts;
}

async function fetchReceipt(
  node: Node,
  block: BlockAnswer,
  transaction: BlockAnswer["transactions"][number],
  logs: readonly LogAnswer[],
): Promise<ReceiptAnswer> {
  const receipt = readReceipt(await node.request("eth_getTransactionReceipt", [transaction.hash]));
  verifyReceipt(block, transaction, logs, receipt);
  return receipt;
}
