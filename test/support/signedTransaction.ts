/** Transactions that viem signs, as nodes answer them. */
import { keccak256, numberToHex, parseTransaction, type TransactionSerializable } from "viem";
import type { LocalAccount } from "viem/accounts";
import type { Answer } from "../../config/rpc/header/encoding.ts";

/** Signs a transaction, and returns it with what was signed. Fields of its place in a block are missing. */
export async function signedTransaction(
  account: LocalAccount,
  type: string,
  transaction: TransactionSerializable,
): Promise<Answer> {
  const serialized = await account.signTransaction(transaction);
  const { data, gasPrice, accessList = [], ...parsed } = parseTransaction(serialized) as Record<string, unknown>;
  const fields = inHex({ nonce: 0, value: 0n, ...parsed, gasPrice: gasPrice ?? 30n, accessList }) as object;
  return { ...fields, type, input: data, from: account.address.toLowerCase(), hash: keccak256(serialized) };
}

/** Numbers as JSON-RPC writes them. */
function inHex(value: unknown): unknown {
  if (typeof value === "number" || typeof value === "bigint") return numberToHex(value);
  if (Array.isArray(value)) return value.map(inHex);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, inHex(inner)]));
}
