/** The setting `CALLS_FROM`. */
import { expect, it } from "vitest";
import { callsFromSetting } from "../../config/callsFrom.ts";

it("is blocks unless another source is asked for", () => {
  expect([{}, { CALLS_FROM: "" }, { CALLS_FROM: "blocks" }].map(callsFromSetting)).toEqual([
    "blocks",
    "blocks",
    "blocks",
  ]);
  expect(callsFromSetting({ CALLS_FROM: "traces" })).toBe("traces");
  expect(callsFromSetting({ CALLS_FROM: "auto" })).toBe("auto");
});

it.each(["Auto", "Traces", "trace"])("refuses %s, and names what it accepts", (value) => {
  expect(() => callsFromSetting({ CALLS_FROM: value })).toThrow(
    `CALLS_FROM is "${value}", expected one of auto, blocks, traces`,
  );
});
