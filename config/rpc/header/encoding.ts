/**
 * Encodes the headers, transactions and receipts of JSON-RPC answers as a chain does to hash them. A missing or malformed
 * field is encoded as something else, or left out of a header, so that the hash differs.
 */
import { ADDRESS, DATA, QUANTITY } from "../hex.ts";
import { type Rlp, rlp } from "./rlp.ts";

/** An object of an answer. Nodes add fields of their own. */
export type Answer = Readonly<Record<string, unknown>>;

type Field = (answer: Answer) => Rlp;

function data(name: string): Field {
  return (answer) => dataBytes(answer[name]);
}

function address(name: string): Field {
  return (answer) => addressBytes(answer[name]);
}

function quantity(name: string): Field {
  return (answer) => quantityBytes(answer[name]);
}

/** The parity of a signature's y coordinate. Some nodes call it `v` alone. */
const parity: Field = ({ yParity, v }) => quantityBytes(yParity ?? v);
const signature = [quantity("r"), quantity("s")];

const accessList: Field = ({ accessList }) =>
  list(accessList).map(({ address, storageKeys }) => [addressBytes(address), values(storageKeys).map(dataBytes)]);

const authorizationList: Field = ({ authorizationList }) =>
  list(authorizationList).map(
    fieldsOf([quantity("chainId"), address("address"), quantity("nonce"), parity, ...signature]),
  );

const feeMarket = [quantity("chainId"), quantity("nonce"), quantity("maxPriorityFeePerGas"), quantity("maxFeePerGas")];
const call = [quantity("gas"), address("to"), quantity("value"), data("input")];

/** Fields of a transaction by its type. */
const TRANSACTIONS: Readonly<Record<number, readonly Field[]>> = {
  0: [quantity("nonce"), quantity("gasPrice"), ...call, quantity("v"), ...signature],
  // EIP-2930
  1: [quantity("chainId"), quantity("nonce"), quantity("gasPrice"), ...call, accessList, parity, ...signature],
  // EIP-1559
  2: [...feeMarket, ...call, accessList, parity, ...signature],
  // EIP-4844
  3: [
    ...feeMarket,
    ...call,
    accessList,
    quantity("maxFeePerBlobGas"),
    ({ blobVersionedHashes }) => values(blobVersionedHashes).map(dataBytes),
    parity,
    ...signature,
  ],
  // EIP-7702
  4: [...feeMarket, ...call, accessList, authorizationList, parity, ...signature],
};

const RECEIPT: readonly Field[] = [
  quantity("status"),
  quantity("cumulativeGasUsed"),
  data("logsBloom"),
  ({ logs }) =>
    list(logs).map(({ address, topics, data }) => [
      addressBytes(address),
      values(topics).map(dataBytes),
      dataBytes(data),
    ]),
];

/** Fields of a header, in their order. */
const HEADER: Readonly<Record<string, (name: string) => Field>> = {
  parentHash: data,
  sha3Uncles: data,
  miner: address,
  stateRoot: data,
  transactionsRoot: data,
  receiptsRoot: data,
  logsBloom: data,
  difficulty: quantity,
  number: quantity,
  gasLimit: quantity,
  gasUsed: quantity,
  timestamp: quantity,
  extraData: data,
  mixHash: data,
  nonce: data,
  // Forks appended the others: EIP-1559, EIP-4895, twice EIP-4844, EIP-4788, EIP-7685.
  baseFeePerGas: quantity,
  withdrawalsRoot: data,
  blobGasUsed: quantity,
  excessBlobGas: quantity,
  parentBeaconBlockRoot: data,
  requestsHash: data,
};

/** Names of the fields of a header that are known here. */
export const HEADER_FIELDS: ReadonlySet<string> = new Set(Object.keys(HEADER));

/** Types of transactions that are known here. */
export const TRANSACTION_TYPES: ReadonlySet<number> = new Set(Object.keys(TRANSACTIONS).map(Number));

/** Encodes a signed transaction; one of an unknown type without fields, so that the root differs. */
export function encodeTransaction(transaction: Answer): Uint8Array {
  const type = typeOf(transaction);
  return withType(type, fieldsOf(TRANSACTIONS[type] ?? [])(transaction));
}

/** The last fields of a transaction: the parity of the signature's y coordinate, or `v`, `r` and `s`. */
const SIGNATURE_FIELDS = 3;

/**
 * Encodes what was signed of a transaction of a known type. Source: EIP-2718; for the oldest type the yellow paper and
 * EIP-155, by which `v` names a chain, from 35 on.
 */
export function encodeSigned(transaction: Answer): Uint8Array {
  const type = typeOf(transaction);
  const fields = (TRANSACTIONS[type] ?? []).slice(0, -SIGNATURE_FIELDS).map((field) => field(transaction));
  const v = Number(transaction.v);
  const chainId = `0x${Math.floor((v - 35) / 2).toString(16)}`;
  const chain = type === 0 && v >= 35 ? [chainId, "0x0", "0x0"].map(quantityBytes) : [];
  return withType(type, [...fields, ...chain]);
}

/** Encodes the receipt of a transaction, whose type it has. Every type so far has the same fields. */
export function encodeReceipt(receipt: Answer, transaction: Answer): Uint8Array {
  return withType(typeOf(transaction), fieldsOf(RECEIPT)(receipt));
}

/** Encodes the header of a block, with the fields that it has. */
export function encodeHeader(block: Answer): Uint8Array {
  const fields = Object.entries(HEADER).filter(([name]) => block[name] != null);
  return rlp(fields.map(([name, field]) => field(name)(block)));
}

/** EIP-2718: the type precedes the fields, except for the oldest type. */
function withType(type: number, fields: Rlp): Uint8Array {
  const encoded = rlp(fields);
  return type === 0 ? encoded : Buffer.concat([Uint8Array.of(type), encoded]);
}

/** The type of a transaction (EIP-2718). 0 for the oldest, which some nodes leave out. */
export function typeOf({ type }: Answer): number {
  return Number(type ?? 0);
}

function fieldsOf(fields: readonly Field[]): (answer: Answer) => Rlp {
  return (answer) => fields.map((field) => field(answer));
}

function values(answer: unknown): readonly unknown[] {
  return Array.isArray(answer) ? answer : [];
}

/** The objects of an array. Anything else counts as an object without fields. */
function list(answer: unknown): readonly Answer[] {
  return values(answer).map((value) => (typeof value === "object" && value !== null ? (value as Answer) : {}));
}

function dataBytes(value: unknown): Uint8Array {
  return bytesOf(value, DATA, (text) => text.slice(2));
}

function addressBytes(value: unknown): Uint8Array {
  return bytesOf(value, ADDRESS, (text) => text.slice(2));
}

/** Encodes a number without leading zeros. Some nodes write them. */
function quantityBytes(value: unknown): Uint8Array {
  return bytesOf(value, QUANTITY, (text) => {
    const digits = text.replace(/^0x0*/, "");
    return digits.length % 2 === 1 ? `0${digits}` : digits;
  });
}

/**
 * The bytes of a value: none if it is missing, as the recipient of a transaction that creates a contract is. A malformed
 * value is encoded as its own text, which no chain has in its place.
 */
function bytesOf(value: unknown, form: RegExp, digitsOf: (text: string) => string): Uint8Array {
  if (value == null) return new Uint8Array();
  const isRight = typeof value === "string" && form.test(value);
  return isRight ? Buffer.from(digitsOf(value), "hex") : Buffer.from(`malformed: ${String(value)}`);
}
