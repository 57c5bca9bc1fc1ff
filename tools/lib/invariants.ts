/**
 * The invariants of docs/invariants.md, the tests named after their IDs, and the known mutants that make those tests
 * fail.
 */
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

export interface KnownMutant {
  /** For each of these invariants, at least one of its tests must fail. */
  readonly ids: readonly string[];
  /** What the mutated contracts do wrong, as a phrase. */
  readonly breaks: string;
  /** Text that occurs exactly once in contracts/src. */
  readonly search: string;
  readonly replace: string;
}

interface Invariant {
  readonly id: string;
  readonly property: string;
  readonly state: string;
  /** Files of the tests named after the ID, as the table names them. */
  readonly tests: string;
  /** What the known mutants of the ID do wrong, as the table says it. */
  readonly mutants: string;
}

export const TABLE = "docs/invariants.md";
const MUTANTS = "contracts/test/knownMutants.json";
const SOURCES = "contracts/src";
const TESTS = "contracts/test";

export function readMutants(root: string): KnownMutant[] {
  return JSON.parse(readFileSync(join(root, MUTANTS), "utf8")) as KnownMutant[];
}

/**
 * The rows about contracts. Those about the system (X) name no Solidity test.
 * @throws Error if a row does not have five cells
 */
export function readTable(root: string): Invariant[] {
  const rows: Invariant[] = [];
  for (const line of readFileSync(join(root, TABLE), "utf8").split("\n")) {
    const cells = /^\| ([TDS]\d+) \|(.+)\|$/.exec(line);
    if (!cells?.[1] || !cells[2]) continue;
    const [property, state, tests, mutants, ...rest] = cells[2].split("|").map((cell) => cell.trim());
    if (property === undefined || state === undefined || tests === undefined || mutants === undefined || rest.length) {
      throw new Error(`${TABLE}: the row of ${cells[1]} does not have five cells`);
    }
    rows.push({ id: cells[1], property, state, tests, mutants });
  }
  return rows;
}

/**
 * The file that a mutant changes, and its text after the change.
 * @throws Error unless the search text occurs exactly once in the contracts
 */
export function locate(root: string, mutant: KnownMutant): { file: string; mutated: string } {
  const hits = solidityFiles(root, SOURCES).flatMap((file) => {
    const parts = readFileSync(join(root, file), "utf8").split(mutant.search);
    return parts.slice(1).map(() => ({ file, mutated: parts.join(mutant.replace) }));
  });
  const [hit] = hits;
  if (!hit || hits.length !== 1) {
    throw new Error(`the mutant "${mutant.breaks}" applies ${hits.length} times in ${SOURCES}, not once`);
  }
  return hit;
}

/** Names of the tests named after an ID, by file. */
export function testsOf(root: string, id: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const file of solidityFiles(root, TESTS)) {
    const source = readFileSync(join(root, file), "utf8");
    const names = [...source.matchAll(/function ((?:test|testFuzz|invariant)_\w+)\(/g)].map(([, name]) => name ?? "");
    const bearing = names.filter((name) => bears(name, id));
    if (bearing.length) found.set(file, bearing);
  }
  return found;
}

/** Whether a test's name contains an ID: `test_D6_D9_History` contains D6 and D9. */
export function bears(testName: string, id: string): boolean {
  return testName.split("_").includes(id);
}

/** The table's cell with an ID's tests. */
export function testsCell(root: string, id: string): string {
  const files = [...testsOf(root, id).keys()].map((file) => basename(file, ".sol").replace(/\.t$/, ""));
  return [...new Set(files)].sort().join(", ") || "—";
}

/** The table's cell with an ID's mutants. */
export function mutantsCell(mutants: readonly KnownMutant[], id: string): string {
  const breaks = mutants.filter((mutant) => mutant.ids.includes(id)).map((mutant) => mutant.breaks);
  return breaks.join("; ") || "—";
}

function solidityFiles(root: string, folder: string): string[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" });
  return names
    .filter((name) => name.endsWith(".sol"))
    .sort()
    .map((name) => join(folder, name));
}
