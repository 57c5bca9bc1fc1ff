/**
 * `pnpm trees`: checks that every unit test has a leaf, every leaf a test, and every function and error of the
 * contracts a tree. Ends with 1 when something is missing. The contracts must be compiled.
 */
import { readFileSync } from "node:fs";
import { checkTrees, deployableContracts, type UnreachableErrors } from "./lib/trees/check.ts";

const unreachable: UnreachableErrors = JSON.parse(readFileSync("contracts/test/unreachableErrors.json", "utf8"));
const violations = checkTrees("contracts/test/unit", deployableContracts("contracts/src", "out"), unreachable);
for (const violation of violations) console.error(violation);
if (violations.length !== 0) console.error(`${violations.length} violations`);
process.exitCode = violations.length === 0 ? 0 : 1;
