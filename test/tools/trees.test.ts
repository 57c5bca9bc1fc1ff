import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkTrees, type DeployableContract, deployableContracts } from "../../tools/lib/trees/check.ts";
import { testsOf } from "../../tools/lib/trees/solidity.ts";
import { parseTree } from "../../tools/lib/trees/tree.ts";

const TREE = `Safe::open, Safe::close
├── when the caller is not the owner
│   └── it should revert with NotOwner
├── given the safe is open
│   ├── when it is closed twice [S1, D22]
│   │   └── it should revert with NotOpen
│   └── when the RWA's key turns
│       ├── it should close
│       └── it should emit Closed
└── it should change nothing else [S3]
`;
const NAMES = [
  "RevertWhen_TheCallerIsNotTheOwner",
  "RevertWhen_ItIsClosedTwice_S1_D22",
  "WhenTheRWASKeyTurns",
  "ShouldChangeNothingElse_S3",
];

describe("a tree", () => {
  it("returns the functions that it covers and the name of each leaf's test", () => {
    const tree = parseTree(TREE);
    expect(tree.errors).toEqual([]);
    expect(tree.functions).toEqual(["Safe::open", "Safe::close"]);
    expect(tree.leaves.map(({ testName }) => testName)).toEqual(NAMES);
  });

  it.each([
    ["no function", "Safe.open\n└── it should open", "line 1"],
    ["no leaf", "Safe::open", "line 1: expected at least one leaf below"],
    ["no corner at the end", "Safe::open\n├── it should open", "line 2: only the last sibling has └"],
    [
      "a corner before the end",
      "Safe::open\n└── it should open\n└── it should emit",
      "line 2: only the last sibling has └",
    ],
    ["a node of no kind", "Safe::open\n└── if it rains", "line 2:"],
    ["a line that is not a node", "Safe::open\n  it should open", "line 2: not a node"],
    ["a skipped level", "Safe::open\n├── when a\n│   │   └── it should b\n└── it should c", "line 3: its indentation"],
    ["a wrong rail", "Safe::open\n├── when a\n    └── it should b\n└── it should c", "line 3: its indentation"],
    ["a condition without outcome", "Safe::open\n└── when a", "line 2: the condition must have an outcome"],
    [
      "an outcome with children",
      "Safe::open\n└── it should a\n    └── it should b",
      "line 2: an outcome must not have anything",
    ],
    [
      "mixed children",
      "Safe::open\n└── when a\n    ├── it should b\n    └── when c\n        └── it should d",
      "line 2: below it are both",
    ],
    [
      "half a revert",
      "Safe::open\n└── when a\n    ├── it should revert\n    └── it should b",
      "line 2: some outcomes revert",
    ],
    [
      "a leaf twice",
      "Safe::open\n├── when a\n│   └── it should b\n└── when a\n    └── it should b",
      "line 4: a second",
    ],
    [
      "IDs off the leaves",
      "Safe::open\n└── when a [S1]\n    └── when b\n        └── it should c",
      "line 2: only a leaf",
    ],
  ])("with %s is malformed", (_, text, error) => {
    expect(parseTree(text).errors.join("\n")).toContain(error);
  });
});

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "trees-"));
});
afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, text: string): string {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  return join(root, path);
}

function solidity(names: readonly string[], extra = ""): string {
  const functions = names.map((name) => `  function ${name}() public {}\n`).join("");
  return `contract OpenTest {\n${functions}${extra}}\n`;
}

describe("the tests of a file", () => {
  it.each([
    ["relative", "../shared/Base.sol"],
    ["remapped", "test/shared/Base.sol"],
  ])("are those of its contracts and their bases, through a %s import, without comments", (_, base) => {
    write("test/shared/Base.sol", "abstract contract Base { function test_Inherited() public {} }");
    const file = write(
      "test/unit/A.t.sol",
      `import {Base} from "${base}";
       abstract contract Unused { function test_Unused() public {} }
       contract A is Base { // function test_Comment()
         /* function test_Block() */ string s = "//"; function test_Own() public {} }`,
    );
    expect(testsOf(file, root)).toEqual(["test_Own", "test_Inherited"]);
  });
});

describe("the check", () => {
  const safe: DeployableContract = { name: "Safe", stateChangingFunctions: ["open", "close"], errors: ["NotOwner"] };
  const tests = [`test_${NAMES[0]}`, `testFuzz_${NAMES[1]}`, `test_${NAMES[2]}`, `test_${NAMES[3]}`];
  const expecting = "  bytes4 reason = ISafe.NotOwner.selector;\n";

  function check(names = tests, contract = safe, unreachable = {}): string {
    write("test/unit/open/open.tree", TREE);
    write("test/unit/open/open.t.sol", solidity(names, expecting));
    return checkTrees(join(root, "test/unit"), [contract], unreachable).join("\n");
  }

  it("passes when leaves, tests, functions and errors agree", () => expect(check()).toBe(""));

  it("names a leaf without its test", () => {
    expect(check(tests.slice(1))).toBe(`open/open.tree: line 2: expected test_${NAMES[0]} or testFuzz_${NAMES[0]}`);
  });

  it("names a test without its leaf", () => {
    expect(check([...tests, "test_WhenItRains"])).toBe("open/open.tree: test_WhenItRains has no leaf in the tree");
  });

  it("names a test that occurs twice", () => {
    expect(check([...tests, `testFuzz_${NAMES[0]}`])).toBe(`open/open.tree: two tests are named ${NAMES[0]}`);
  });

  it("names a test file without a tree, and one in another's folder", () => {
    write("test/unit/open/other.t.sol", solidity(["test_Other"]));
    expect(check()).toContain("open/other.t.sol: expected a folder of the same name");
    expect(check()).toContain("open/other.t.sol: other.tree is missing beside it");
  });

  it("names a tree without its test file", () => {
    write("test/unit/close/close.tree", TREE);
    expect(check()).toBe("close/close.tree: close.t.sol is missing beside it");
  });

  it("names a malformed tree", () => {
    write("test/unit/close/close.tree", "Safe::close");
    write("test/unit/close/close.t.sol", solidity([]));
    expect(check()).toBe("close/close.tree: line 1: expected at least one leaf below");
  });

  it("names a state-changing function that no tree covers, except OpenZeppelin's own", () => {
    const contract = { ...safe, stateChangingFunctions: ["open", "melt", "grantRole"] };
    expect(check(tests, contract)).toBe("Safe::melt: no tree covers it");
  });

  it("names a contract that is not deployable", () => {
    expect(check(tests, { ...safe, name: "Vault", stateChangingFunctions: [], errors: [] })).toContain(
      "open/open.tree: line 1: Safe of Safe::open is not a deployable contract",
    );
  });

  it("names an error that no test expects, unless it is listed with a reason", () => {
    const contract = { ...safe, errors: ["NotOwner", "Stuck"] };
    expect(check(tests, contract)).toContain("no test of its trees expects Stuck");
    expect(check(tests, contract, { Safe: { Stuck: "nothing sticks" } })).toBe("");
  });

  it("finds the expectation in a remapped file", () => {
    write("test/shared/Expecting.sol", "library Expecting { bytes4 constant REASON = ISafe.Stuck.selector; }");
    write("test/unit/melt/melt.tree", "Safe::melt\n└── it should melt\n");
    const melt = `import {Expecting} from "test/shared/Expecting.sol";\n${solidity(["test_ShouldMelt"])}`;
    write("test/unit/melt/melt.t.sol", melt);
    expect(check(tests, { ...safe, errors: ["NotOwner", "Stuck"] })).toBe("");
  });

  it("does not count a partial expectation", () => {
    write("test/unit/melt/melt.tree", "Safe::melt\n└── it should melt\n");
    write("test/unit/melt/melt.t.sol", solidity(["test_ShouldMelt"], "  expectPartialRevert(ISafe.Stuck.selector);\n"));
    expect(check(tests, { ...safe, errors: ["NotOwner", "Stuck"] })).toContain("no test of its trees expects Stuck");
  });

  it("names a listed error that a test expects, or that does not exist", () => {
    expect(check(tests, safe, { Safe: { NotOwner: "never" } })).toContain("but a test expects it");
    expect(check(tests, safe, { Safe: { Gone: "never" } })).toContain("but the contract does not have it");
  });
});

describe("the deployable contracts", () => {
  const artifact = (bytecode: string) =>
    JSON.stringify({
      bytecode: { object: bytecode },
      abi: [
        { type: "function", name: "open", stateMutability: "payable" },
        { type: "function", name: "look", stateMutability: "view" },
        { type: "error", name: "NotOwner" },
      ],
    });

  it("are those with bytecode and something to change", () => {
    write("src/Safe.sol", "");
    write("src/interfaces/ISafe.sol", "");
    write("out/Safe.sol/Safe.json", artifact("0x60"));
    write("out/ISafe.sol/ISafe.json", artifact("0x"));
    expect(deployableContracts(join(root, "src"), join(root, "out"))).toEqual([
      { name: "Safe", stateChangingFunctions: ["open"], errors: ["NotOwner"] },
    ]);
  });

  it("require a build if one is not compiled", () => {
    write("src/Safe.sol", "");
    expect(() => deployableContracts(join(root, "src"), join(root, "out"))).toThrow("run pnpm forge build first");
  });
});
