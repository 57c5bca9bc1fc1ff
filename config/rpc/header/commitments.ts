/** Compares answers about a block with its hash, which commits to its header, its transactions and its receipts. */
import { bytesToHex, type Hex } from "viem";
import { type Answer, encodeHeader, encodeReceipt, encodeTransaction, HEADER_FIELDS } from "./encoding.ts";
import { keccak, merkleRoot } from "./merkleRoot.ts";

/** Fields that nodes add to a header. */
const ADDED_FIELDS = new Set(["hash", "size", "totalDifficulty", "transactions", "uncles", "withdrawals"]);

/**
 * Returns what is wrong with a block, or null if its hash proves it. Also null if it cannot be compared, because a later
 * fork gave the header, or a transaction, a form that is not known here. Transactions are compared unless the block
 * only has their hashes.
 */
export function blockMismatch(block: Answer): string | null {
  const problem = headerMismatch(block);
  if (problem !== null || isOfLaterFork(block)) return problem;
  const transactions = block.transactions as readonly (Answer | string)[];
  const whole = transactions.filter((transaction) => typeof transaction !== "string");
  if (whole.length < transactions.length) return null;
  return isRoot(rootOf(whole, encodeTransaction), block.transactionsRoot)
    ? null
    : "its transactions differ from the transactions root of its header";
}

/** Returns what is wrong with all receipts of a block. Null under the conditions of `blockMismatch`. */
export function receiptsMismatch(block: Answer, receipts: readonly Answer[]): string | null {
  const problem = headerMismatch(block);
  if (problem !== null || isOfLaterFork(block)) return problem;
  return isRoot(rootOf(receipts, encodeReceipt), block.receiptsRoot)
    ? null
    : "its receipts differ from the receipts root of its header";
}

function headerMismatch(block: Answer): string | null {
  const isProven = isRoot(bytesToHex(keccak(encodeHeader(block))), block.hash);
  return isProven || isOfLaterFork(block) ? null : "its header does not have its hash";
}

function isOfLaterFork(block: Answer): boolean {
  return Object.keys(block).some((name) => !HEADER_FIELDS.has(name) && !ADDED_FIELDS.has(name));
}

function rootOf(answers: readonly Answer[], encode: (answer: Answer) => Uint8Array | null): Hex | null {
  const encoded = answers.map(encode).filter((value) => value !== null);
  return encoded.length < answers.length ? null : merkleRoot(encoded);
}

/** Returns whether a computed root, or null if it cannot be computed, does not contradict that of a header. */
function isRoot(computed: Hex | null, answered: unknown): boolean {
  return computed === null || computed === String(answered).toLowerCase();
}
