import { describe, expect, it } from "vitest";
import { Random } from "../../../localnet/random.ts";

describe("Random", () => {
  it("is SplitMix64: the published outputs for seed 1234567", () => {
    const random = new Random(1234567n);
    expect(Array.from({ length: 5 }, () => random.next())).toEqual([
      6457827717110365317n,
      3203168211198807973n,
      9817491932198370423n,
      4593380528125082431n,
      16408922859458223821n,
    ]);
  });

  it("draws every value of a range, both ends included, and nothing else", () => {
    const random = new Random(7n);
    const drawn = new Set(Array.from({ length: 200 }, () => random.between(-2n, 2n)));
    expect([...drawn].sort((a, b) => Number(a - b))).toEqual([-2n, -1n, 0n, 1n, 2n]);
  });

  it("refuses empty and too large ranges", () => {
    const random = new Random(7n);
    expect(() => random.between(1n, 0n)).toThrow(RangeError);
    expect(() => random.between(0n, 1n << 64n)).toThrow(RangeError);
    expect(() => random.pick([])).toThrow(RangeError);
  });

  it("shuffles without losing or repeating an item", () => {
    const items = Array.from({ length: 50 }, (_, index) => index);
    const shuffled = new Random(3n).shuffled(items);
    expect(shuffled).not.toEqual(items);
    expect(shuffled.toSorted((a, b) => a - b)).toEqual(items);
  });
});
