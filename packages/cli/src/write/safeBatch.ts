/**
 * Files of the Safe Transaction Builder, which an owner of a Safe loads into the app. Format and checksum:
 * https://github.com/safe-global/safe-react-apps/tree/main/apps/tx-builder
 */
import { type Address, keccak256, toHex } from "viem";
import type { Call } from "./plan.ts";

const FORMAT_VERSION = "1.0";
/** The version of the app that writes this format. */
const BUILDER_VERSION = "1.18.2";
/** Most gas of a transaction on Ethereum (EIP-7825). */
const MAX_TRANSACTION_GAS = 2n ** 24n;

/**
 * Returns the batch in the format of the Transaction Builder.
 * @param createdAt milliseconds since 1970
 */
export function safeBatch(chainId: number, safe: Address, title: string, calls: readonly Call[], createdAt: number) {
  const file = {
    version: FORMAT_VERSION,
    chainId: String(chainId),
    createdAt,
    meta: {
      name: title,
      description: "",
      txBuilderVersion: BUILDER_VERSION,
      createdFromSafeAddress: safe,
      createdFromOwnerAddress: "",
    },
    transactions: calls.map(({ to, data }) => ({
      to,
      value: "0",
      data,
      contractMethod: null,
      contractInputsValues: null,
    })),
  };
  // The app omits the name from the checksum, so that the name can be changed.
  const checksum = keccak256(toHex(serialized({ ...file, meta: { ...file.meta, name: null } })));
  return { ...file, meta: { ...file.meta, checksum } };
}

/** The app's own serialization, which does not depend on the order of keys. */
function serialized(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(serialized).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const keys = Object.keys(value).sort();
  const members = keys.map((key) => `${serialized((value as Record<string, unknown>)[key])},`);
  return `{${JSON.stringify(keys)}${members.join("")}}`;
}

/**
 * Warns of a batch that needs more gas than one transaction can have: a Safe or a timelock makes all calls in one.
 * @param gasUsed of all calls; null when it is unknown
 */
export function batchGasNote(gasUsed: bigint | null): string | null {
  if (gasUsed === null || gasUsed <= MAX_TRANSACTION_GAS) return null;
  return `together the calls use more gas than the ${MAX_TRANSACTION_GAS} of a transaction on Ethereum: make several batches`;
}
