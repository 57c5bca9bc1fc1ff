/** Blocks, both ends inclusive. */
export interface BlockRange {
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
}

/**
 * Cuts a range of blocks into ranges that a node accepts in one request, from the first block on.
 * @throws RangeError when a range would have no blocks
 */
export function* blockRanges({ fromBlock, toBlock }: BlockRange, blocksPerRange: bigint): Generator<BlockRange> {
  if (blocksPerRange <= 0n) throw new RangeError(`a range of ${blocksPerRange} blocks, expected at least 1`);
  for (let first = fromBlock; first <= toBlock; first += blocksPerRange) {
    const last = first + blocksPerRange - 1n;
    yield { fromBlock: first, toBlock: last < toBlock ? last : toBlock };
  }
}
