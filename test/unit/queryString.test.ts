import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BadRequest } from "../../src/api/http/errors.ts";
import { parseQueryString } from "../../src/api/http/queryString.ts";

const NAMES = ["network", "limit", "__proto__"];
const parse = (raw: string) => parseQueryString(raw, NAMES, (name) => `accepts a ${name}`);
const value = fc.string({ minLength: 1, unit: "binary" }).filter((text) => text.isWellFormed());
const parameters = fc.uniqueArray(fc.tuple(fc.constantFrom(...NAMES), value), { selector: ([name]) => name });

const escapeAll = (text: string) =>
  [...new TextEncoder().encode(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");

describe("parseQueryString", () => {
  it("returns the encoded values, however they are escaped", () => {
    fc.assert(
      fc.property(parameters, (entries) => {
        const expected = new Map(entries);
        const usual = new URLSearchParams(entries).toString();
        const escaped = entries.map(([name, text]) => `${escapeAll(name)}=${escapeAll(text)}`).join("&");
        expect(parse(usual)).toEqual(expected);
        expect(parse(escaped)).toEqual(expected);
        expect(parse(`&${usual}&&`)).toEqual(expected);
      }),
    );
  });

  it("returns values or throws a BadRequest for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("%", "=", "&", "+", "a", "0", "é", "limit") }), (raw) => {
        try {
          for (const [name, text] of parse(raw)) {
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
    ["limit=1&limit=1", "limit: given more than once, accepts a limit"],
    ["limit=1&lim%69t=2", "limit: given more than once, accepts a limit"],
    ["limit", "limit: empty, accepts a limit"],
    ["limit=", "limit: empty, accepts a limit"],
    ["limit=%", "limit: invalid percent-encoding, accepts a limit"],
    ["limit=%ff", "limit: invalid percent-encoding, accepts a limit"],
    ["limit=%ed%a0%80", "limit: invalid percent-encoding, accepts a limit"],
    ["%zz=1", '"%zz": invalid percent-encoding; accepted are network, limit, __proto__'],
    ["Limit=1", '"Limit": unknown parameter; accepted are network, limit, __proto__'],
    ["=1", '"": unknown parameter; accepted are network, limit, __proto__'],
    ["constructor=1", '"constructor": unknown parameter; accepted are network, limit, __proto__'],
  ])("%j is refused: %s", (raw, message) => {
    expect(() => parse(raw)).toThrow(new BadRequest(message));
  });

  it("repeats only the start of a long name", () => {
    expect(() => parse("x".repeat(10_000))).toThrow(/^"x{64}…": unknown/);
  });
});
