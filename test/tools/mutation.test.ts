import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compilerOfUsers, withDeployedCode } from "../../tools/lib/deployedCode.ts";
import { applyMutant, describeMutant, mutantsOf, mutatedLines } from "../../tools/lib/mutation.ts";
import { codeHash, codeOf, mutableFiles, pageOf, readRecord } from "../../tools/lib/mutationRecord.ts";
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

  it("changes only the place that it names", () => {
    for (const mutant of mutants) {
      const mutated = applyMutant(SOURCE, mutant);
      expect(SOURCE.split("\n").filter((line, index) => line !== mutated.split("\n")[index])).toHaveLength(1);
      expect(mutated.length - SOURCE.length).toBe(mutant.replacement.length - mutant.original.length);
      expect(mutated).toContain(mutant.replacement);
    }
  });

  it("describes the mutated lines and their function, wherever they are in the file", () => {
    const ast = sources["Sample.sol"]?.ast;
    const described = mutants.map((mutant) => mutatedLines(SOURCE, ast, mutant));
    expect(new Set(described).size).toBe(mutants.length);
    expect(described[0]).toBe("`uint256 private constant ONE = 1e18;` → `uint256 private constant ONE = (1e18 + 1);`");
    expect(described[12]).toBe("`run`, `c += a * b;` → `{}`");
  });
});

describe("the record of mutants", () => {
  const page = readFileSync("docs/mutation.md", "utf8");
  const [path = ""] = mutableFiles();
  const measured = { code: codeHash(path, readFileSync(path, "utf8")), killed: 3, timedOut: 1, invalid: 0 };
  const survivors = [
    { mutant: "`f`, `a` → `b`", reason: "They are equal." },
    { mutant: "`g`, `c` → `d`", reason: "" },
  ];

  it("is shown by docs/mutation.md (or run `pnpm mutants:generated --page`)", () => {
    expect(pageOf(page, readRecord())).toBe(page);
  });

  it("counts the results of a file, and lists its survivors with their reasons", () => {
    const written = pageOf(page, { [path]: { ...measured, survivors } });
    expect(written).toContain(`1 of ${mutableFiles().length} files. Of their 6 mutants, 3 were killed; 1 survived and`);
    expect(written).toContain("1 survived without an explanation, 1 did not end in time");
    expect(written).toMatch(/\| `BalanceSheetDelegate` \| 6 \| 3 \| 1 \| 1 \| 1 \| 0 \|/);
    expect(written).toContain("- `f`, `a` → `b`: They are equal.");
    expect(written).toContain("- `g`, `c` → `d`: **not explained yet**");
  });

  it("counts nothing of a file whose code has changed since", () => {
    const written = pageOf(page, { [path]: { ...measured, code: "of another text", survivors } });
    expect(written).toContain(`0 of ${mutableFiles().length} files. Of their 0 mutants`);
    expect(written).toContain("| `BalanceSheetDelegate` | the code has changed since |");
  });

  it("belongs to the code: comments do not matter, everything else does", () => {
    const code = codeOf('a = b / c; // "not\n/* a * b */ s = "// text";');
    expect(codeOf('/// @dev Why.\na = b / c;\n  s = "// text"; // not a "quote')).toBe(code);
    expect(codeOf('a = b * c; s = "// text";')).not.toBe(code);
    expect(codeOf('a = b / c; s = "// other";')).not.toBe(code);
  });
});

describe("the code that tests deploy", () => {
  const path = "contracts/src/libraries/DailyLimit.sol";
  const source = readFileSync(path, "utf8");
  const compileUsers = compilerOfUsers(path);

  it("is compiled of every contract that uses a file, and of no other", () => {
    const names = [...(compileUsers(source)?.keys() ?? [])];
    expect(names).toEqual(
      expect.arrayContaining([
        "DailyLimit.sol/DailyLimit.json",
        "FlatYieldDelegate.sol/FlatYieldDelegate.json",
        "NavPriceAdapter.sol/NavPriceAdapter.json",
        "TreasuryDelegate.sol/TreasuryDelegate.json",
      ]),
    );
    expect(names).not.toContain("CoreSwap.sol/CoreSwap.json");
  });

  it("does not exist of a mutant that does not compile", () => {
    expect(compileUsers(source.replace("1 days", "")) === undefined).toBe(true);
  });

  it("is in a project's artifacts only while something runs", () => {
    const project = mkdtempSync(join(tmpdir(), "artifacts-"));
    const artifact = join(project, "out/Treasury.sol/Treasury.json");
    const original = JSON.stringify({ abi: [], bytecode: { object: "0x" }, deployedBytecode: { object: "0x" } });
    mkdirSync(join(project, "out/Treasury.sol"), { recursive: true });
    writeFileSync(artifact, original);
    const replaced = [source, source.replace("1 days", "2 days")].map((content) =>
      withDeployedCode(project, compileUsers(content) ?? new Map(), () => readFileSync(artifact, "utf8")),
    );
    for (const text of replaced) {
      expect(JSON.parse(text)).toMatchObject({ abi: [], bytecode: { object: expect.stringMatching(/^0x60/) } });
    }
    expect(replaced[0]).not.toBe(replaced[1]);
    expect(readFileSync(artifact, "utf8")).toBe(original);
  });
});
