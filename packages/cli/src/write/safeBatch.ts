/**
 * Files of the Safe Transaction Builder, which an owner of a Safe loads into the app. Format and checksum:
 * https://github.com/safe-global/safe-react-apps/tree/main/apps/tx-builder
 */
import { type Address, keccak256, toHex } from "viem";
import type { Call } from "./plan.ts";

const FORMAT_VERSION = "1.0";
/** The version of the app that writes this format. */
const BUILDER_VERSION = "1.18.2";

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
