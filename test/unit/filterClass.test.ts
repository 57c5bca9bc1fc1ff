import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  classesMatching,
  ENTRYPOINTS,
  type FilterTraits,
  filterClassOf,
  traitsOf,
} from "../../src/indexing/filterClass.ts";

const traits: fc.Arbitrary<FilterTraits> = fc
  .record({
    outcome: fc.constantFrom("success", "revert"),
    hasSwap: fc.boolean(),
    hasAllowlistChange: fc.boolean(),
    entrypoint: fc.constantFrom(null, ...ENTRYPOINTS),
  })
  // The transactions that the history can contain: a reverted one has no realized activity, and one without activity is
  // included for its call.
  .filter(({ outcome, hasSwap, hasAllowlistChange, entrypoint }) =>
    hasSwap || hasAllowlistChange ? outcome === "success" : entrypoint !== null,
  );

const conditions = fc.record({
  outcome: fc.constantFrom(undefined, "success", "revert"),
  activity: fc.constantFrom(undefined, "swap", "allowlist"),
  entrypoint: fc.constantFrom(undefined, "unknown", ...ENTRYPOINTS),
});

describe("filter classes", () => {
  it("keep every trait", () => {
    fc.assert(
      fc.property(traits, (given) => {
        expect(traitsOf(filterClassOf(given))).toEqual(given);
      }),
    );
  });

  it("match a set of conditions exactly when the transaction does", () => {
    fc.assert(
      fc.property(traits, conditions, (given, wanted) => {
        const satisfies =
          (wanted.outcome ?? given.outcome) === given.outcome &&
          (wanted.activity !== "swap" || given.hasSwap) &&
          (wanted.activity !== "allowlist" || given.hasAllowlistChange) &&
          (wanted.entrypoint === undefined || wanted.entrypoint === given.entrypoint);
        expect(classesMatching(wanted).includes(filterClassOf(given))).toBe(satisfies);
      }),
    );
  });

  it("are few: an unfiltered page reads 18 of them", () => {
    expect(classesMatching({})).toHaveLength(18);
  });

  it("are empty for an unknown entrypoint, whatever its name", () => {
    for (const entrypoint of ["unknown", "constructor", "__proto__", "Swap"]) {
      expect(classesMatching({ entrypoint })).toEqual([]);
    }
  });

  it("keep the codes that stored rows have", () => {
    const code = (entrypoint: FilterTraits["entrypoint"]) =>
      filterClassOf({ outcome: "success", hasSwap: true, hasAllowlistChange: false, entrypoint });
    expect([null, ...ENTRYPOINTS].map(code)).toEqual([2, 10, 18, 26]);
  });
});
