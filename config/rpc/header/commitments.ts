/**
 * Compares answers about a block with its hash, which commits to its header, its transactions and its receipts, and
 * with what follows from them. The hash and the sender of a transaction follow from its signature. They are not compared,
 * because recovering a sender takes long, and because test nodes take transactions without a signature.
 */
import { bytesToHex, isHex } from "viem";
import { logger } from "../../ponderCommon.ts";
import { type Answer, encodeHeader, encodeReceipt, encodeTransaction, HEADER_FIELDS } from "./encoding.ts";
import { keccak, merkleRoot } from "./merkleRoot.ts";

/**
 * Fields that nodes add to a header. Others are learned from blocks that have their hash without them: a wrong block is
 * not taken for one of a later fork because its node has a field of its own. A field that is null may be one of a later
 * fork.
 */
const addedFields = new Set(["hash", "size", "totalDifficulty", "transactions", "uncles", "withdrawals"]);

/** Unknown forms of which the log has a warning. */
const warned = new Set<string>();

/**
 * Returns what is wrong with a block, or null if its hash proves it. Also null if it cannot be compared, because a later
 * fork gave the header, or a transaction, a form that is not known here; the log then has a warning. Transactions are
 * compared unless the block only has their hashes.
 */
export function blockMismatch(block: Answer): string | null {
  if (!hasItsHash(block)) return headerMismatch(block);
  const transactions = block.transactions as readonly (Answer | string)[];
  const whole = transactions.filter((transaction) => typeof transaction !== "string");
  if (whole.length < transactions.length) return null;
  const encoded = encodeAll(whole, encodeTransaction);
  if (encoded === null) return null;
  return merkleRoot(encoded) === block.transactionsRoot
    ? null
    : "its transactions differ from the transactions root of its header";
}

/**
 * Returns what is wrong with all receipts of a block, whose transactions were compared. Null under the conditions of
 * `blockMismatch`.
 */
export function receiptsMismatch(block: Answer, receipts: readonly Answer[]): string | null {
  if (!hasItsHash(block)) return headerMismatch(block);
  const transactions = block.transactions as readonly Answer[];
  const encoded = encodeAll(transactions, (transaction, index) => encodeReceipt(receipts[index] ?? {}, transaction));
  if (encoded === null) return null;
  if (receipts.length !== transactions.length || merkleRoot(encoded) !== block.receiptsRoot) {
    return "its receipts differ from the receipts root of its header";
  }
  let gasBefore = 0n;
  let logIndex = 0;
  for (const [index, receipt] of receipts.entries()) {
    const { transactionHash, gasUsed, cumulativeGasUsed, effectiveGasPrice } = receipt;
    const transaction = transactions[index] ?? {};
    const logs = receipt.logs as readonly Answer[];
    const isRight =
      transactionHash === transaction.hash &&
      amount(gasUsed) === amount(cumulativeGasUsed) - gasBefore &&
      amount(effectiveGasPrice) === gasPriceOf(transaction, amount(block.baseFeePerGas)) &&
      logs.every((log, at) => log.transactionHash === transaction.hash && Number(log.logIndex) === logIndex + at);
    if (!isRight) return `receipt ${index} does not follow from its transaction and from the receipts before it`;
    gasBefore = amount(cumulativeGasUsed);
    logIndex += logs.length;
  }
  return null;
}

function hasItsHash(block: Answer): boolean {
  if (bytesToHex(keccak(encodeHeader(block))) !== block.hash) return false;
  for (const name of unknownFields(block)) if (block[name] != null) addedFields.add(name);
  return true;
}

function unknownFields(block: Answer): string[] {
  return Object.keys(block).filter((name) => !HEADER_FIELDS.has(name) && !addedFields.has(name));
}

/** Returns what is wrong with a header that does not have its hash. */
function headerMismatch(block: Answer): string | null {
  const unknown = unknownFields(block);
  if (unknown.length === 0) return "its header does not have its hash";
  warnOf(`with the header fields ${unknown.join(", ")}`);
  return null;
}

/** The price of a unit of gas. Source: EIP-1559, which left the price of the two older types as it was. */
function gasPriceOf({ type, gasPrice, maxFeePerGas, maxPriorityFeePerGas }: Answer, baseFeePerGas: bigint): bigint {
  if (Number(type ?? 0) < 2) return amount(gasPrice);
  const limit = amount(maxFeePerGas);
  const offered = baseFeePerGas + amount(maxPriorityFeePerGas);
  if (offered < limit) return offered;
  return limit;
}

/** Anything that is not a quantity counts as zero. */
function amount(quantity: unknown): bigint {
  return isHex(quantity) && quantity !== "0x" ? BigInt(quantity) : 0n;
}

/** Returns null if the type of a transaction is not known. */
function encodeAll(
  transactions: readonly Answer[],
  encode: (transaction: Answer, index: number) => Uint8Array | null,
): readonly Uint8Array[] | null {
  const encoded: Uint8Array[] = [];
  for (const [index, transaction] of transactions.entries()) {
    const bytes = encode(transaction, index);
    if (bytes === null) {
      warnOf(`with a transaction of type ${String(transaction.type)}`);
      return null;
    }
    encoded.push(bytes);
  }
  return encoded;
}

/** Says once that blocks of this form are not proven. */
function warnOf(form: string): void {
  if (warned.has(form)) return;
  warned.add(form);
  logger().warn({ msg: `Blocks ${form} cannot be proven by their hash, because this version does not know that form` });
}
