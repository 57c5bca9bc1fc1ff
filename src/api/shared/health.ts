/** What is known to be wrong with the rows of a network, by whoever looks, for those that tell of it. */

/** A block that was indexed as final, and that the node has a different one for. */
export interface DeepFork {
  readonly blockNumber: bigint;
  readonly blockHash: string;
  readonly nodeBlockHash: string;
}

/** The last audit of a network: the blocks it went through, both inside, and how it ended. */
export interface LastAudit {
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  /** Seconds since 1970. */
  readonly finishedAt: bigint;
  readonly result: "passed" | "failed";
  /** The first difference of a failed audit. */
  readonly difference: string | null;
}
