/**
 * Compares answers about a block with its hash, which commits to its header, its transactions and its receipts, and
 * with what follows from them.
 */
import { bytesToHex, isHex } from "viem";
import { logger } from "../../ponderCommon.ts";
import {
  type Answer,
  encodeHeader,
  encodeReceipt,
  encodeTransaction,
  HEADER_FIELDS,
  TRANSACTION_TYPES,
  typeOf,
} from "./encoding.ts";
import { keccak } from "./keccak.ts";
import { merkleRoot } from "./merkleRoot.ts";
import { hasOwnHash } from "./signature.ts";
import { unprovenForms } from "./unprovenForms.ts";

/** Fields of a block that do not belong to its header. */
const OTHER_FIELDS: ReadonlySet<string> = new Set([
  "hash",
  "size",
  "totalDifficulty",
  "transactions",
  "uncles",
  "withdrawals",
]);

/** Accepted forms of which the log has a warning. */
const warned = new Set<string>();

/**
 * Returns what is wrong with a block, or null if its hash proves it. A later fork of Ethereum can give the header, or a
 * transaction, a form that this version does not know: such a block is refused, unless `UNPROVEN_FORMS` names the form.
 * Transactions are compared unless the block only has their hashes.
 */
export function blockMismatch(block: Answer): string | null {
  if (!hasItsHash(block)) return headerMismatch(block);
  const transactions = block.transactions as readonly (Answer | string)[];
  const whole = transactions.filter((transaction) => typeof transaction !== "string");
  if (whole.length < transactions.length || merkleRoot(whole.map(encodeTransaction)) === block.transactionsRoot) {
    return null;
  }
  return unlessAccepted("its transactions differ from the transactions root of its header", unknownTypes(whole));
}

/**
 * Returns what is wrong with all receipts of a block, whose transactions were compared. Null under the conditions of
 * `blockMismatch`.
 */
export function receiptsMismatch(block: Answer, receipts: readonly Answer[]): string | null {
  if (!hasItsHash(block)) return headerMismatch(block);
  const transactions = block.transactions as readonly Answer[];
  if (!haveTheirRoot(block, receipts)) {
    return unlessAccepted("its receipts differ from the receipts root of its header", unknownTypes(transactions));
  }
  let gasBefore = 0n;
  let logIndex = 0;
  for (const [index, receipt] of receipts.entries()) {
    const { transactionHash, gasUsed, cumulativeGasUsed, effectiveGasPrice } = receipt;
    const transaction = transactions[index] ?? {};
    const logs = receipt.logs as readonly Answer[];
    const isRight =
      transactionHash === transaction.hash &&
      hasOwnHash(transaction) &&
      amount(gasUsed) === amount(cumulativeGasUsed) - gasBefore &&
      amount(effectiveGasPrice) === gasPriceOf(transaction, amount(block.baseFeePerGas)) &&
      logs.every((log, at) => log.transactionHash === transaction.hash && Number(log.logIndex) === logIndex + at);
    if (!isRight) return `receipt ${index} does not follow from its transaction and from the receipts before it`;
    gasBefore = amount(cumulativeGasUsed);
    logIndex += logs.length;
  }
  return null;
}

/**
 * Returns whether the block's hash proves all its receipts, with the data and the order of their logs. The operator's
 * acceptance of unknown forms does not count here.
 */
export function provesReceipts(block: Answer, receipts: readonly Answer[]): boolean {
  return hasItsHash(block) && haveTheirRoot(block, receipts);
}

function haveTheirRoot(block: Answer, receipts: readonly Answer[]): boolean {
  const transactions = block.transactions as readonly Answer[];
  const encoded = transactions.map((transaction, index) => encodeReceipt(receipts[index] ?? {}, transaction));
  return receipts.length === transactions.length && merkleRoot(encoded) === block.receiptsRoot;
}

function hasItsHash(block: Answer): boolean {
  return bytesToHex(keccak(encodeHeader(block))) === block.hash;
}

function headerMismatch(block: Answer): string | null {
  const unknown = Object.keys(block).filter(
    (name) => block[name] != null && !HEADER_FIELDS.has(name) && !OTHER_FIELDS.has(name),
  );
  return unlessAccepted("its header does not have its hash", unknown);
}

function unknownTypes(transactions: readonly Answer[]): readonly string[] {
  const types = new Set(transactions.map(typeOf));
  return [...types].filter((type) => !TRANSACTION_TYPES.has(type)).map((type) => `0x${type.toString(16)}`);
}

/** Returns a problem, or null if it can be due to an unknown form that the operator accepts. */
function unlessAccepted(problem: string, unknown: readonly string[]): string | null {
  if (unknown.length === 0) return problem;
  const accepted = unknown.find((form) => unprovenForms().has(form));
  if (accepted === undefined)
    return `${problem}; this version does not know ${unknown.join(", ")} (see UNPROVEN_FORMS)`;
  if (!warned.has(accepted)) {
    warned.add(accepted);
    logger().warn({ msg: `Blocks with ${accepted} are accepted without a proof by their hash (UNPROVEN_FORMS)` });
  }
  return null;
}

/** The price of a unit of gas. Source: EIP-1559, which left the price of the two older types as it was. */
function gasPriceOf({ type, gasPrice, maxFeePerGas, maxPriorityFeePerGas }: Answer, baseFeePerGas: bigint): bigint {
  if (Number(type ?? 0) < 2 || maxFeePerGas === undefined) return amount(gasPrice);
  const limit = amount(maxFeePerGas);
  const offered = baseFeePerGas + amount(maxPriorityFeePerGas);
  if (offered < limit) return offered;
  return limit;
}

/** Anything that is not a quantity counts as zero. */
function amount(quantity: unknown): bigint {
  return isHex(quantity) && quantity !== "0x" ? BigInt(quantity) : 0n;
}
