/** A block whose parts confirm each other: its header, transactions, logs and receipts, all from one node. */
import { BaseError, hexToBigInt, numberToHex } from "viem";
import {
  type BlockAnswer,
  type LogAnswer,
  type ReceiptAnswer,
  readBlock,
  readLogs,
  readReceiptsOneByOne,
  receiptsOrNull,
} from "../answers.ts";
import { inChainOrder } from "../logRange.ts";
import { Disagreement, failureOfBlock, verifyBlockReceipts, verifyLogs, verifyTransactions } from "../verifyBlock.ts";
import type { RpcNetwork } from "./rpcNetwork.ts";
import type { RpcNode } from "./rpcNode.ts";

/** All logs and receipts of a block, in order. */
export interface ProvenBlock {
  readonly block: BlockAnswer;
  readonly logs: readonly LogAnswer[];
  readonly receipts: readonly ReceiptAnswer[];
}

/**
 * Requests everything about a block from one URL after another, until one URL's answers agree with each other and with
 * the block's bloom. A URL whose answers contradict each other is distrusted once those of another URL agree.
 * @returns what was wrong with the last URL's answers, when none agree
 */
export async function proveBlock(network: RpcNetwork, number: bigint): Promise<ProvenBlock | string> {
  const wrongNodes: RpcNode[] = [];
  let problem = "";
  for (const node of network.inOrder()) {
    try {
      const proven = await readWholeBlock(node, number);
      for (const wrong of wrongNodes) wrong.distrust();
      return proven;
    } catch (error) {
      const { kind, message } = failureOfBlock(error);
      problem = `${node.label}: ${message}`;
      if (kind === "damaged") wrongNodes.push(node);
    }
  }
  return problem;
}

/**
 * Reads a block with all its parts from one node.
 * @throws Disagreement when the parts of the block do not agree
 * @throws NodeFailure when an answer is missing or has another format
 * @throws Error of viem with which the node refuses a request
 */
async function readWholeBlock(node: RpcNode, number: bigint): Promise<ProvenBlock> {
  const params = [numberToHex(number), true];
  const block = readBlock(await node.ask({ method: "eth_getBlockByNumber", params, confirmsChain: true }));
  if (hexToBigInt(block.number) !== number) throw new Disagreement(`block ${hexToBigInt(block.number)} for ${number}`);
  verifyTransactions(block);
  const logs = inChainOrder(readLogs(await node.ask({ method: "eth_getLogs", params: [{ blockHash: block.hash }] })));
  verifyLogs(block, logs);
  const receipts = await askReceipts(node, block);
  verifyBlockReceipts(block, logs, receipts);
  return { block, logs, receipts };
}

/** Requests receipts one by one if the node cannot return those of a whole block. */
async function askReceipts(node: RpcNode, { hash, transactions }: BlockAnswer): Promise<ReceiptAnswer[]> {
  try {
    const whole = receiptsOrNull(await node.ask({ method: "eth_getBlockReceipts", params: [hash] }));
    if (whole !== null) return whole;
  } catch (error) {
    if (!(error instanceof BaseError)) throw error;
  }
  return readReceiptsOneByOne((method, params) => node.ask({ method, params }), transactions);
}
