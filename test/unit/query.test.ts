import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BadRequest } from "../../src/api/http/errors.ts";
import { parseQueryString } from "../../src/api/http/query.ts";

const NAMES = ["network", "limit", "__proto__"];
const value = fc.string({ minLength: 1, unit: "binary" }).filter((text) => text.isWellFormed());
const parameters = fc.uniqueArray(fc.tuple(fc.constantFrom(...NAMES), value), { selector: ([name]) => name });

const escapeAll = (text: string) =>
  [...new TextEncoder().encode(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");

describe("parseQueryString", () => {
  it("gives back what was encoded, however it was escaped", () => {
    fc.assert(
      fc.property(parameters, (entries) => {
        const expected = new Map(entries);
        const usual = new URLSearchParams(entries).toString();
        const escaped = entries.map(([name, text]) => `${escapeAll(name)}=${escapeAll(text)}`).join("&");
        expect(parseQueryString(usual, NAMES)).toEqual(expected);
        expect(parseQueryString(escaped, NAMES)).toEqual(expected);
        expect(parseQueryString(`&${usual}&&`, NAMES)).toEqual(expected);
      }),
    );
  });

  it("gives the values or a BadRequest for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("%", "=", "&", "+", "a", "0", "é", "limit") }), (raw) => {
        try {
          for (const [name, text] of parseQueryString(raw, NAMES)) {
            expect(NAMES).toContain(name);
            expect(text).not.toBe("");
          }
        } catch (error) {
          expect(error).toBeInstanceOf(BadRequest);
        }
      }),
    );
  });

  it.each([
    ["limit=1&limit=1", "limit: accepts one value, given more than once"],
    ["limit=1&lim%69t=2", "limit: accepts one value, given more than once"],
    ["limit", "limit: empty, leave it out or give it a value"],
    ["limit=", "limit: empty, leave it out or give it a value"],
    ["limit=%", "limit: invalid percent-encoding, accepts UTF-8 with %XX escapes"],
    ["limit=%ff", "limit: invalid percent-encoding, accepts UTF-8 with %XX escapes"],
    ["limit=%ed%a0%80", "limit: invalid percent-encoding, accepts UTF-8 with %XX escapes"],
    ["%zz=1", '"%zz": invalid percent-encoding; accepted are network, limit, __proto__'],
    ["Limit=1", '"Limit": unknown parameter; accepted are network, limit, __proto__'],
    ["=1", '"": unknown parameter; accepted are network, limit, __proto__'],
    ["constructor=1", '"constructor": unknown parameter; accepted are network, limit, __proto__'],
  ])("%j is refused: %s", (raw, message) => {
    expect(() => parseQueryString(raw, NAMES)).toThrow(new BadRequest(message));
  });

  it("repeats only the start of a long name", () => {
    expect(() => parseQueryString("x".repeat(10_000), NAMES)).toThrow(/^"x{64}…": unknown/);
  });
});
