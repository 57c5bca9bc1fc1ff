/** Computes the root of the Merkle Patricia trie with which a header commits to its transactions and its receipts. */
import { bytesToHex, type Hex, numberToBytes } from "viem";
import { keccak } from "./keccak.ts";
import { type Rlp, rlp } from "./rlp.ts";

interface Entry {
  /** Half bytes of the key. */
  readonly path: readonly number[];
  readonly value: Uint8Array;
}

/** Longest node that its parent holds itself, instead of its hash. */
const MAXIMUM_INLINE_BYTES = 31;
const EMPTY = new Uint8Array();

/**
 * Returns the root of the trie that maps the RLP of each index to the value at that index. Source: Ethereum yellow
 * paper, section 4.4.2 and appendix D.
 */
export function merkleRoot(values: readonly Uint8Array[]): Hex {
  if (values.length === 0) return bytesToHex(keccak(rlp(EMPTY)));
  const entries = values.map((value, index) => ({
    path: halfBytes(rlp(index === 0 ? EMPTY : numberToBytes(index))),
    value,
  }));
  entries.sort((a, b) => comparePaths(a.path, b.path));
  return bytesToHex(keccak(rlp(nodeOf(entries, 0))));
}

/** Returns the node above entries that share the half bytes before the depth. They are sorted, and none is a prefix. */
function nodeOf(entries: readonly Entry[], depth: number): Rlp {
  const [first, last] = [entries[0] as Entry, entries.at(-1) as Entry];
  if (first === last) return [compact(first.path.slice(depth), true), first.value];
  let end = depth;
  while (first.path[end] === last.path[end]) end += 1;
  if (end > depth) return [compact(first.path.slice(depth, end), false), referenceTo(nodeOf(entries, end))];
  const children = Array.from({ length: 16 }, (_, halfByte) => {
    const below = entries.filter(({ path }) => path[depth] === halfByte);
    return below.length === 0 ? EMPTY : referenceTo(nodeOf(below, depth + 1));
  });
  return [...children, EMPTY];
}

function referenceTo(node: Rlp): Rlp {
  const encoded = rlp(node);
  return encoded.length > MAXIMUM_INLINE_BYTES ? keccak(encoded) : node;
}

/** Returns the hex prefix encoding of a part of a path. */
function compact(path: readonly number[], isLeaf: boolean): Uint8Array {
  const flag = isLeaf ? 2 : 0;
  const padded = path.length % 2 === 1 ? [flag + 1, ...path] : [flag, 0, ...path];
  return Uint8Array.from({ length: padded.length / 2 }, (_, index) => {
    return ((padded[2 * index] as number) << 4) | (padded[2 * index + 1] as number);
  });
}

function halfBytes(bytes: Uint8Array): number[] {
  return [...bytes].flatMap((byte) => [byte >> 4, byte & 15]);
}

function comparePaths(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((halfByte, place) => halfByte !== b[place]);
  return index < 0 ? 0 : (a[index] as number) - (b[index] ?? -1);
}
