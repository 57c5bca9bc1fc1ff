/** Compares the unit tests with their trees, and the trees with the contracts. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { selectorsIn, sourcesOf, testsOf } from "./solidity.ts";
import { parseTree } from "./tree.ts";

/** The state-changing functions of a deployable contract, and the errors of its interface. */
export interface DeployableContract {
  readonly name: string;
  readonly stateChangingFunctions: readonly string[];
  readonly errors: readonly string[];
}

/** Errors that nothing can trigger, by contract, each with its reason. */
export type UnreachableErrors = Readonly<Record<string, Readonly<Record<string, string>>>>;

interface AbiEntry {
  readonly type: string;
  readonly name?: string;
  readonly stateMutability?: string;
}

/** Functions of OpenZeppelin that are not overridden. OpenZeppelin tests them, so they need no tree here. */
const INHERITED = new Set(["approve", "grantRole", "revokeRole", "renounceRole"]);

/**
 * Every violation, described in words and in a stable order; empty when there is none.
 * @param root Folder of the unit tests, such as `contracts/test/unit`.
 * @param contracts The deployable contracts.
 * @param unreachable Errors that nothing can trigger.
 */
export function checkTrees(
  root: string,
  contracts: readonly DeployableContract[],
  unreachable: UnreachableErrors,
): readonly string[] {
  const contractsRoot = join(root, "../..");
  const violations: string[] = [];
  const testsByContract = new Map<string, string[]>();
  const covered = new Set<string>();
  const files = globSync("**/*.{tree,t.sol}", { cwd: root }).sort();

  for (const file of files.filter((name) => name.endsWith(".t.sol"))) {
    const stem = file.slice(0, -".t.sol".length);
    if (basename(dirname(file)) !== basename(stem)) violations.push(`${file}: expected a folder of the same name`);
    if (!existsSync(join(root, `${stem}.tree`)))
      violations.push(`${file}: ${basename(stem)}.tree is missing beside it`);
  }
  for (const file of files.filter((name) => name.endsWith(".tree"))) {
    const tree = parseTree(readFileSync(join(root, file), "utf8"));
    violations.push(...tree.errors.map((error) => `${file}: ${error}`));
    const test = join(root, file.replace(/\.tree$/, ".t.sol"));
    if (!existsSync(test)) {
      violations.push(`${file}: ${basename(test)} is missing beside it`);
      continue;
    }
    violations.push(...compareNames(tree.leaves, testsOf(test, contractsRoot)).map((text) => `${file}: ${text}`));
    for (const name of tree.functions) {
      covered.add(name);
      const [contract = "", member = ""] = name.split("::");
      testsByContract.set(contract, [...(testsByContract.get(contract) ?? []), test]);
      violations.push(...checkKnown(contract, member, contracts).map((text) => `${file}: ${text}`));
    }
  }
  for (const contract of contracts) {
    violations.push(...uncoveredFunctions(contract, covered));
    violations.push(
      ...checkErrors(
        contract,
        testsByContract.get(contract.name) ?? [],
        contractsRoot,
        unreachable[contract.name] ?? {},
      ),
    );
  }
  return violations;
}

/** The deployable contracts among the compiled sources of a folder. */
export function deployableContracts(sources: string, out: string): readonly DeployableContract[] {
  return globSync("**/*.sol", { cwd: sources })
    .sort()
    .flatMap((file) => {
      const name = basename(file, ".sol");
      const artifact = join(out, basename(file), `${name}.json`);
      if (!existsSync(artifact)) throw new Error(`${artifact} is missing: run pnpm forge build first`);
      const { abi, bytecode }: { abi: readonly AbiEntry[]; bytecode: { object: string } } = JSON.parse(
        readFileSync(artifact, "utf8"),
      );
      // Interfaces and abstract contracts have no code, and libraries of internal functions have nothing to call.
      if (bytecode.object === "0x" || !abi.some(({ type }) => type === "function")) return [];
      return [{ name, stateChangingFunctions: names(abi.filter(isStateChanging)), errors: names(abi.filter(isError)) }];
    });
}

function isStateChanging({ type, stateMutability }: AbiEntry): boolean {
  return type === "function" && stateMutability !== "view" && stateMutability !== "pure";
}

function isError({ type }: AbiEntry): boolean {
  return type === "error";
}

function names(entries: readonly AbiEntry[]): readonly string[] {
  return entries.map(({ name = "" }) => name);
}

function compareNames(leaves: readonly { line: number; testName: string }[], tests: readonly string[]): string[] {
  const untested = new Map(leaves.map(({ line, testName }) => [testName, line]));
  const violations: string[] = [];
  const seen = new Set<string>();
  for (const test of tests) {
    const name = test.replace(/^test(Fuzz)?_/, "");
    if (seen.has(name)) violations.push(`two tests are named ${name}`);
    seen.add(name);
    if (!untested.delete(name) && leaves.every(({ testName }) => testName !== name)) {
      violations.push(`${test} has no leaf in the tree`);
    }
  }
  for (const [name, line] of untested) violations.push(`line ${line}: expected test_${name} or testFuzz_${name}`);
  return violations;
}

function checkKnown(contract: string, member: string, contracts: readonly DeployableContract[]): string[] {
  const known = contracts.find(({ name }) => name === contract);
  return known === undefined ? [`line 1: ${contract} of ${contract}::${member} is not a deployable contract`] : [];
}

function uncoveredFunctions(contract: DeployableContract, covered: ReadonlySet<string>): string[] {
  return contract.stateChangingFunctions
    .filter((name) => !INHERITED.has(name) && !covered.has(`${contract.name}::${name}`))
    .map((name) => `${contract.name}::${name}: no tree covers it`);
}

function checkErrors(
  contract: DeployableContract,
  tests: readonly string[],
  contractsRoot: string,
  unreachable: Readonly<Record<string, string>>,
): string[] {
  const sources = new Map<string, string>();
  for (const test of tests) sourcesOf(test, contractsRoot, sources);
  const triggered = new Set<string>();
  for (const [path, source] of sources) {
    // An error that a contract or a mock mentions is not an expectation.
    if (path.includes("/test/") && !path.includes("/mocks/"))
      for (const name of selectorsIn(source)) triggered.add(name);
  }
  const violations = contract.errors
    .filter((error) => !triggered.has(error) && unreachable[error] === undefined)
    .map((error) => `${contract.name}: no test of its trees expects ${error}, and it is not listed as unreachable`);
  for (const error of Object.keys(unreachable)) {
    if (!contract.errors.includes(error))
      violations.push(`${contract.name}: ${error} is listed as unreachable, but the contract does not have it`);
    if (triggered.has(error))
      violations.push(`${contract.name}: ${error} is listed as unreachable, but a test expects it`);
  }
  return violations;
}
