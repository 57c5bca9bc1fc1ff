/** Checks that every unit test has its leaf, every leaf its test, and every function and error of the contracts a tree. */
import { readFileSync } from "node:fs";
import { checkTrees, deployableContracts, type UnreachableErrors } from "./lib/trees/check.ts";

const unreachable: UnreachableErrors = JSON.parse(readFileSync("contracts/test/unreachableErrors.json", "utf8"));
const violations = checkTrees("contracts/test/unit", deployableContracts("contracts/src", "out"), unreachable);
for (const violation of violations) console.error(violation);
if (violations.length !== 0) console.error(`${violations.length} violations`);
process.exitCode = violations.length === 0 ? 0 : 1;
