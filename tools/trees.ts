/**
 * `pnpm trees`: checks that every unit test has a leaf, every leaf a test, and every function and error of the
 * contracts a tree. Exits with 1 when something is missing. The contracts must be compiled.
 */
import { readFileSync } from "node:fs";
import { commandLine } from "./lib/commandLine.ts";
import { checkTrees, deployableContracts, type UnreachableErrors } from "./lib/trees/check.ts";

commandLine({
  usage: "pnpm trees",
  summary: `Compares the trees of contracts/test/unit with the tests, and with the functions and errors of the compiled contracts.
Ends with 1 if something has no counterpart.`,
});
const unreachable: UnreachableErrors = JSON.parse(readFileSync("contracts/test/unreachableErrors.json", "utf8"));
const violations = checkTrees("contracts/test/unit", deployableContracts("contracts/src", "out"), unreachable);
for (const violation of violations) console.error(violation);
if (violations.length !== 0) console.error(`${violations.length} violations`);
process.exitCode = violations.length === 0 ? 0 : 1;
