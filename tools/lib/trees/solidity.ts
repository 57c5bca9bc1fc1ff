/** Reads test names and expected errors out of Solidity sources, without compiling them. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

interface Contract {
  readonly isAbstract: boolean;
  readonly bases: readonly string[];
  readonly tests: readonly string[];
}

const CONTRACT = /\b(abstract\s+)?contract\s+(\w+)(?:\s+is\s+([^{]+))?\s*\{/g;
const TEST = /\bfunction\s+(test\w*)\s*\(/g;
const IMPORT = /\bimport\s+(?:\{[^}]*\}\s+from\s+)?"([^"]+)"/g;
const REMAPPED = /^(?:src|script|test)\//;

/**
 * Names of the test functions that the contracts of a file run, including inherited ones, each once.
 * Bases are followed through the project's own imports; others (forge-std, OpenZeppelin) contain no tests.
 * @param contractsRoot The folder that the remappings of `src/`, `script/` and `test/` point into.
 */
export function testsOf(path: string, contractsRoot: string): readonly string[] {
  const known = new Map<string, Contract>();
  for (const source of sourcesOf(path, contractsRoot).values()) {
    for (const [name, contract] of contractsIn(source)) known.set(name, contract);
  }
  const names = new Set<string>();
  for (const contract of contractsIn(withoutComments(readFileSync(path, "utf8"))).values()) {
    if (!contract.isAbstract) collect(contract, known, names);
  }
  return [...names];
}

/**
 * The file and everything of the project that it imports, without comments, by path. Imports are relative, or start with
 * the remapped `src/`, `script/` or `test/`.
 */
export function sourcesOf(path: string, contractsRoot: string, seen = new Map<string, string>()): Map<string, string> {
  if (seen.has(path)) return seen;
  const source = withoutComments(readFileSync(path, "utf8"));
  seen.set(path, source);
  for (const [, target = ""] of source.matchAll(IMPORT)) {
    if (target.startsWith(".")) sourcesOf(join(dirname(path), target), contractsRoot, seen);
    else if (REMAPPED.test(target)) sourcesOf(join(contractsRoot, target), contractsRoot, seen);
  }
  return seen;
}

/** Errors that a source names by their selector. `expectPartialRevert` does not count, because it ignores arguments. */
export function selectorsIn(source: string): ReadonlySet<string> {
  const exact = source.replace(/expectPartialRevert\([^)]*\)/g, "");
  return new Set([...exact.matchAll(/\.(\w+)\.selector\b/g)].map(([, name = ""]) => name));
}

function contractsIn(source: string): Map<string, Contract> {
  const starts = [...source.matchAll(CONTRACT)];
  return new Map(
    starts.map((match, index) => {
      const [, abstractKeyword, name = "", bases = ""] = match;
      const body = source.slice(match.index, starts[index + 1]?.index);
      return [
        name,
        {
          isAbstract: abstractKeyword !== undefined,
          bases: bases.split(",").map((base) => base.replace(/\(.*/s, "").trim()),
          tests: [...body.matchAll(TEST)].map(([, test = ""]) => test),
        },
      ];
    }),
  );
}

function collect(contract: Contract, known: ReadonlyMap<string, Contract>, names: Set<string>): void {
  for (const test of contract.tests) names.add(test);
  for (const base of contract.bases) {
    const found = known.get(base);
    if (found !== undefined) collect(found, known, names);
  }
}

/** The source with a space in place of each comment. Strings are kept, whatever they contain. */
export function withoutComments(source: string): string {
  return source.replace(/"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (part) =>
    part.startsWith('"') ? part : " ",
  );
}
