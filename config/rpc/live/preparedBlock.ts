/** A block with everything needed to index it, fetched from one node and verified. */
import type { Hash } from "viem";
import { type BlockAnswer, type LogAnswer, type ReceiptAnswer, readBlock } from "../answers.ts";
import { requestLogs, requestReceipts, type SendRequest } from "../blockParts.ts";
import { EMPTY_BLOOM } from "../bloom.ts";
import { NodeFailure } from "../failures.ts";
import type { IndexedData } from "../indexedData.ts";
import { verifySenders, verifyTransactions } from "../verifyBlock.ts";
import type { Node } from "./nodes.ts";

export interface PreparedBlock {
  readonly block: BlockAnswer;
  /** All logs of the block. Null when its bloom excludes every indexed log, so that the logs are never requested. */
  readonly logs: readonly LogAnswer[] | null;
  /** One receipt per transaction. Null when no log and no call of the block is indexed. */
  readonly receipts: readonly ReceiptAnswer[] | null;
}

/**
 * Fetches and verifies one block. Receipts are fetched only when a log or a call is indexed, because the bloom alone
 * matches something in nearly every block of mainnet.
 * @param block the block, if it was already fetched
 * @throws NodeFailure when an answer is missing or has another format
 * @throws Error of viem with which the node refuses a request
 * @throws Disagreement when the parts of the block do not agree
 */
export async function prepareBlock(
  node: Node,
  hash: Hash,
  indexed: IndexedData,
  block?: BlockAnswer,
): Promise<PreparedBlock> {
  const send: SendRequest = (method, params) => node.request(method, params);
  block ??= readBlock(await send("eth_getBlockByHash", [hash, true]));
  if (block.hash !== hash) throw new NodeFailure("damaged", "eth_getBlockByHash returned a different block");
  verifyTransactions(block);
  const hasCall = block.transactions.some(indexed.hasCall);
  // Ponder also requests the logs of a block with an empty bloom, because some chains always leave the bloom empty. The
  // chains of this project do not.
  const isEmpty = block.logsBloom === EMPTY_BLOOM;
  if (!isEmpty && !hasCall && !indexed.mayBeIn(block.logsBloom)) return { block, logs: null, receipts: null };
  const { logs, receipts: held } = isEmpty ? { logs: [], receipts: null } : await requestLogs(send, block);
  if (!hasCall && !logs.some(indexed.hasLog)) return { block, logs, receipts: null };
  const receipts = held ?? (await requestReceipts(send, block, logs));
  const withIndexedLog = new Set(logs.filter(indexed.hasLog).map(({ transactionHash }) => transactionHash));
  await verifySenders(block.transactions.filter((item) => indexed.hasCall(item) || withIndexedLog.has(item.hash)));
  return { block, logs, receipts };
}

/**
 * Answers a request from a prepared block, so that no node is needed.
 * @returns undefined when the request is not about this block
 * @throws Error when the request is about this block, but the answer was not prepared: any other answer would be
 * unverified
 */
export function answerFrom(
  { block, logs, receipts }: PreparedBlock,
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
      if (receipts === null) throw new Error(`the receipts of block ${block.hash} were requested, but not prepared`);
      return receipts;
    default:
      return undefined;
  }
}

function isLogsOfBlock(filter: unknown, hash: Hash): boolean {
  if (typeof filter !== "object" || filter === null) return false;
  return "blockHash" in filter && filter.blockHash === hash && Object.keys(filter).length === 1;
}
