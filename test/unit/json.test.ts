import fc from "fast-check";
import { expect, it } from "vitest";
import { JsonText, stringifyJson } from "../../src/api/http/json.ts";

const properties = fc.array(fc.tuple(fc.string(), fc.jsonValue(), fc.boolean()), { maxLength: 8 });

it("reads back as the object whose values were given as values or as texts", () => {
  fc.assert(
    fc.property(properties, (entries) => {
      const whole = Object.fromEntries(entries.map(([name, value]) => [name, value]));
      const asText = new Map(entries.map(([name, , isText]) => [name, isText]));
      const mixed = Object.fromEntries(
        Object.entries(whole).map(([name, value]) => [
          name,
          asText.get(name) ? new JsonText(JSON.stringify(value)) : value,
        ]),
      );
      expect(stringifyJson(mixed)).toBe(JSON.stringify(whole));
    }),
  );
});

it("leaves out what is undefined, as JSON.stringify does", () => {
  expect(stringifyJson({ a: undefined, b: new JsonText("[1,2]"), c: { d: undefined } })).toBe('{"b":[1,2],"c":{}}');
});
