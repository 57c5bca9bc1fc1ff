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
 * Requests the newest block from the URLs of a network in order until one answers.
 * @returns a function that sends the request; it returns null when no URL answers. It reports no reason, because an
 * error of a request may contain a URL and with it a key; the indexer's own requests report the reason.
 */
export function headOf(rpcUrls: readonly string[]): () => Promise<ChainHead | null> {
  const timeout = Math.max(SHORTEST_TIMEOUT_MS, ANSWER_TIMEOUT_MS / rpcUrls.length);
  const client = createPublicClient({ transport: rpcTransport(rpcUrls, timeout) });
  return async () => {
    try {
      const { number, hash, timestamp } = await client.getBlock({ blockTag: "latest" });
      return { blockNumber: number, blockHash: hash, timestamp };
    } catch {
      return null;
    }
  };
}
