import { describe, expect, it } from "vitest";
import { applyMutant, describeMutant, mutantsOf } from "../../tools/lib/mutation.ts";
import { compile } from "../../tools/lib/solidity.ts";

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;
/// ⌈rounded⌉ up
contract Sample {
    uint256 private constant ONE = 1e18;
    event Done();
    error Refused();
    function run(uint256 a, uint256 b) external returns (uint256 c) {
        if (a < b || a == 7) revert Refused();
        for (uint256 i; i != a; ++i) {
            c += a * b;
        }
        emit Done();
        c = c / b;
        c = Lib.min(Lib.valueOf(c), b);
    }
}
library Lib {
    // Also the name of a property that every object of JavaScript has.
    function valueOf(uint256 a) internal pure returns (uint256) {
        return a;
    }
    function min(uint256 a, uint256) internal pure returns (uint256) {
        return a;
    }
}
`;

const { sources } = await compile({ "Sample.sol": { content: SOURCE } });

describe("mutantsOf", () => {
  const mutants = mutantsOf(SOURCE, sources["Sample.sol"]?.ast);

  it("plants every fault that it knows", () => {
    expect(mutants.map((mutant) => describeMutant("S", SOURCE, mutant).slice(2))).toEqual([
      "5: `1e18` → `(1e18 + 1)`",
      "5: `1e18` → `(1e18 - 1)`",
      "9: `a < b || a == 7` → `!(a < b || a == 7)`",
      "9: `<` → `<=`",
      "9: `<` → `>`",
      "9: `||` → `&&`",
      "9: `==` → `!=`",
      "9: `7` → `(7 + 1)`",
      "9: `7` → `(7 - 1)`",
      "9: `revert Refused();` → `{}`",
      "10: `!=` → `==`",
      "10: `++` → `--`",
      "11: `c += a * b;` → `{}`",
      "11: `+=` → `-=`",
      "11: `*` → `/`",
      "13: `emit Done();` → `{}`",
      "14: `c = c / b;` → `{}`",
      "14: `c / b` → `((c + b - 1) / b)`",
      "14: `/` → `*`",
      "15: `c = Lib.min(Lib.valueOf(c), b);` → `{}`",
      "15: `min` → `max`",
    ]);
  });

  it("changes nothing but the place it names", () => {
    for (const mutant of mutants) {
      const mutated = applyMutant(SOURCE, mutant);
      expect(SOURCE.split("\n").filter((line, index) => line !== mutated.split("\n")[index])).toHaveLength(1);
      expect(mutated.length - SOURCE.length).toBe(mutant.replacement.length - mutant.original.length);
      expect(mutated).toContain(mutant.replacement);
    }
  });
});
