/**
 * `pnpm coverage`: measures how much of `contracts/src` the unit, fuzz, scenario and upgrade tests reach, by file. Exits
 * with 1 below the thresholds.
 *
 * Forge measures without the optimizer, so two groups of tests are left out: gas tests, which measure optimized code,
 * and tests across two LayerZero endpoints, whose sources do not compile without it. Invariant campaigns and the tests of
 * deployments and of an example are left out, too: they would hide that a function has no test of its own.
 */
import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commandLine } from "./lib/commandLine.ts";
import { foundryBinary, NEEDS_OPTIMIZER } from "./lib/foundry.ts";
import { type Measure, parseLcov, percentOf, shortfalls } from "./lib/lcov.ts";

const THRESHOLDS = { lines: 98, branches: 95 };
/** Enough to reach every class of inputs. `pnpm forge test` fuzzes more. */
const FUZZ_RUNS = "64";

commandLine({
  usage: "pnpm coverage",
  summary: `Measures how much of contracts/src the unit, fuzz, scenario and upgrade tests reach, file by file. Ends with 1 if
that is less than ${THRESHOLDS.lines} % of the lines or ${THRESHOLDS.branches} % of the branches.`,
});
const directory = mkdtempSync(join(tmpdir(), "coverage-"));
try {
  const trace = join(directory, "lcov.info");
  const excluded = [
    "contracts/test/gas/**",
    "contracts/test/invariant/**",
    "contracts/script/**",
    "contracts/test/integration/RwaDeskExample.t.sol",
    "contracts/test/integration/deploy/**",
  ];
  const { status, error } = spawnSync(
    foundryBinary("forge"),
    [
      "coverage",
      "--report",
      "lcov",
      "--report-file",
      trace,
      "--exclude-tests",
      "--skip",
      ...NEEDS_OPTIMIZER,
      ...excluded,
    ],
    {
      stdio: ["ignore", "inherit", "inherit"],
      // Leaves out storage layouts, because the compiler's output for all sources at once nearly fills its memory.
      env: { ...process.env, FOUNDRY_FUZZ_RUNS: FUZZ_RUNS, FOUNDRY_EXTRA_OUTPUT: "[]" },
    },
  );
  if (error) throw error;
  if (status !== 0) throw new Error(`forge coverage exited with ${status}`);
  report(readFileSync(trace, "utf8"));
} finally {
  rmSync(directory, { recursive: true });
}

function report(trace: string): void {
  const files = parseLcov(trace).filter(({ path }) => path.startsWith("contracts/src/"));
  console.table(Object.fromEntries(files.map(({ path, lines, branches }) => [path, row(lines, branches)])));
  for (const { path, lines, branches } of files) {
    if (lines.missed.length > 0) console.log(`${path}: lines not reached: ${lines.missed.join(", ")}`);
    if (branches.missed.length > 0) console.log(`${path}: branches not taken at: ${branches.missed.join(", ")}`);
  }
  const { lines, branches } = row(
    files.map((file) => file.lines),
    files.map((file) => file.branches),
  );
  console.log(`contracts/src: lines ${lines}, branches ${branches}`);

  // Interfaces have no code.
  const required = globSync("contracts/src/**/*.sol").filter((path) => !path.startsWith("contracts/src/interfaces/"));
  const reasons = shortfalls(files, required, THRESHOLDS);
  for (const reason of reasons) console.error(`coverage: ${reason}`);
  if (reasons.length > 0) process.exitCode = 1;
}

function row(lines: Measure | Measure[], branches: Measure | Measure[]) {
  const show = (measures: Measure | Measure[]) => `${percentOf([measures].flat()).toFixed(2)} %`;
  return { lines: show(lines), branches: show(branches) };
}
