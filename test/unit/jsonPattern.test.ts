import { z } from "@hono/zod-openapi";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonArrayCheck } from "../../src/api/formats/jsonPattern.ts";
import { historyTransaction } from "../../src/api/routes/transactions.schema.ts";
import { madeHistory } from "../api/support/history.ts";

const HISTORY = madeHistory(24);
const isHistory = jsonArrayCheck(historyTransaction);

/** Whether a text reads as a history whose properties stand in order, without white space. */
function isHistoryByParsing(text: string): boolean {
  try {
    return JSON.stringify(z.array(historyTransaction).parse(JSON.parse(text))) === text;
  } catch {
    return false; // No JSON, or no history.
  }
}

describe("jsonArrayCheck", () => {
  it("accepts arrays of any length", () => {
    for (const length of [0, 1, 2, HISTORY.length]) {
      expect(isHistory(JSON.stringify(HISTORY.slice(0, length)))).toBe(true);
    }
  });

  it("judges damaged texts as parsing them does", () => {
    const text = JSON.stringify(HISTORY);
    const character = fc.constantFrom(...'[]{},:"0x1ag \\\n', "null", "");
    const damage = fc.record({
      at: fc.nat(text.length),
      removed: fc.constantFrom(0, 1, 2, 66),
      inserted: fc.array(character, { maxLength: 3 }).map((parts) => parts.join("")),
    });
    let refused = 0;
    fc.assert(
      fc.property(damage, ({ at, removed, inserted }) => {
        const damaged = text.slice(0, at) + inserted + text.slice(at + removed);
        const expected = isHistoryByParsing(damaged);
        if (!expected) refused++;
        expect(isHistory(damaged)).toBe(expected);
      }),
      { numRuns: 2_000 },
    );
    expect(refused).toBeGreaterThan(100);
  });

  it.each(["", "[", "]", "[,]", "[]]", "[[]]", "null", '["a","b",]', '["a" ,"b"]', '["a""b"]', '["a","c"]', '["a"'])(
    "refuses %s",
    (text) => {
      expect(jsonArrayCheck(z.enum(["a", "b"]))(text)).toBe(false);
    },
  );

  it("takes what a name or literal has of a regular expression as it is", () => {
    const isValid = jsonArrayCheck(z.strictObject({ "a.b": z.literal("(c|d)*"), "": z.literal('"\\') }));
    expect(isValid(JSON.stringify([{ "a.b": "(c|d)*", "": '"\\' }]))).toBe(true);
    expect(isValid(JSON.stringify([{ "a-b": "(c|d)*", "": '"\\' }]))).toBe(false);
    expect(isValid(JSON.stringify([{ "a.b": "c", "": '"\\' }]))).toBe(false);
  });

  it("throws on schemas that it cannot check, so that none goes unchecked", () => {
    const unbounded = z.string();
    const open = z.object({ a: z.literal("b") });
    const optional = z.strictObject({ a: z.literal("b").optional() });
    const unanchored = z.string().regex(/a/);
    for (const schema of [unbounded, open, optional, unanchored, z.number()]) {
      expect(() => jsonArrayCheck(schema)).toThrow(z.ZodError);
    }
  });
});
