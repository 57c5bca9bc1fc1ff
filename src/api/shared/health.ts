/** Known faults in the rows of a network, shared between the checks that find them and the code that reports them. */

/** A block indexed as final for which the node has a different one. */
export interface DeepFork {
  readonly blockNumber: bigint;
  readonly blockHash: string;
  readonly nodeBlockHash: string;
}

/** Names both blocks of a fork. */
export function describeFork({ blockNumber, blockHash, nodeBlockHash }: DeepFork): string {
  return `block ${blockNumber} was indexed as ${blockHash}, the node has ${nodeBlockHash}`;
}

/** The last audit of a network: the blocks it covered, both ends inclusive, and its result. */
export interface LastAudit {
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  /** Seconds since 1970. */
  readonly finishedAt: bigint;
  readonly result: "passed" | "failed";
  /** The first difference of a failed audit. */
  readonly difference: string | null;
}
