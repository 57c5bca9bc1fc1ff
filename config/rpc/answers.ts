/**
 * The parts of a node's answers about a block that this project reads, or that Ponder stores and no hash proves. Only
 * their format is checked. The other parts are kept unchanged.
 */
import { z } from "zod";
import { NodeFailure } from "./failures.ts";
import { ADDRESS, DATA, HASH, QUANTITY, SMALL_QUANTITY } from "./hex.ts";

function text(form: RegExp) {
  return z.templateLiteral(["0x", z.string()]).refine((value) => form.test(value), `expected ${form}`);
}

const data = text(DATA);
const address = text(ADDRESS);
const hash = text(HASH);
const quantity = text(SMALL_QUANTITY);
const amount = text(QUANTITY);

const transaction = z.looseObject({
  hash,
  blockHash: hash,
  blockNumber: quantity,
  transactionIndex: quantity,
  from: address,
  to: address.nullish(),
  nonce: quantity,
  value: amount,
  input: data,
  type: quantity.optional(),
  gas: amount,
  gasPrice: amount.nullish(),
  maxFeePerGas: amount.nullish(),
  maxPriorityFeePerGas: amount.nullish(),
  v: amount.nullish(),
  r: amount.nullish(),
  s: amount.nullish(),
});

const header = z.looseObject({
  hash,
  parentHash: hash,
  number: quantity,
  timestamp: quantity,
  gasUsed: quantity,
  logsBloom: text(/^0x[0-9a-f]{512}$/),
  size: amount.optional(),
  totalDifficulty: amount.nullish(),
});

const block = header.extend({ transactions: z.array(transaction) });

/** Ponder requests blocks both with whole transactions and with only their hashes. */
const numberedBlock = header.extend({ transactions: z.union([z.array(transaction), z.array(hash)]) });

const log = z.looseObject({
  address,
  topics: z.array(hash),
  data,
  blockHash: hash,
  blockNumber: quantity,
  transactionHash: hash,
  transactionIndex: quantity,
  logIndex: quantity,
});

const receipt = z.looseObject({
  blockHash: hash,
  blockNumber: quantity,
  transactionHash: hash,
  transactionIndex: quantity,
  // Ponder takes any other value for a transaction that did not succeed.
  status: z.enum(["0x0", "0x1"]),
  type: quantity.optional(),
  from: address,
  to: address.nullish(),
  contractAddress: address.nullish(),
  gasUsed: amount,
  cumulativeGasUsed: amount,
  effectiveGasPrice: amount,
  logs: z.array(log),
});

/** A block whose transactions are not checked. */
type HeaderAnswer = z.infer<typeof header>;
/** A block with whole transactions. */
export type BlockAnswer = z.infer<typeof block>;
export type NumberedBlockAnswer = z.infer<typeof numberedBlock>;
export type LogAnswer = z.infer<typeof log>;
export type ReceiptAnswer = z.infer<typeof receipt>;

/**
 * Each of these reads the answer to one method.
 * @throws NodeFailure "damaged" when the answer has another format, "unreachable" when the node does not have the data
 */
export const readHeader = reader("a block", header);
export const readHeaderOrNull = (answer: unknown): HeaderAnswer | null => (answer === null ? null : readHeader(answer));
export const readBlock = reader("a block with transactions", block);
export const readNumberedBlock = reader("a block with transactions or their hashes", numberedBlock);
export const readLogs = reader("logs", z.array(log));
export const readReceipts = reader("receipts", z.array(receipt));
export const readReceipt = reader("a receipt", receipt);

const withoutLogs = z.array(receipt.omit({ logs: true }));

/** Returns what is malformed in a number, or null if nothing is. viem takes "0x" for hex, but cannot convert it. */
export function quantityProblem(answer: unknown): string | null {
  return quantity.safeParse(answer).success ? null : "the answer is not a hex number";
}

/** Returns what is malformed in receipts, apart from their logs. Null if nothing is. */
export function receiptsProblem(answer: unknown): string | null {
  return withoutLogs.safeParse(answer).success ? null : "a receipt is malformed";
}

function reader<T>(what: string, schema: z.ZodType<T>): (answer: unknown) => T {
  return (answer) => {
    // Some nodes leave out the result instead.
    if (answer == null) throw new NodeFailure("unreachable", `the node does not have the requested data: ${what}`);
    const { success, data } = schema.safeParse(answer);
    if (!success) throw new NodeFailure("damaged", `a node's answer is malformed: expected ${what}`);
    return data;
  };
}
