/** Reads test names and expected errors out of Solidity sources, without compiling them. */
import { dirname, join } from "node:path";

/** Reads a source by its path; throws when there is none. */
type ReadSource = (path: string) => string;

interface Contract {
  readonly isAbstract: boolean;
  readonly bases: readonly string[];
  readonly tests: readonly string[];
}

const CONTRACT = /\b(abstract\s+)?contract\s+(\w+)(?:\s+is\s+([^{]+))?\s*\{/g;
const TEST = /\bfunction\s+(test\w*)\s*\(/g;
const IMPORT = /\bimport\s+(?:\{[^}]*\}\s+from\s+)?"(\.{1,2}\/[^"]+)"/g;

/**
 * Names of the test functions that the contracts of a file run, inherited ones included, each once.
 * Bases are followed through relative imports; others (forge-std, OpenZeppelin) hold no tests.
 */
export function testsOf(path: string, read: ReadSource): readonly string[] {
  const known = new Map<string, Contract>();
  for (const source of sourcesOf(path, read).values()) {
    for (const [name, contract] of contractsIn(source)) known.set(name, contract);
  }
  const names = new Set<string>();
  for (const contract of contractsIn(withoutComments(read(path))).values()) {
    if (!contract.isAbstract) collect(contract, known, names);
  }
  return [...names];
}

/** The file and everything it imports relatively, without comments, by path. */
export function sourcesOf(path: string, read: ReadSource, seen = new Map<string, string>()): Map<string, string> {
  if (seen.has(path)) return seen;
  const source = withoutComments(read(path));
  seen.set(path, source);
  for (const [, target = ""] of source.matchAll(IMPORT)) sourcesOf(join(dirname(path), target), read, seen);
  return seen;
}

/** Errors that a source names by their selector. `expectPartialRevert` does not count, since it ignores arguments. */
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

/** The source with a space in place of each comment. Strings are kept, whatever they hold. */
export function withoutComments(source: string): string {
  return source.replace(/"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (part) =>
    part.startsWith('"') ? part : " ",
  );
}
