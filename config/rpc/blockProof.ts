/** A block whose parts vouch for each other: its header, transactions, logs and receipts. */
import { type Hash, type Hex, hexToBigInt, hexToNumber, numberToHex } from "viem";
import { z } from "zod";
import { bloomOfLogs } from "./bloom.ts";
import { failureOf, NodeFailure } from "./failures.ts";
import { identityOf, inChainOrder, logsProblem, type RpcLog } from "./logRange.ts";
import type { RpcNetwork } from "./rpcNetwork.ts";
import type { RpcNode } from "./rpcNode.ts";

const hex = z.templateLiteral(["0x", z.string()]);

const transactionSchema = z.looseObject({ hash: hex, transactionIndex: hex });
const headerSchema = z.looseObject({
  number: hex,
  hash: hex,
  parentHash: hex,
  logsBloom: hex,
  gasUsed: hex.optional(),
  transactions: z.array(z.unknown()),
});
const receiptSchema = z.looseObject({ transactionHash: hex, blockHash: hex, logs: z.array(z.unknown()) });

export interface RpcReceipt {
  readonly transactionHash: Hash;
  readonly blockHash: Hash;
  readonly logs: readonly RpcLog[];
}

export interface RpcBlock {
  readonly number: Hex;
  readonly hash: Hash;
  readonly parentHash: Hash;
  readonly logsBloom: Hex;
  readonly transactions: readonly { readonly hash: Hash; readonly transactionIndex: Hex }[];
}

/** All logs and receipts of a block, in order. */
export interface ProvenBlock {
  readonly block: RpcBlock;
  readonly logs: readonly RpcLog[];
  readonly receipts: readonly RpcReceipt[];
}

/**
 * What cannot be right about an answer to `eth_getBlockByNumber` with a number; null when nothing is. Who asks for a
 * block by its number knows that there is one.
 */
export function blockProblem(number: bigint, answer: unknown): string | null {
  if (answer === null) return `there is no block ${number}`;
  const { success, data: block } = headerSchema.safeParse(answer);
  if (!success) return `no block ${number}, but something else`;
  if (hexToBigInt(block.number) !== number) return `block ${hexToBigInt(block.number)} for block ${number}`;
  if (block.transactions.length === 0 && hexToBigInt(block.gasUsed ?? "0x0") > 0n) {
    return `block ${number} without transactions, although gas was used`;
  }
  for (const [index, transaction] of block.transactions.entries()) {
    // A header has only their hashes.
    if (typeof transaction === "string") continue;
    const parsed = transactionSchema.safeParse(transaction);
    if (!parsed.success || hexToNumber(parsed.data.transactionIndex) !== index) {
      return `block ${number} lacks transaction ${index}`;
    }
  }
  return null;
}

/** What speaks against these being all logs and receipts of the block; null when nothing does. */
function proofProblem({ block, logs, receipts }: ProvenBlock): string | null {
  const { transactions } = block;
  const [strange] = logs.filter((log, index) => log.blockHash !== block.hash || Number(log.logIndex) !== index);
  if (strange) return "its logs are not numbered from 0, or of another block";
  if (bloomOfLogs(logs) !== block.logsBloom.toLowerCase()) return `its ${logs.length} logs do not give its bloom`;
  if (receipts.length !== transactions.length) {
    return `it has ${transactions.length} transactions and ${receipts.length} receipts`;
  }
  for (const [index, { transactionHash, blockHash }] of receipts.entries()) {
    if (transactionHash !== transactions[index]?.hash || blockHash !== block.hash)
      return `receipt ${index} is another's`;
  }
  return sameLogs(
    logs,
    receipts.flatMap((receipt) => receipt.logs),
  )
    ? null
    : "its logs and its receipts are not the same";
}

export function sameLogs(one: readonly RpcLog[], other: readonly RpcLog[]): boolean {
  return (
    one.length === other.length && one.every((log, index) => identityOf(log) === identityOf(other[index] as RpcLog))
  );
}

/**
 * Asks the URLs one after the other for everything about a block until the answers of one agree with each other and with
 * the block's bloom. A URL whose answers contradict each other is distrusted once another one's agree.
 * @returns what was wrong with the last URL's answers when none of them agree
 */
export async function proveBlock(network: RpcNetwork, number: bigint): Promise<ProvenBlock | string> {
  const liars: RpcNode[] = [];
  let problem = "";
  for (const node of network.inOrder()) {
    try {
      const proven = await readWholeBlock(node, number);
      const found = proofProblem(proven);
      if (found === null) {
        for (const liar of liars) liar.distrust();
        return proven;
      }
      problem = `${node.label}: ${found}`;
    } catch (error) {
      const failure = error instanceof NodeFailure ? error : failureOf(error, `a request about block ${number}`);
      problem = failure.message;
      if (failure.kind === "unreachable") continue;
    }
    liars.push(node);
  }
  return problem;
}

async function readWholeBlock(node: RpcNode, number: bigint): Promise<ProvenBlock> {
  const block = (await node.ask({
    method: "eth_getBlockByNumber",
    params: [numberToHex(number), true],
    problemOf: (answer) => blockProblem(number, answer),
    confirmsChain: true,
  })) as RpcBlock;
  const logs = await node.ask({
    method: "eth_getLogs",
    params: [{ blockHash: block.hash }],
    problemOf: (answer) => logsProblem({ from: number, to: number }, answer),
  });
  return { block, logs: inChainOrder(logs), receipts: await readReceipts(node, block) };
}

/** One by one where the node does not give those of a block together. */
async function readReceipts(node: RpcNode, { number, hash, transactions }: RpcBlock): Promise<readonly RpcReceipt[]> {
  const block = hexToBigInt(number);
  const together = await node.ask({ method: "eth_getBlockReceipts", params: [hash] }).catch((error: unknown) => {
    if (error instanceof NodeFailure) throw error;
    return null;
  });
  if (receiptsProblem(block, together) === null) return together as readonly RpcReceipt[];
  const receipts: RpcReceipt[] = [];
  for (const transaction of transactions) {
    const receipt = await node.ask({
      method: "eth_getTransactionReceipt",
      params: [transaction.hash],
      problemOf: (answer) => receiptsProblem(block, [answer]),
    });
    receipts.push(receipt as RpcReceipt);
  }
  return receipts;
}

function receiptsProblem(block: bigint, answer: unknown): string | null {
  const { success, data } = z.array(receiptSchema).safeParse(answer);
  if (!success) return `no receipts of block ${block}`;
  return logsProblem(
    { from: block, to: block },
    data.flatMap(({ logs }) => logs),
  );
}
