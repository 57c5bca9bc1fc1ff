/** Requests the newest block of a chain separately from the indexer, which may be the part that hangs. */
import { createPublicClient, type Hash } from "viem";
import { rpcTransport } from "../../../config/rpcTransport.ts";

/** The newest block of a node. */
export interface ChainHead {
  readonly blockNumber: bigint;
  readonly blockHash: Hash;
  /** Block timestamp, seconds since 1970. */
  readonly timestamp: bigint;
}

/** Total time for all URLs. Each gets at least a second, so a long list may take longer. */
const ANSWER_TIMEOUT_MS = 4_000;
const SHORTEST_TIMEOUT_MS = 1_000;

/**
 * Requests the newest block.
 * @param isForeign whether a head is certainly of another chain
 * @returns null when no URL answers with a head of the chain. It reports no reason, because an error of a request may
 * contain a URL and with it a key; the indexer's own requests report the reason.
 */
export type HeadReader = (isForeign: (head: ChainHead) => boolean) => Promise<ChainHead | null>;

/** Makes the reader that asks the URLs of a network in order until one answers. */
export function headOf(rpcUrls: readonly string[]): HeadReader {
  // A time limit has to be whole milliseconds.
  const timeout = Math.max(SHORTEST_TIMEOUT_MS, Math.floor(ANSWER_TIMEOUT_MS / rpcUrls.length));
  const readFrom = (urls: readonly string[]) => {
    const client = createPublicClient({ transport: rpcTransport(urls, timeout) });
    return async (): Promise<ChainHead | null> => {
      try {
        const { number, hash, timestamp } = await client.getBlock({ blockTag: "latest" });
        return { blockNumber: number, blockHash: hash, timestamp };
      } catch {
        return null;
      }
    };
  };
  const readAny = readFrom(rpcUrls);
  const readEach = rpcUrls.map((url) => readFrom([url]));
  return async (isForeign) => {
    const head = await readAny();
    if (head === null || !isForeign(head)) return head;
    for (const read of readEach) {
      const other = await read();
      if (other !== null && !isForeign(other)) return other;
    }
    return null;
  };
}
