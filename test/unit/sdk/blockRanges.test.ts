import { blockRanges } from "@coreswap/sdk";
import { expect, it } from "vitest";

const cut = (fromBlock: bigint, toBlock: bigint, blocksPerRange: bigint) =>
  [...blockRanges({ fromBlock, toBlock }, blocksPerRange)].map((range) => [range.fromBlock, range.toBlock]);

it("cuts blocks into ranges that follow each other, of which only the last is shorter", () => {
  expect(cut(5n, 11n, 3n)).toEqual([
    [5n, 7n],
    [8n, 10n],
    [11n, 11n],
  ]);
  expect(cut(5n, 10n, 3n)).toEqual([
    [5n, 7n],
    [8n, 10n],
  ]);
  expect(cut(5n, 5n, 3n)).toEqual([[5n, 5n]]);
  expect(cut(5n, 4n, 3n)).toEqual([]);
});

it("refuses ranges without blocks, which would never end", () => {
  expect(() => cut(5n, 4n, 0n)).toThrow(RangeError);
});
