/**
 * `pnpm mutants:generated`: plants small faults (mutants) in the swap, fee and yield code, one at a time, and lists
 * those that no unit or fuzz test notices.
 *
 * The tests nearest to a mutant run first, and all others only when those pass. Code is compiled without the optimizer,
 * in copies of the project that hold only these tests, because with `--match-path` forge would first read every test.
 * Tests deploy what they test by name (`dynamic_test_linking`), so that a mutant is compiled without them.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { z } from "zod";
import { commandLine, wholeNumber } from "./lib/commandLine.ts";
import { foundryBinary, NEEDS_OPTIMIZER } from "./lib/foundry.ts";
import { applyMutant, describeMutant, type Mutant, mutantsOf } from "./lib/mutation.ts";
import { collectSources, compile } from "./lib/solidity.ts";

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
/** A mutant under which the tests never end counts as noticed. */
const TIME_LIMIT_MS = 15 * 60_000;
const ENVIRONMENT = {
  FOUNDRY_OPTIMIZER: "false",
  FOUNDRY_DENY: "never",
  FOUNDRY_FUZZ_RUNS: "64",
  FOUNDRY_DYNAMIC_TEST_LINKING: "true",
  // Only other tools read these, and writing them takes longer than compiling a mutant.
  FOUNDRY_BUILD_INFO: "false",
  FOUNDRY_AST: "false",
  FOUNDRY_EXTRA_OUTPUT: "[]",
};
const RESULTS = ".mutation/results.json";

const outcome = z.enum(["killed", "survived", "invalid"]);
type Outcome = z.infer<typeof outcome>;

const { values: options, positionals } = commandLine({
  usage: "pnpm mutants:generated [file…]",
  summary: `Plants one small fault at a time in the files given, or in all swap, fee and yield code, and lists those that no unit
or fuzz test notices. Ends with 1 if there is one. A full run takes hours; results are kept in .mutation/, and only what
is new or changed runs again.`,
  allowPositionals: true,
  options: {
    sample: { type: "string", value: "<count>", help: "try this many mutants per file, chosen by the seed" },
    seed: { type: "string", default: "1", value: "<number>", help: "seed of the sample" },
    retry: { type: "boolean", default: false, help: "try mutants that survived again" },
  },
});
const sample = options.sample === undefined ? Number.POSITIVE_INFINITY : wholeNumber("sample", options.sample);
const results = existsSync(RESULTS)
  ? z.record(z.string(), z.object({ mutant: z.string(), outcome })).parse(JSON.parse(readFileSync(RESULTS, "utf8")))
  : {};

/** Copies of the project, by the tests that they hold. */
const projects = new Map<string, string>();
try {
  const files = positionals.length > 0 ? positionals : Object.keys(NEAREST);
  for (const path of files) await mutateFile(path);
} finally {
  for (const project of projects.values()) rmSync(project, { recursive: true });
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
    : mutants.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1)).slice(0, sample);
}

function tryMutant(path: string, source: string, mutated: string): Outcome {
  const nearest = NEAREST[path];
  for (const tests of nearest ? [nearest, ALL_TESTS] : [ALL_TESTS]) {
    const project = projectOf(tests);
    writeFileSync(join(project, path), mutated);
    const result = test(project);
    writeFileSync(join(project, path), source);
    if (result !== "survived") return result;
  }
  return "survived";
}

/**
 * A copy of the project that holds only these tests.
 * @throws Error when they fail without a mutant, since they would then kill every mutant
 */
function projectOf(tests: string): string {
  const known = projects.get(tests);
  if (known !== undefined) return known;
  const project = mkdtempSync(join(tmpdir(), "mutate-"));
  projects.set(tests, project);
  for (const name of ["contracts", "tools", "foundry.toml"]) cpSync(name, join(project, name), { recursive: true });
  for (const name of ["node_modules", "package.json"]) symlinkSync(resolve(name), join(project, name));
  const wanted = new Set(globSync(tests));
  for (const test of globSync("contracts/test/**/*.t.sol")) if (!wanted.has(test)) rmSync(join(project, test));
  if (test(project) !== "survived") throw new Error(`${tests} fails without any mutant`);
  return project;
}

/**
 * Runs the tests of a copy.
 * @throws Error when forge ends otherwise than by passing, failing or not compiling
 */
function test(project: string): Outcome {
  const { status, stdout, stderr, error } = spawnSync(
    foundryBinary("forge"),
    ["test", "--root", project, "--fail-fast", "--skip", ...NEEDS_OPTIMIZER],
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
  throw new Error(`forge ended with ${status}:\n${stdout}\n${stderr}`);
}
