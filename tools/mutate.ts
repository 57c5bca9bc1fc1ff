/**
 * `pnpm mutate [--sample N] [--seed S] [--retry] [file …]`: plants small faults in the swap, fee and yield code, one at a
 * time, and lists those that no unit or fuzz test notices. Takes hours for everything; results are kept under
 * `.mutation/` and only what is new or changed runs again (`--retry`: survivors too). `--sample` tries N mutants a
 * file, chosen by the seed. Red while a mutant survives.
 *
 * Each mutant meets the tests nearest to it first and all others only when those pass. Code is compiled without the
 * optimizer, in a copy of the project.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { foundryBinary, NEEDS_OPTIMIZER } from "./foundry.ts";
import { applyMutant, describeMutant, type Mutant, mutantsOf } from "./mutants.ts";
import { collectSources, compile } from "./solidity.ts";

/** The tests nearest to each file. */
const NEAREST: Readonly<Record<string, string>> = {
  "contracts/src/libraries/FeeMath.sol": "contracts/test/fuzz/FeeMath.t.sol",
  "contracts/src/libraries/ValueMath.sol": "contracts/test/fuzz/ValueMath.t.sol",
  "contracts/src/libraries/YieldMath.sol": "contracts/test/fuzz/YieldMath.t.sol",
  "contracts/src/components/CoreSwapQuoting.sol": "contracts/test/fuzz/QuoteFuzz.t.sol",
  "contracts/src/components/TreasuryDelegateAccrual.sol": "contracts/test/fuzz/TreasuryDelegateModel.t.sol",
  "contracts/src/components/TreasuryDelegateCredits.sol": "contracts/test/fuzz/TreasuryDelegateModel.t.sol",
  "contracts/src/components/TreasuryDelegateRates.sol": "contracts/test/fuzz/TreasuryDelegateModel.t.sol",
};
const ALL_TESTS = "contracts/test/{unit,fuzz}/**";
/** A mutant that never ends is noticed, too. */
const TIME_LIMIT_MS = 15 * 60_000;
const ENVIRONMENT = { FOUNDRY_OPTIMIZER: "false", FOUNDRY_DENY: "never", FOUNDRY_FUZZ_RUNS: "64" };
const RESULTS = ".mutation/results.json";

const outcome = z.enum(["killed", "survived", "invalid"]);
type Outcome = z.infer<typeof outcome>;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: "string" },
    seed: { type: "string", default: "1" },
    retry: { type: "boolean", default: false },
  },
});
const results = existsSync(RESULTS)
  ? z.record(z.string(), z.object({ mutant: z.string(), outcome })).parse(JSON.parse(readFileSync(RESULTS, "utf8")))
  : {};

const green = new Set<string>();
const project = mkdtempSync(join(tmpdir(), "mutate-"));
try {
  for (const name of ["contracts", "tools", "foundry.toml"]) cpSync(name, join(project, name), { recursive: true });
  for (const name of ["node_modules", "package.json"]) symlinkSync(resolve(name), join(project, name));
  const files = positionals.length > 0 ? positionals : Object.keys(NEAREST);
  for (const path of files) await mutateFile(path);
} finally {
  rmSync(project, { recursive: true });
}

async function mutateFile(path: string): Promise<void> {
  const source = readFileSync(path, "utf8");
  const counts: Record<Outcome, number> = { killed: 0, survived: 0, invalid: 0 };
  const { sources } = await compile(collectSources(path));
  for (const mutant of choose(path, mutantsOf(source, sources[path]?.ast))) {
    const mutated = applyMutant(source, mutant);
    const key = createHash("sha256").update(`${path}\0${mutated}`).digest("hex");
    const known = results[key]?.outcome;
    const again = known === undefined || (known === "survived" && options.retry);
    const name = describeMutant(path, source, mutant);
    const result = again ? tryMutant(path, source, mutated) : known;
    results[key] = { mutant: name, outcome: result };
    mkdirSync(".mutation", { recursive: true });
    writeFileSync(RESULTS, JSON.stringify(results, null, 2));
    counts[result]++;
    if (again || result === "survived") console.log(`${result} ${name}`);
    if (result === "survived") process.exitCode = 1;
  }
  console.log(`${path}: ${counts.killed} killed, ${counts.survived} survived, ${counts.invalid} did not compile`);
}

function choose(path: string, mutants: Mutant[]): Mutant[] {
  const rank = ({ start, length, replacement }: Mutant) =>
    createHash("sha256").update(`${options.seed}\0${path}\0${start}\0${length}\0${replacement}`).digest("hex");
  return options.sample === undefined
    ? mutants
    : mutants.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1)).slice(0, Number(options.sample));
}

function tryMutant(path: string, source: string, mutated: string): Outcome {
  const nearest = NEAREST[path];
  for (const tests of nearest ? [nearest, ALL_TESTS] : [ALL_TESTS]) {
    requireGreen(tests);
    writeFileSync(join(project, path), mutated);
    const result = test(tests);
    writeFileSync(join(project, path), source);
    if (result !== "survived") return result;
  }
  return "survived";
}

/** Tests that are red without a mutant would kill every one. */
function requireGreen(tests: string): void {
  if (green.has(tests)) return;
  if (test(tests) !== "survived") throw new Error(`${tests} fails without any mutant`);
  green.add(tests);
}

/** What the tests of a path make of the copy. */
function test(path: string): Outcome {
  const { status, stdout, stderr, error } = spawnSync(
    foundryBinary("forge"),
    ["test", "--root", project, "--match-path", path, "--fail-fast", "--skip", ...NEEDS_OPTIMIZER],
    {
      encoding: "utf8",
      env: { ...process.env, ...ENVIRONMENT },
      maxBuffer: 2 ** 28,
      timeout: TIME_LIMIT_MS,
      killSignal: "SIGKILL",
    },
  );
  if (error) {
    if ("code" in error && error.code === "ETIMEDOUT") return "killed";
    throw error;
  }
  if (status === 0 && /[1-9]\d* tests passed/.test(stdout)) return "survived";
  if (stdout.includes("Compiler run failed") || stderr.includes("Compiler run failed")) return "invalid";
  if (stdout.includes("[FAIL")) return "killed";
  throw new Error(`forge ended with ${status} on ${path}:\n${stdout}\n${stderr}`);
}
