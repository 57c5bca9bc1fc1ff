import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DEFINITIONS, prove } from "../../tools/lib/modelChecker.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "proof-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

/** Proves a function body of two numbers. */
function proveBody(body: string) {
  const path = join(directory, "Sample.sol");
  const signature = "function check(uint256 a, uint256 b) external pure";
  writeFileSync(
    path,
    `// SPDX-License-Identifier: MIT\npragma solidity 0.8.30;\ncontract Sample { ${signature} { ${body} } }\n`,
  );
  return prove(path);
}

describe("prove", { timeout: 600_000 }, () => {
  it("proves an assertion that holds for all accepted inputs", async () => {
    expect(await proveBody("require(b != 0); assert(a / b <= a);")).toEqual({ proved: 1, problems: [] });
  });

  it.each([
    ["does not hold", "assert(a <= b);", /Assertion violation happens here/],
    ["is beyond the solver", "unchecked { assert(a * a * a != b * b + 7); }", /Assertion violation might happen here/],
    ["is in a loop", "for (uint256 i = b; i < a; ++i) { assert(i == b); }", /loop in check/],
    ["does not exist", "require(a < b);", /no assertion to prove/],
  ])("reports an assertion that %s", async (_, body, problem) => {
    const { problems } = await proveBody(body);
    expect(problems.join("\n")).toMatch(problem);
  });

  // A proof whose assumptions exclude each other would prove anything. If the solver does not find inputs that reach an
  // assertion, a comment of the proof names such inputs. They are required in addition, which can only make the
  // assertion harder to reach.
  it.each(globSync("contracts/proofs/*.sol"))("refutes every assertion of %s if it is made false", async (path) => {
    const original = readFileSync(path, "utf8");
    const assertions = /\bassert\(.*\);/g;
    const altered = join(directory, "Altered.sol");
    const witnesses = /\/\/ Witness: (.*)/g;
    writeFileSync(altered, original.replaceAll(assertions, "assert(false);").replaceAll(witnesses, "require($1);"));
    const { problems } = await prove(path, { ...DEFINITIONS, [path]: altered });
    const refuted = problems.filter((problem) => problem.includes("Assertion violation happens here"));
    expect(refuted).toHaveLength([...original.matchAll(assertions)].length);
  });
});
