/** Reads Ponder's checkpoints. */
import type { ApiNetwork } from "./networks.ts";

interface CheckpointBlock {
  readonly blockNumber: bigint;
  /** Seconds since 1970. */
  readonly timestamp: bigint;
}

/**
 * Layout of a checkpoint, 75 digits: time 10, chain 16, block 16, transaction 16, event type 1, event 16. All digits after
 * the block are 9 when everything up to and including that block is indexed.
 */
const WHOLE_BLOCK = /^([0-9]{10})[0-9]{16}([0-9]{16})9{33}$/;

/** Returns the block through which a checkpoint says that everything is indexed, or null if it names none. */
export function blockOfCheckpoint(checkpoint: string | null): CheckpointBlock | null {
  const [, time, number] = WHOLE_BLOCK.exec(checkpoint ?? "") ?? [];
  if (time === undefined || number === undefined) return null;
  return { blockNumber: BigInt(number), timestamp: BigInt(time) };
}

/** Returns the newest final block of an index by Ponder's safe checkpoint, or null before the first. */
export function finalBlockOf(
  { startBlock }: Pick<ApiNetwork, "startBlock">,
  safeCheckpoint: string | null,
): CheckpointBlock | null {
  const block = blockOfCheckpoint(safeCheckpoint);
  return block !== null && block.blockNumber >= startBlock ? block : null;
}
