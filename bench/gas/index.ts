/**
 * `pnpm bench:gas`: compares the whole-transaction gas of this system's operations with limits and peers. Runs the
 * project's own gas tests and those of this folder, prints the table, and writes it to this folder's README and to
 * `bench/results/gas.json`. Method: README.md.
 */
import { spawnSync } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { commandLine } from "../../tools/lib/commandLine.ts";
import { foundryBinary } from "../../tools/lib/foundry.ts";
import { compare, type Figures, markdown, profileMarkdown } from "./report.ts";

commandLine({
  usage: "pnpm bench:gas",
  summary: `Measures the gas of whole transactions beside bars and peers. Writes the tables of bench/gas/README.md, and
bench/results/gas.json.`,
});

const FOLDER = import.meta.dirname;
const ROOT = resolve(FOLDER, "../..");
const RESULTS = join(ROOT, "bench/results");
const README = join(FOLDER, "README.md");
const EMIT = ["--gas-snapshot-check=false", "--gas-snapshot-emit=true"];

const ours = measure(ROOT, ["--match-path", "contracts/test/gas/*"]);
forge(FOLDER, ["build"], {
  FOUNDRY_PROFILE: "morpho",
  SOLC_PACKAGE: join(FOLDER, "node_modules/solc-0.8.19"),
});
const peers = measure(FOLDER, []);

const result = compare(ours, peers);
const tables = { table: markdown(result), profile: profileMarkdown(result) };
console.log(`${tables.table}\n\n${tables.profile}\n`);
for (const key of staleSnapshots()) console.log(`contracts/snapshots is stale: ${key} (run \`pnpm gas\`)`);
mkdirSync(RESULTS, { recursive: true });
writeFileSync(join(RESULTS, "gas.json"), `${JSON.stringify(result, null, 2)}\n`);
writeFileSync(README, Object.entries(tables).reduce(insert, readFileSync(README, "utf8")));

/** Runs the tests of a Foundry project and returns the gas that they recorded. */
function measure(project: string, filter: readonly string[]): Figures {
  const directory = mkdtempSync(join(tmpdir(), "gas-"));
  try {
    forge(project, ["test", ...EMIT, ...filter], { FOUNDRY_SNAPSHOTS: directory });
    return readSnapshots(directory);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function forge(cwd: string, args: readonly string[], settings: Readonly<Record<string, string>>): void {
  const { status, error } = spawnSync(foundryBinary("forge"), args, {
    cwd,
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, ...settings },
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`forge ${args.join(" ")} ended with ${status} in ${cwd}`);
}

function readSnapshots(directory: string): Figures {
  const files = globSync(join(directory, "*.json"));
  return Object.fromEntries(
    files.map((file) => {
      const group = JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;
      return [basename(file, ".json"), Object.fromEntries(Object.entries(group).map(([k, gas]) => [k, Number(gas)]))];
    }),
  );
}

/** Committed figures that this run did not reproduce. */
function staleSnapshots(): string[] {
  const committed = readSnapshots(join(ROOT, "contracts/snapshots"));
  return Object.entries(ours).flatMap(([group, figures]) =>
    Object.keys(figures)
      .filter((name) => committed[group]?.[name] !== figures[name])
      .map((name) => `${group}, ${name}`),
  );
}

/** Puts a table between the lines of the README that name it. */
function insert(text: string, [name, table]: [string, string]): string {
  const [first, last] = [`<!-- ${name}: written by pnpm bench:gas -->`, `<!-- end of ${name} -->`];
  const [begin, end] = [text.indexOf(first), text.indexOf(last)];
  if (begin < 0 || end < begin) throw new Error(`${README} lacks "${first}" or "${last}"`);
  return `${text.slice(0, begin)}${first}\n\n${table}\n\n${text.slice(end)}`;
}
