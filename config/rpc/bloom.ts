/**
 * Computes the bloom of a block's logs as the yellow paper defines it: three bits of 2048 for each address and each
 * topic.
 */
import { bytesToHex, type Hex, hexToBytes, keccak256 } from "viem";

const BLOOM_BYTES = 256;

/** The bloom of a block without logs. */
export const EMPTY_BLOOM: Hex = `0x${"00".repeat(BLOOM_BYTES)}`;

/** The parts of a log that enter the bloom. */
interface BloomedLog {
  readonly address: Hex;
  readonly topics: readonly Hex[];
}

/** Returns the bloom of a block with exactly these logs. */
export function bloomOfLogs(logs: readonly BloomedLog[]): Hex {
  // A block's logs share most of their addresses and topics, and hashing is the slow part.
  const items = new Set(logs.flatMap(({ address, topics }) => [address, ...topics]));
  const bloom = new Uint8Array(BLOOM_BYTES);
  for (const item of items) {
    for (const { byte, mask } of bloomBits(item)) bloom[byte] = (bloom[byte] ?? 0) | mask;
  }
  return bytesToHex(bloom);
}

/**
 * Returns whether a log with this address or topic may be in the block. Also true for many that are not in the block.
 */
export function isInBloom(bloom: Hex, item: Hex): boolean {
  const bytes = hexToBytes(bloom);
  return bloomBits(item).every(({ byte, mask }) => ((bytes[byte] ?? 0) & mask) !== 0);
}

/** Returns the three bits of an address or topic. */
function bloomBits(item: Hex): { readonly byte: number; readonly mask: number }[] {
  const hash = keccak256(item, "bytes");
  return [0, 2, 4].map((index) => {
    const bit = (((hash[index] ?? 0) << 8) | (hash[index + 1] ?? 0)) % (BLOOM_BYTES * 8);
    return { byte: BLOOM_BYTES - 1 - (bit >> 3), mask: 1 << (bit & 7) };
  });
}
