import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { applyMutant, describeMutant, mutantsOf } from "../../tools/mutants.ts";

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
    }
}
`;

function syntaxTree(): unknown {
  const input = {
    language: "Solidity",
    sources: { "Sample.sol": { content: SOURCE } },
    settings: { outputSelection: { "*": { "": ["ast"] } } },
  };
  const output = execFileSync(process.execPath, ["tools/solc", "--standard-json"], {
    input: JSON.stringify(input),
    encoding: "utf8",
  });
  return JSON.parse(output).sources["Sample.sol"].ast;
}

describe("mutantsOf", () => {
  const mutants = mutantsOf(SOURCE, syntaxTree());

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
