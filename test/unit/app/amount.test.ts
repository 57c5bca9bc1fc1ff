import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  chartHeight,
  type Decimal,
  exactText,
  grouped,
  parseDecimal,
  percentOfWad,
  ratio,
  share,
  shownDecimal,
  tickText,
  unitsOf,
} from "../../../app/src/format/amount.ts";

const decimal = fc.record({
  units: fc.bigInt({ min: -(2n ** 256n), max: 2n ** 256n }),
  decimals: fc.integer({ min: 0, max: 40 }),
});

/** The same number with 40 decimals, as one integer. */
function scaled(text: string): bigint {
  const { units, decimals } = parseDecimal(text);
  return units * 10n ** BigInt(40 - decimals);
}

describe("unitsOf", () => {
  it("reads what exactText wrote", () => {
    const amount = fc.record({
      units: fc.bigInt({ min: 0n, max: 2n ** 128n }),
      decimals: fc.integer({ min: 0, max: 18 }),
    });
    fc.assert(
      fc.property(amount, ({ units, decimals }) => {
        expect(unitsOf(exactText({ units, decimals }), decimals)).toBe(units);
      }),
    );
  });

  it("refuses a text that is not an amount, and digits that the token does not have", () => {
    for (const text of ["", "-1", "1,000", "1.", ".5", "1e3", "0x10", "1.2.3", " 1"]) {
      expect(() => unitsOf(text, 6), text).toThrow("Enter digits");
    }
    expect(unitsOf("1.500000", 6)).toBe(1_500_000n);
    expect(() => unitsOf("1.0000000", 6)).toThrow("The token has at most 6 digits after the point.");
    expect(() => unitsOf("1.0", 0)).toThrow("The token has no fractions.");
  });

  it("refuses an amount that no contract can take", () => {
    expect(unitsOf(String(2n ** 256n - 1n), 0)).toBe(2n ** 256n - 1n);
    expect(() => unitsOf(String(2n ** 256n), 0)).toThrow("Enter a smaller amount");
    expect(() => unitsOf("9".repeat(72), 6)).toThrow("Enter a smaller amount");
  });
});

describe("ratio", () => {
  it("is cut, never rounded up, whatever the decimals of the tokens", () => {
    const dai = { units: 3n * 10n ** 18n, decimals: 18 };
    expect(ratio({ units: 2_000_000n, decimals: 6 }, dai)).toEqual({ units: 666_666_666_666_666_666n, decimals: 18 });
    expect(ratio(dai, { units: 2_000_000n, decimals: 6 })).toEqual({ units: 15n * 10n ** 17n, decimals: 18 });
    expect(ratio(dai, { units: 0n, decimals: 6 })).toBe(null);
  });
});

describe("share", () => {
  it("is a percentage of exact digits, cut after 16 of them", () => {
    const [part, whole] = ["1.000000", "3.000000"].map(parseDecimal) as [Decimal, Decimal];
    expect(share(part, whole)).toEqual({ units: 333_333_333_333_333_333n, decimals: 16 });
    expect(share(whole, whole)).toEqual({ units: 100n * 10n ** 16n, decimals: 16 });
    // As JavaScript numbers, both would be the same.
    const large = parseDecimal("9007199254740993.000000");
    expect(share(large, { units: 9_007_199_254_740_992n, decimals: 0 })?.units).toBe(1_000_000_000_000_000_111n);
    expect(share(part, parseDecimal("0.000000"))).toBe(null);
  });
});

describe("exactText", () => {
  it("keeps every digit", () => {
    fc.assert(
      fc.property(decimal, ({ units, decimals }) => {
        expect(scaled(exactText({ units, decimals }))).toBe(units * 10n ** BigInt(40 - decimals));
      }),
    );
  });

  it("does not write superfluous zeros", () => {
    fc.assert(
      fc.property(decimal, (value) => {
        expect(exactText(value)).toMatch(/^-?(0|[1-9]\d*)(\.\d*[1-9])?$/);
      }),
    );
  });
});

describe("shownDecimal", () => {
  it("is the exact number, or its start with a mark that digits are missing", () => {
    const digits = fc.record({
      maximumDigits: fc.integer({ min: 2, max: 12 }),
      minimumDigits: fc.integer({ min: 0, max: 2 }),
    });
    fc.assert(
      fc.property(decimal, digits, (value, { maximumDigits, minimumDigits }) => {
        const { text, exact } = shownDecimal(value, { maximumDigits, minimumDigits });
        const plain = text.replaceAll(",", "");
        const fraction = plain.split(".")[1] ?? "";
        if (plain.endsWith("…")) {
          expect(exact.startsWith(plain.slice(0, -1))).toBe(true);
          expect(fraction).toHaveLength(maximumDigits + 1);
          expect(exact.length).toBeGreaterThan(plain.length - 1);
        } else {
          expect(scaled(plain)).toBe(scaled(exact));
          expect(fraction.length).toBeGreaterThanOrEqual(minimumDigits);
        }
      }),
    );
  });

  it.each([
    [{ units: 4444949100880473386044n, decimals: 18 }, "4,444.949100…", "4444.949100880473386044"],
    [{ units: 2495562700n, decimals: 6 }, "2,495.5627", "2495.5627"],
    [{ units: 1n, decimals: 18 }, "0.000000…", "0.000000000000000001"],
    [{ units: -1500000n, decimals: 6 }, "-1.50", "-1.5"],
    [{ units: 0n, decimals: 18 }, "0.00", "0"],
    [{ units: 1234567n, decimals: 0 }, "1,234,567.00", "1234567"],
  ])("shows %o as %s", (value, text, exact) => {
    expect(shownDecimal(value, { minimumDigits: 2 })).toEqual({ text, exact });
  });
});

describe("parseDecimal", () => {
  it("reads what exactText writes", () => {
    fc.assert(
      fc.property(decimal, (value) => {
        expect(exactText(parseDecimal(exactText(value)))).toBe(exactText(value));
      }),
    );
  });

  it.each(["", "1.", ".5", "1e3", "0x1", "1,000", " 1", "NaN"])("refuses %o", (text) => {
    expect(() => parseDecimal(text)).toThrow("not a decimal number");
  });
});

it("grouped only adds commas, between groups of three", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n }), (value) => {
      const text = grouped(value.toString());
      expect(text.replaceAll(",", "")).toBe(value.toString());
      expect(text).toMatch(/^\d{1,3}(,\d{3})*$/);
    }),
  );
});

it("percentOfWad moves the point by two of eighteen places", () => {
  expect(exactText(percentOfWad(45_000_000_000_000_000n))).toBe("4.5");
});

it("chartHeight is the number within the precision of a double", () => {
  expect(chartHeight({ units: 175800406139n, decimals: 6 })).toBe(175800.406139);
});

describe("tickText", () => {
  it("tells each tick from the next one, for every step that the charts choose", () => {
    const step = fc.record({
      factor: fc.constantFrom(1, 2, 2.5, 5),
      exponent: fc.integer({ min: -9, max: 9 }),
      notation: fc.constantFrom("standard" as const, "compact" as const),
    });
    fc.assert(
      fc.property(step, fc.integer({ min: 0, max: 100_000 }), ({ factor, exponent, notation }, count) => {
        const size = factor * 10 ** exponent;
        const [text, next] = [count, count + 1].map((ticks) => tickText(ticks * size, size, notation));
        expect(next).not.toBe(text);
      }),
    );
  });

  it("shows the value of the tick", () => {
    expect(tickText(1.009375, 0.000025)).toBe("1.009375");
    expect(tickText(104.325, 0.025)).toBe("104.325");
    expect(tickText(0.30000000000000004, 0.1)).toBe("0.3");
    expect(tickText(1_002_500, 2_500, "compact")).toBe("1.0025M");
    expect(tickText(60_000, 10_000, "compact")).toBe("60K");
  });
});
