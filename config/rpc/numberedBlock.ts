/** What cannot be right about a block that was asked for by its number. */
import { hexToBigInt, hexToNumber } from "viem";
import { z } from "zod";

const hex = z.templateLiteral(["0x", z.string()]);

/** Ponder asks for blocks with whole transactions, and with their hashes alone. */
const headerSchema = z.looseObject({
  number: hex,
  hash: hex,
  parentHash: hex,
  logsBloom: hex,
  gasUsed: hex.optional(),
  transactions: z.array(z.union([z.string(), z.looseObject({ hash: hex, transactionIndex: hex })])),
});

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
    if (typeof transaction !== "string" && hexToNumber(transaction.transactionIndex) !== index) {
      return `block ${number} lacks transaction ${index}`;
    }
  }
  return null;
}
