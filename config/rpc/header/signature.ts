/**
 * Proves the hash and the sender of a transaction. Both follow from its other fields, which the hash of its block
 * proves. A transaction without a signature, whose `r` and `s` are zero, is not compared: only test nodes accept one.
 * Nor is one of an unknown type.
 */
import { type Address, bytesToHex, type Hex, isAddressEqual, recoverAddress } from "viem";
import { type Answer, encodeSigned, encodeTransaction, TRANSACTION_TYPES, typeOf } from "./encoding.ts";
import { keccak } from "./keccak.ts";

/** Returns whether a transaction has the hash of its fields. */
export function hasOwnHash(transaction: Answer): boolean {
  return !isComparable(transaction) || bytesToHex(keccak(encodeTransaction(transaction))) === transaction.hash;
}

/** Returns whether a transaction has the sender of its signature, which takes some 2 ms. An invalid one has none. */
export async function hasOwnSender(transaction: Answer): Promise<boolean> {
  if (!isComparable(transaction)) return true;
  const { r, s, v, yParity } = transaction as Readonly<Record<string, Hex>>;
  // Typed transactions have the parity itself, EIP-155 adds it to an odd number, and before it was added to 27.
  const parity = typeOf(transaction) === 0 ? (Number(v) + 1) % 2 : Number(yParity ?? v);
  const signature = { r: r ?? "0x", s: s ?? "0x", yParity: parity };
  const sender = await recoverAddress({ hash: keccak(encodeSigned(transaction)), signature }).catch(() => null);
  return sender !== null && isAddressEqual(sender, transaction.from as Address);
}

function isComparable(transaction: Answer): boolean {
  const { r, s } = transaction;
  return TRANSACTION_TYPES.has(typeOf(transaction)) && (Number(r ?? 0) !== 0 || Number(s ?? 0) !== 0);
}
