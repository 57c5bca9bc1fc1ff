import { toRlp } from "viem";

/** A value as RLP takes it. */
export type Rlp = Uint8Array | readonly Rlp[];

/** Encodes a value with RLP. */
export function rlp(value: Rlp): Uint8Array {
  // viem only declares its array as mutable.
  return toRlp(value as Parameters<typeof toRlp>[0], "bytes");
}
