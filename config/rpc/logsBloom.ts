/** The bloom filter of a block's logs, as the yellow paper defines it: three bits of 2048 per address and topic. */
import { type Address, bytesToHex, type Hex, keccak256 } from "viem";

const BLOOM_BYTES = 256;

/** The `logsBloom` that the header of a block with exactly these logs has. */
export function logsBloomOf(logs: readonly { readonly address: Address; readonly topics: readonly Hex[] }[]): Hex {
  const bloom = new Uint8Array(BLOOM_BYTES);
  // Most logs of a block share their addresses and topics, and hashing them is what takes time.
  for (const item of new Set(logs.flatMap(({ address, topics }) => [address, ...topics]))) {
    const hash = keccak256(item, "bytes");
    for (const index of [0, 2, 4]) {
      const bit = (((hash[index] ?? 0) << 8) | (hash[index + 1] ?? 0)) & (8 * BLOOM_BYTES - 1);
      const byte = BLOOM_BYTES - 1 - (bit >> 3);
      bloom[byte] = (bloom[byte] ?? 0) | (1 << (bit & 7));
    }
  }
  return bytesToHex(bloom);
}
