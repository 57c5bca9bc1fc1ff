import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compilerOfUsers, withDeployedCode } from "../../tools/lib/deployedCode.ts";
import { applyMutant, describeMutant, type Kind, mutantsOf, mutatedLines } from "../../tools/lib/mutation.ts";
import { codeHash, codeOf, mutableFiles, pageOf, readRecord, withFile } from "../../tools/lib/mutationRecord.ts";
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
contract Base {
    constructor(uint256) {}
    modifier limited(uint256) {
        _;
    }
}
contract Guarded is Base {
    constructor() Base(3) limited(2) {}
    function isOpen(bool a, bool b, bool c) external limited(1) returns (bool) {
        return (a || b) && c;
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
      "9: `a < b || a == 7` → `a < b`",
      "9: `a < b || a == 7` → `a == 7`",
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
      "34: `limited(2)` → nothing",
      "35: `limited(1)` → nothing",
      "36: `(a || b) && c` → `(a || b)`",
      "36: `(a || b) && c` → `c`",
      "36: `a || b` → `a`",
      "36: `a || b` → `b`",
      "36: `||` → `&&`",
      "36: `&&` → `||`",
    ]);
  });

  it("tells the kinds apart", () => {
    const ofKind = (kind: Kind) => mutants.filter((mutant) => mutant.kind === kind);
    expect(ofKind("modifiers").map(({ original }) => original)).toEqual(["limited(2)", "limited(1)"]);
    expect(ofKind("operands").map(({ replacement }) => replacement)).toEqual([
      "a < b",
      "a == 7",
      "(a || b)",
      "c",
      "a",
      "b",
    ]);
    expect(ofKind("changes")).toHaveLength(mutants.length - 8);
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
    expect(described[14]).toBe("`run`, `c += a * b;` → `{}`");
    expect(described[24]).toBe(
      "`isOpen`, `function isOpen(bool a, bool b, bool c) external limited(1) returns (bool) {` → " +
        "`function isOpen(bool a, bool b, bool c) external returns (bool) {`",
    );
  });
});

describe("the record of mutants", () => {
  const page = readFileSync("docs/mutation.md", "utf8");
  const [path = ""] = mutableFiles();
  const code = codeHash(path, readFileSync(path, "utf8"));
  const none = { killed: 0, timedOut: 0, invalid: 0, survivors: [] };
  const survivors = [
    { mutant: "`f`, `a` → `b`", reason: "They are equal." },
    { mutant: "`g`, `c` → `d`", reason: "" },
  ];
  const changes = { killed: 3, timedOut: 1, invalid: 0, survivors };
  const file = { code, results: { changes, modifiers: { ...none, killed: 2 }, operands: none } };

  it("is shown by docs/mutation.md (or run `pnpm mutants:generated --page`)", () => {
    expect(pageOf(page, readRecord())).toBe(page);
  });

  it("counts the results of a file, and lists its survivors with their reasons", () => {
    const written = pageOf(page, { [path]: file });
    expect(written).toContain(`1 of ${mutableFiles().length} files. Of the 8 mutants that were tried`);
    expect(written).toContain("5 were killed; 1 survived and are explained below");
    expect(written).toContain("1 survived without an explanation, 1 did not end in time");
    expect(written).toMatch(/\| `BalanceSheetDelegate` \| 8 \| 5 \| 1 \| 1 \| 1 \| 0 \|/);
    expect(written).toContain("| a modifier of a function deleted | 2 | 2 | 0 | 0 | 0 | 0 |");
    expect(written).toContain("- `f`, `a` → `b`: They are equal.");
    expect(written).toContain("- `g`, `c` → `d`: **not explained yet**");
  });

  it("counts nothing of a file whose code has changed since", () => {
    const written = pageOf(page, { [path]: { ...file, code: "of another text" } });
    expect(written).toContain(`0 of ${mutableFiles().length} files. Of the 0 mutants`);
    expect(written).toContain("| `BalanceSheetDelegate` | the code has changed since |");
  });

  it("names the kinds of mutants that were not tried on a file", () => {
    const written = pageOf(page, { [path]: { code, results: { changes } } });
    expect(written).toContain(`0 of ${mutableFiles().length} files. Of the 6 mutants`);
    expect(written).toContain("| `BalanceSheetDelegate` (without modifiers and operands) | 6 | 3 | 1 | 1 | 1 | 0 |");
  });

  it("keeps results of other kinds while the code is the same, and reasons always", () => {
    const record = { [path]: file };
    const operands = { ...none, killed: 7 };
    expect(withFile(record, path, { code, results: { operands } })).toEqual({
      [path]: { code, results: { ...file.results, operands } },
    });
    const changed = {
      code: "of another text",
      results: { changes: { ...none, survivors: [{ mutant: "`f`, `a` → `b`", reason: "" }] } },
    };
    expect(withFile(record, path, changed)).toEqual({
      [path]: { code: "of another text", results: { changes: { ...none, survivors: [survivors[0]] } } },
    });
  });

  it("belongs to the code: comments do not matter, everything else does", () => {
    const original = codeOf('a = b / c; // "not\n/* a * b */ s = "// text";');
    expect(codeOf('/// @dev Why.\na = b / c;\n  s = "// text"; // not a "quote')).toBe(original);
    expect(codeOf('a = b * c; s = "// text";')).not.toBe(original);
    expect(codeOf('a = b / c; s = "// other";')).not.toBe(original);
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
