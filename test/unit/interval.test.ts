import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bucketBounds, INTERVALS } from "../../src/api/http/interval.ts";
import { formatTime, parseTime } from "../../src/api/shared/time.ts";

const boundsOf = (from: string, to: string, interval: (typeof INTERVALS)[number]) =>
  bucketBounds({ from: parseTime(from), to: parseTime(to) }, interval).map(formatTime);

describe("bucketBounds", () => {
  it.each([
    ["hour", "2026-01-31T23:30:00Z", "2026-02-01T01:00:00Z", ["2026-02-01T00:00:00Z"]],
    ["day", "2024-02-28T12:00:00Z", "2024-03-01T00:00:01Z", ["2024-02-29T00:00:00Z", "2024-03-01T00:00:00Z"]],
    // Mondays.
    ["week", "2025-12-28T00:00:00Z", "2026-01-12T00:00:00Z", ["2025-12-29T00:00:00Z", "2026-01-05T00:00:00Z"]],
    ["week", "1970-01-01T00:00:00Z", "1970-01-06T00:00:00Z", ["1970-01-05T00:00:00Z"]],
    ["month", "2025-12-31T23:59:59Z", "2026-03-01T00:00:00Z", ["2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"]],
    ["month", "9999-11-30T00:00:00Z", "9999-12-31T23:59:59Z", ["9999-12-01T00:00:00Z"]],
    ["month", "2026-01-01T00:00:00Z", "2026-01-01T00:00:01Z", []],
  ] as const)("%s of [%s, %s)", (interval, from, to, between) => {
    expect(boundsOf(from, to, interval)).toEqual([from, ...between, to]);
  });

  it("ascend, reach from one end of the range to the other, and cut it at every boundary", () => {
    const lengths = { hour: 3_600n, day: 86_400n, week: 7n * 86_400n, month: 31n * 86_400n };
    const boundary = { hour: /:00:00Z$/, day: /T00:00:00Z$/, week: /T00:00:00Z$/, month: /-01T00:00:00Z$/ };
    const second = fc.bigInt(-30n * 86_400n, parseTime("9999-12-31T23:59:59Z") - 366n * 86_400n);
    fc.assert(
      fc.property(second, fc.bigInt(1n, 365n * 86_400n), fc.constantFrom(...INTERVALS), (from, length, interval) => {
        const bounds = bucketBounds({ from, to: from + length }, interval);
        expect(bounds.at(0)).toBe(from);
        expect(bounds.at(-1)).toBe(from + length);
        const lengthsOfBuckets = bounds.slice(1).map((bound, index) => bound - (bounds[index] ?? bound));
        expect(lengthsOfBuckets.filter((bucket) => bucket <= 0n || bucket > lengths[interval])).toEqual([]);
        const inner = bounds.slice(1, -1).map(formatTime);
        expect(inner.filter((time) => !boundary[interval].test(time))).toEqual([]);
      }),
    );
  });
});
