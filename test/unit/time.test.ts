import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BadRequest } from "../../src/api/http/errors.ts";
import { timeParameter } from "../../src/api/http/parameters.ts";
import { resolveRange } from "../../src/api/http/range.ts";
import { formatTime, parseTime, timeFault } from "../../src/api/shared/time.ts";

const LAST = 253_402_300_799n; // 9999-12-31T23:59:59Z
const DAY = 86_400n;
const second = fc.bigInt({ min: 0n, max: LAST });

describe("time", () => {
  it("is written and read without loss for every second of 1970 to 9999", () => {
    fc.assert(
      fc.property(second, (at) => {
        const text = formatTime(at);
        expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
        expect(parseTime(text)).toBe(at);
        expect(timeParameter("a time").parse(text)).toBe(at);
      }),
    );
  });

  it("is read in each notation of UTC, with any number of zeros after the second", () => {
    const utc = fc.constantFrom("Z", "+00:00", "-00:00");
    const fraction = fc.nat(9).map((zeros) => (zeros === 0 ? "" : `.${"0".repeat(zeros)}`));
    fc.assert(
      fc.property(second, fraction, utc, (at, zeros, offset) => {
        const text = `${formatTime(at).slice(0, -1)}${zeros}${offset}`;
        expect(timeFault(text)).toBeNull();
        expect(timeParameter("a time").parse(text)).toBe(at);
      }),
    );
  });

  it.each([
    ["1969-12-31T23:59:59Z", "before 1970"],
    ["0000-01-01T00:00:00Z", "before 1970"],
    ["10000-01-01T00:00:00Z", "not in that format"],
    ["2026-02-29T00:00:00Z", "no such date or time of day"],
    ["2026-04-31T00:00:00Z", "no such date or time of day"],
    ["2026-13-01T00:00:00Z", "no such date or time of day"],
    ["2026-01-01T24:00:00Z", "no such date or time of day"],
    ["2026-01-01T23:59:60Z", "no such date or time of day"],
    ["2026-01-01T00:00:00.1Z", "not a whole second"],
    ["2026-01-01T00:00:00.000001+00:00", "not a whole second"],
    ["2026-01-01T00:00:00.Z", "not in that format"],
    ["2026-01-01T00:00:00+01:00", "not in UTC but at +01:00"],
    ["2026-01-01T00:00:00-00:30", "not in UTC but at -00:30"],
    ["2026-01-01T00:00:00 00:00", "a space in place of the offset's +, which a query writes as %2B"],
    ["2026-01-01T00:00:00+0000", "not in that format"],
    ["2026-01-01T00:00Z", "not in that format"],
    ["2026-01-01T00:00:00", "not in that format"],
    ["2026-01-01T00:00:00z", "not in that format"],
    ["2026-01-01 00:00:00Z", "not in that format"],
    ["2026-01-01", "not in that format"],
    ["1767225600", "not in that format"],
    [" 2026-01-01T00:00:00Z", "not in that format"],
    ["2026-01-01T00:00:00Z\n", "not in that format"],
  ])("%j is refused: %s", (text, fault) => {
    expect(timeFault(text)).toBe(fault);
    expect(timeParameter("a time").safeParse(text).error?.issues[0]?.message).toMatch(
      `${fault}, accepts a whole-second UTC time `,
    );
  });
});

describe("resolveRange", () => {
  it("completes missing bounds and keeps those that are given", () => {
    fc.assert(
      fc.property(second, fc.bigInt({ min: 1n, max: 365n * DAY }), (to, length) => {
        expect(resolveRange({}, to).range).toEqual({ from: to - 30n * DAY, to });
        expect(resolveRange({ to }, 0n).range).toEqual({ from: to - 30n * DAY, to });
        expect(resolveRange({ from: to - length }, to).range).toEqual({ from: to - length, to });
        expect(resolveRange({ from: to - length, to }, 0n).range).toEqual({ from: to - length, to });
      }),
    );
  });

  it("refuses empty, reversed and overlong ranges", () => {
    fc.assert(
      fc.property(second, fc.bigInt({ min: 0n, max: LAST }), (to, distance) => {
        expect(() => resolveRange({ from: to + distance, to }, 0n)).toThrow(BadRequest);
        expect(() => resolveRange({ from: to - 365n * DAY - 1n - distance, to }, 0n)).toThrow(BadRequest);
      }),
    );
  });
});
