/** A block whose parts confirm each other: its header, transactions, logs and receipts, all from one node. */
import type { BlockAnswer, LogAnswer, ReceiptAnswer } from "../answers.ts";
import { requestBlock, requestLogs, requestReceipts, type SendRequest } from "../blockParts.ts";
import { failureOfBlock } from "../verifyBlock.ts";
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
      const proven = await requestWholeBlock(node, number);
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
 * Requests a block with all its parts from one node.
 * @throws Disagreement when the parts of the block do not agree
 * @throws NodeFailure when an answer is missing or has another format
 * @throws Error of viem with which the node refuses a request
 */
async function requestWholeBlock(node: RpcNode, number: bigint): Promise<ProvenBlock> {
  const send: SendRequest = (method, params) => node.request({ method, params });
  const block = await requestBlock(send, number);
  await node.confirmChain();
  const { logs, receipts } = await requestLogs(send, block);
  return { block, logs, receipts: receipts ?? (await requestReceipts(send, block, logs)) };
}
