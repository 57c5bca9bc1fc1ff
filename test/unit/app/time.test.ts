import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  apiTime,
  durationText,
  localText,
  periodText,
  placeText,
  relativeText,
  secondsOf,
  startOf,
  timeText,
  utcText,
} from "../../../app/src/format/time.ts";

const seconds = fc.integer({ min: 0, max: 253_402_300_799 });

it("apiTime and secondsOf are inverse, for both forms of the API", () => {
  fc.assert(
    fc.property(seconds, (time) => {
      expect(secondsOf(apiTime(time))).toBe(time);
      expect(secondsOf(String(time))).toBe(time);
    }),
  );
});

it("utcText and localText in UTC agree", () => {
  fc.assert(
    fc.property(seconds, (time) => {
      expect(localText(time, "UTC")).toBe(utcText(time));
    }),
  );
});

it("localText names the zone", () => {
  expect(localText(1_769_903_998, "Europe/Berlin")).toBe("2026-02-01 00:59:58 CET");
  expect(localText(1_785_535_200, "Asia/Kolkata")).toBe("2026-08-01 03:30:00 GMT+5:30");
});

it("timeText and periodText give UTC and the local time, and only one when they agree", () => {
  expect(timeText(1_769_903_998, "Europe/Berlin")).toBe("2026-01-31 23:59:58 UTC (2026-02-01 00:59:58 CET)");
  expect(timeText(1_769_903_998, "UTC")).toBe("2026-01-31 23:59:58 UTC");
  const day = secondsOf("2026-11-24T00:00:00Z");
  expect(periodText(day, day + 86_400, "Europe/Berlin")).toBe(
    "2026-11-24 00:00 to 2026-11-25 00:00 UTC (2026-11-24 01:00 to 2026-11-25 01:00 CET)",
  );
  expect(periodText(day, day + 86_400, "UTC")).toBe("2026-11-24 00:00 to 2026-11-25 00:00 UTC");
});

it("periodText names both zones when the clocks change between its bounds", () => {
  const from = secondsOf("2026-10-25T00:00:00Z");
  expect(periodText(from, from + 86_400, "Europe/London")).toBe(
    "2026-10-25 00:00 to 2026-10-26 00:00 UTC (2026-10-25 01:00 BST to 2026-10-26 00:00 GMT)",
  );
});

describe("durationText", () => {
  it.each([
    [0, "0 s"],
    [59, "59 s"],
    [60, "1 min"],
    [725, "12 min 5 s"],
    [3_600, "1 h"],
    [3_605, "1 h"],
    [273_600, "3 d 4 h"],
    [-5, "0 s"],
  ])("%d seconds are %s", (length, text) => {
    expect(durationText(length)).toBe(text);
  });

  it("is rounded down by less than the smaller of the two units", () => {
    const lengths: Record<string, number> = { d: 86_400, h: 3_600, min: 60, s: 1 };
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 ** 9 }), (length) => {
        const parts = [...durationText(length).matchAll(/(\d+) (d|h|min|s)/g)];
        const sum = parts.reduce((total, [, count, unit]) => total + Number(count) * (lengths[unit ?? ""] ?? 0), 0);
        const largest = lengths[parts[0]?.[2] ?? ""] ?? 0;
        expect(sum).toBeLessThanOrEqual(length);
        // Of d and h, an hour may be missing; of min and s, nothing.
        expect(length - sum).toBeLessThan(largest === 86_400 ? 3_600 : largest === 3_600 ? 60 : 1);
      }),
    );
  });
});

it("relativeText says on which side of now a time is", () => {
  expect(relativeText(100, 105)).toBe("5 s ago");
  expect(relativeText(3_700, 100)).toBe("in 1 h");
  expect(relativeText(100, 100)).toBe("0 s ago");
});

it("placeText is as fine as the interval", () => {
  const time = secondsOf("2026-10-29T14:00:00Z");
  expect(placeText(time, "hour")).toBe("29 Oct 14:00");
  expect(placeText(time, "day")).toBe("29 Oct");
  expect(placeText(time, "week")).toBe("29 Oct");
  expect(placeText(time, "month")).toBe("Oct 2026");
});

it("startOf begins with a whole day or hour, and never before the last seconds", () => {
  const start = (lastSeconds: number, now: string) => apiTime(startOf(lastSeconds, secondsOf(now)));
  expect(start(30 * 86_400, "2026-03-31T12:34:56Z")).toBe("2026-03-02T00:00:00Z");
  expect(start(30 * 86_400, "2026-03-31T00:00:00Z")).toBe("2026-03-01T00:00:00Z");
  expect(start(86_400, "2026-03-31T12:34:56Z")).toBe("2026-03-30T13:00:00Z");
});
