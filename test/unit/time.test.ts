import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatTime, parseTime, resolveRange } from "../../src/api/formats/time.ts";
import { BadRequest } from "../../src/api/http/errors.ts";
import { timeParameter } from "../../src/api/http/parameters.ts";

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

  it.each([
    "1969-12-31T23:59:59Z",
    "0000-01-01T00:00:00Z",
    "10000-01-01T00:00:00Z",
    "2026-02-29T00:00:00Z",
    "2026-04-31T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-01-01T24:00:00Z",
    "2026-01-01T23:59:60Z",
    "2026-01-01T00:00:00.0Z",
    "2026-01-01T00:00Z",
    "2026-01-01T00:00:00",
    "2026-01-01T00:00:00z",
    "2026-01-01 00:00:00Z",
    "2026-01-01T00:00:00+00:00",
    "2026-01-01",
    "1767225600",
    " 2026-01-01T00:00:00Z",
    "2026-01-01T00:00:00Z\n",
  ])("%j is refused", (text) => {
    expect(timeParameter("a time").safeParse(text).success).toBe(false);
  });
});

describe("resolveRange", () => {
  it("fills in what is missing and keeps what is given", () => {
    fc.assert(
      fc.property(second, fc.bigInt({ min: 1n, max: 365n * DAY }), (to, length) => {
        expect(resolveRange({}, to)).toEqual({ from: to - 30n * DAY, to });
        expect(resolveRange({ to }, 0n)).toEqual({ from: to - 30n * DAY, to });
        expect(resolveRange({ from: to - length }, to)).toEqual({ from: to - length, to });
        expect(resolveRange({ from: to - length, to }, 0n)).toEqual({ from: to - length, to });
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
