import { describe, expect, it } from "vitest";
import { abridge } from "../../../localnet/demo/showcase.ts";

describe("abridge", () => {
  it("leaves plain text unchanged", () => {
    expect(abridge("ok\n")).toBe("ok\n");
  });

  it("cuts lists to their first entry and says how many are left out, at every depth", () => {
    const shown = JSON.parse(abridge(JSON.stringify({ rows: [{ legs: [1, 2, 3] }, {}], one: ["x"], none: [] })));
    expect(shown).toEqual({ rows: [{ legs: [1, "… 2 more"] }, "… 1 more"], one: ["x"], none: [] });
  });

  it("cuts very long answers by lines", () => {
    const wide = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`key${index}`, index]));
    const lines = abridge(JSON.stringify(wide)).split("\n");
    expect(lines).toHaveLength(61);
    expect(lines.at(-1)).toBe("… 42 more lines");
  });
});
