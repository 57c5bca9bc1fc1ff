import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { coverageOf } from "../../src/api/shared/state.ts";

const digits = (value: bigint, length: number) => value.toString().padStart(length, "0");
const block = fc.bigInt({ min: 0n, max: 10n ** 16n - 1n });
const backfillOf = (startBlock: bigint, safeCheckpoint: string | null) =>
  coverageOf({ startBlock }, { safeCheckpoint, observation: null }).historicalBackfill;

describe("coverageOf", () => {
  it("reads the block of a checkpoint after which the block has no further events", () => {
    fc.assert(
      fc.property(block, block, (number, startBlock) => {
        const checkpoint = digits(1_790_000_000n, 10) + digits(1n, 16) + digits(number, 16) + "9".repeat(33);
        const through = number >= startBlock ? number : null;
        expect(backfillOf(startBlock, checkpoint)).toEqual({
          startBlock: startBlock.toString(),
          indexedThroughBlock: through?.toString() ?? null,
          nextBlock: (through === null ? startBlock : through + 1n).toString(),
        });
      }),
    );
  });

  it("counts the start block itself", () => {
    const checkpoint = "0".repeat(26) + digits(7n, 16) + "9".repeat(33);
    expect(backfillOf(7n, checkpoint)).toEqual({ startBlock: "7", nextBlock: "8", indexedThroughBlock: "7" });
    expect(backfillOf(8n, checkpoint)).toEqual({ startBlock: "8", nextBlock: "8", indexedThroughBlock: null });
  });

  it("knows nothing before the first checkpoint or in the middle of a block", () => {
    fc.assert(
      fc.property(block, fc.bigInt({ min: 0n, max: 10n ** 33n - 2n }), (number, rest) => {
        const checkpoint = digits(1_790_000_000n, 10) + digits(1n, 16) + digits(number, 16) + digits(rest, 33);
        expect(backfillOf(0n, checkpoint)).toEqual({ startBlock: "0", nextBlock: "0", indexedThroughBlock: null });
      }),
    );
    expect(backfillOf(7n, null)).toEqual({ startBlock: "7", nextBlock: "7", indexedThroughBlock: null });
  });
});
