/**
 * `pnpm mutants:known`: applies the mutants of `contracts/test/knownMutants.json`, one at a time, to a copy of the tree.
 * For each invariant that a mutant names, a test has to fail. `--table` runs nothing: it writes the columns of
 * docs/invariants.md that are derived from the tests and the list of mutants.
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { constants, setPriority, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { commandLine } from "./lib/commandLine.ts";
import { foundryBinary } from "./lib/foundry.ts";
import {
  bears,
  type KnownMutant,
  locate,
  mutantsCell,
  readMutants,
  readTable,
  TABLE,
  testsCell,
  testsOf,
} from "./lib/invariants.ts";

const root = resolve(import.meta.dirname, "..");

/**
 * Names of the tests that fail on a mutant.
 * @param copy A copy of the tree, restored afterwards.
 * @param within Text that the paths of the tests contain.
 * @throws Error if there is no such test, or forge prints no report
 */
function redTests(copy: string, mutant: KnownMutant, within: string): string[] {
  const { file, mutated } = locate(copy, mutant);
  const original = readFileSync(join(copy, file), "utf8");
  const files = mutant.ids.flatMap((id) => [...testsOf(copy, id).keys()]);
  const paths = new Set(files.filter((path) => path.includes(within)));
  if (!paths.size) throw new Error(`no test of ${mutant.ids.join(", ")} has a path that contains "${within}"`);
  writeFileSync(join(copy, file), mutated);
  try {
    const args = [
      "test",
      "--json",
      "--match-path",
      `{${[...paths].join(",")}}`,
      "--match-test",
      `_(${mutant.ids.join("|")})(_|\\b)`,
    ];
    const env = {
      ...process.env,
      // A mutant may leave a parameter unused.
      FOUNDRY_DENY: "never",
      FOUNDRY_FUZZ_RUNS: "1000",
      FOUNDRY_INVARIANT_SHRINK_RUN_LIMIT: "0",
      // A failure under one mutant must not be replayed under the next.
      FOUNDRY_FUZZ_FAILURE_PERSIST_DIR: join(copy, "cache/failures"),
    };
    rmSync(join(copy, "cache/failures"), { recursive: true, force: true });
    rmSync(join(copy, "cache/invariant"), { recursive: true, force: true });
    const run = spawnSync(foundryBinary("forge"), args, { cwd: copy, env, encoding: "utf8", maxBuffer: 2 ** 28 });
    if (run.error) throw run.error;
    const report = run.stdout.split("\n").find((line) => line.startsWith("{"));
    if (!report) throw new Error(`forge printed no report on "${mutant.breaks}":\n${run.stdout}\n${run.stderr}`);
    const suites = JSON.parse(report) as Record<string, { test_results: Record<string, { status: string }> }>;
    return Object.values(suites).flatMap(({ test_results }) =>
      Object.entries(test_results).flatMap(([name, { status }]) =>
        status === "Failure" ? [name.replace(/\(.*/, "")] : [],
      ),
    );
  } finally {
    writeFileSync(join(copy, file), original);
  }
}

/** A copy of what forge needs, with its caches, so that runs and the tree do not affect each other. */
function copyTree(): string {
  const copy = mkdtempSync(join(tmpdir(), "mutants-"));
  for (const name of ["contracts", "tools", "foundry.toml", "package.json", "cache", "out"]) {
    if (existsSync(join(root, name)))
      cpSync(join(root, name), join(copy, name), { recursive: true, preserveTimestamps: true });
  }
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  return copy;
}

function runMutants(wanted: readonly string[], within: string): void {
  const mutants = readMutants(root).filter(({ ids }) => !wanted.length || ids.some((id) => wanted.includes(id)));
  const copy = copyTree();
  let survivors = 0;
  try {
    for (const mutant of mutants) {
      const start = Date.now();
      const red = redTests(copy, mutant, within);
      const missed = mutant.ids.filter((id) => !red.some((name) => bears(name, id)));
      if (missed.length) ++survivors;
      const verdict = missed.length ? `SURVIVES the tests of ${missed.join(", ")}` : "red";
      console.log(
        `${mutant.ids.join(", ")}: ${mutant.breaks}: ${verdict} (${Math.round((Date.now() - start) / 1000)} s)`,
      );
      for (const name of red) console.log(`    ${name}`);
    }
  } finally {
    rmSync(copy, { recursive: true });
  }
  console.log(`${mutants.length} mutants, ${survivors} survive`);
  process.exitCode = survivors || !mutants.length ? 1 : 0;
}

function writeTable(): void {
  const mutants = readMutants(root);
  let page = readFileSync(join(root, TABLE), "utf8");
  for (const { id, property, state } of readTable(root)) {
    const cells = [id, property, state, testsCell(root, id), mutantsCell(mutants, id)];
    page = page.replace(new RegExp(`^\\| ${id} \\|.*$`, "m"), () => `| ${cells.join(" | ")} |`);
  }
  writeFileSync(join(root, TABLE), page);
}

const { values, positionals } = commandLine({
  usage: "pnpm mutants:known [ID…]",
  summary: `Applies the known mutants of the invariants given, or of all, to a copy of the tree, one at a time. Ends with 1 if no
test of an invariant fails on a mutant that breaks it.`,
  options: {
    in: { type: "string", default: "", value: "<text>", help: "run only tests whose path contains the text" },
    table: { type: "boolean", default: false, help: "write the table of docs/invariants.md instead" },
  },
  allowPositionals: true,
});
if (values.table) {
  writeTable();
} else {
  // Lowest priority, so that everything else on this machine runs first.
  setPriority(constants.priority.PRIORITY_LOW);
  runMutants(positionals, values.in);
}
