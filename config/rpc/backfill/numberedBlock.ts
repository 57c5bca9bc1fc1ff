/** Checks blocks that were requested by number. */
import { hexToBigInt, hexToNumber } from "viem";
import { z } from "zod";
import { blockMismatch } from "../header/commitments.ts";

const hex = z.templateLiteral(["0x", z.string()]);

/** Ponder replaces what is missing in it with zeros. */
const transactionSchema = z.looseObject({ hash: hex, transactionIndex: hex, nonce: hex, value: hex, input: hex });

/** Ponder requests blocks both with whole transactions and with only their hashes. */
const headerSchema = z.looseObject({
  number: hex,
  hash: hex,
  parentHash: hex,
  timestamp: hex,
  logsBloom: hex,
  gasUsed: hex.optional(),
  transactions: z.array(z.union([z.string(), transactionSchema])),
});

/**
 * Returns what cannot be right in an answer to `eth_getBlockByNumber` with a number, or null if nothing is wrong. Code
 * that requests a block by number knows that it exists.
 */
export function blockProblem(number: bigint, answer: unknown): string | null {
  if (answer === null) return `the node has no block ${number}`;
  const { success, data: block } = headerSchema.safeParse(answer);
  if (!success) return `the answer is not a block, expected block ${number}`;
  if (hexToBigInt(block.number) !== number)
    return `the answer is block ${hexToBigInt(block.number)}, expected block ${number}`;
  if (block.transactions.length === 0 && hexToBigInt(block.gasUsed ?? "0x0") > 0n) {
    return `block ${number} has no transactions, although gas was used`;
  }
  for (const [index, transaction] of block.transactions.entries()) {
    if (typeof transaction !== "string" && hexToNumber(transaction.transactionIndex) !== index) {
      return `block ${number} lacks transaction ${index}`;
    }
  }
  const mismatch = blockMismatch(block);
  return mismatch && `block ${number}: ${mismatch}`;
}
