/**
 * `pnpm mutants:generated`: plants small faults (mutants) in the contracts, one at a time, and lists those that no test
 * notices.
 *
 * The tests nearest to a mutant run first, and all others only when those pass. Code is compiled without the optimizer,
 * in copies of the project that hold only these tests, because with `--match-path` forge would first read every test.
 * Tests deploy what they test by name (`dynamic_test_linking`), so that a mutant is compiled without them
 * ({@link compilerOfUsers}).
 *
 * Results are kept by the mutated code without its comments, so that a run continues where an earlier one ended, and an
 * edited comment does not repeat anything. A file whose mutants have all been tried is entered in the committed record.
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
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, matchesGlob, posix, resolve } from "node:path";
import { z } from "zod";
import { commandLine, refuse, wholeNumber } from "./lib/commandLine.ts";
import { compilerOfUsers, withDeployedCode } from "./lib/deployedCode.ts";
import { foundryBinary, NEEDS_OPTIMIZER } from "./lib/foundry.ts";
import { applyMutant, describeMutant, KINDS, type Kind, type Mutant, mutantsOf, mutatedLines } from "./lib/mutation.ts";
import { codeHash, codeOf, mutableFiles, storeFile, survivorsIn, writePage } from "./lib/mutationRecord.ts";
import { collectSources, compile } from "./lib/solidity.ts";

/** The tests that run on the mutants of a file. */
interface Batch {
  /** Files, as a pattern. */
  readonly files: string;
  /** The tests nearest to them. */
  readonly nearest: string;
  /** The tests that run when those pass. */
  readonly others?: string;
  /** Whether the nearest tests contain the code, instead of deploying it. */
  readonly inNearest?: boolean;
  /** Whether the tests compile only with the optimizer. */
  readonly needsOptimizer?: boolean;
}

const ALL_TESTS = "contracts/test/{unit,fuzz,integration/scenarios}/**";
/** The first that matches a file, in the order in which files run. */
const BATCHES: readonly Batch[] = [
  {
    files: "contracts/src/components/CoreSwapRegistry.sol",
    nearest: "contracts/test/unit/coreSwap/{set*Acceptance,setRwaAdapters,setStablecoinUSDValue,configure*}/**",
  },
  {
    files: "contracts/src/components/CoreSwapSettlement.sol",
    nearest: "contracts/test/unit/coreSwap/{settlement,swap}/**",
  },
  {
    files: "contracts/src/components/CoreSwapAuthorization.sol",
    nearest: "contracts/test/unit/coreSwap/{adjustSwapInputAllowance,domainSeparator,nonces,swap?*}/**",
  },
  {
    files: "contracts/src/components/CoreSwapAutoLiquidity.sol",
    nearest: "contracts/test/unit/coreSwap/{autoLiquidity,setAutoLiquidityStablecoinID}/**",
  },
  {
    files:
      "contracts/src/{*StablecoinDelegate,BalanceSheetDelegate,components/{StablecoinDelegate*,Administered,Pausing}}.sol",
    nearest: "contracts/test/unit/{stablecoinDelegate,balanceSheetDelegate,common}/**",
  },
  { files: "contracts/src/adapters/NavPriceAdapter.sol", nearest: "contracts/test/unit/adapters/navPriceAdapter/**" },
  {
    files: "contracts/src/adapters/ERC4626PriceAdapter.sol",
    nearest: "contracts/test/unit/adapters/erc4626PriceAdapter/**",
  },
  { files: "contracts/src/adapters/*.sol", nearest: "contracts/test/unit/adapters/{chainlink*,tBill*}/**" },
  {
    files: "contracts/src/bridge/*.sol",
    nearest: "contracts/test/integration/TreasuryOFTAdapterCalls.t.sol",
    others: "contracts/test/unit/bridge/**",
    needsOptimizer: true,
  },
  { files: "contracts/src/Treasury.sol", nearest: "contracts/test/unit/treasury/**" },
  {
    files: "contracts/src/components/CoreSwapFees.sol",
    nearest: "contracts/test/unit/coreSwap/{set*Rate*,setProtocolFeeExempt}/**",
  },
  { files: "contracts/src/components/CoreSwapQuoting.sol", nearest: "contracts/test/fuzz/QuoteFuzz.t.sol" },
  { files: "contracts/src/{CoreSwap,components/CoreSwap*}.sol", nearest: "contracts/test/unit/coreSwap/**" },
  {
    files: "contracts/src/libraries/{Fee,Value,Yield}Math.sol",
    nearest: "contracts/test/fuzz/{Fee,Value,Yield}Math.t.sol",
    inNearest: true,
  },
  {
    files: "contracts/src/libraries/DailyLimit.sol",
    nearest: "contracts/test/unit/{adapters/navPriceAdapter,treasury/setBridgeLimit}/**",
  },
  { files: "contracts/src/storage/*.sol", nearest: "contracts/test/unit/{common,treasury,treasuryDelegate}/**" },
  { files: "contracts/src/**", nearest: "contracts/test/{unit/treasuryDelegate/**,fuzz/TreasuryDelegateModel.t.sol}" },
];
/** Generous, for busy machines. A mutant whose tests take longer counts as neither killed nor survived. */
const TIME_LIMIT_MS = 15 * 60_000;
const ENVIRONMENT = {
  FOUNDRY_DENY: "never",
  FOUNDRY_FUZZ_RUNS: "64",
  FOUNDRY_DYNAMIC_TEST_LINKING: "true",
  // Only other tools read these, and writing them takes longer than compiling a mutant.
  FOUNDRY_BUILD_INFO: "false",
  FOUNDRY_AST: "false",
  FOUNDRY_EXTRA_OUTPUT: "[]",
};
const RESULTS = ".mutation/results.json";

const outcome = z.enum(["killed", "survived", "invalid", "timedOut"]);
type Outcome = z.infer<typeof outcome>;

const { values: options, positionals } = commandLine({
  usage: "pnpm mutants:generated [file…]",
  summary: `Plants one small fault at a time in the files given, or in all contracts, and lists those that no test notices. Ends
with 1 if one of them is not explained in contracts/test/generatedMutants.json. A full run takes hours; results are kept
in .mutation/, and only what is new or changed runs again. Files that are tried to the end are entered in
contracts/test/generatedMutants.json and docs/mutation.md.`,
  allowPositionals: true,
  options: {
    kind: {
      type: "string",
      multiple: true,
      value: "<kind>",
      help: `try only this kind of mutant (${KINDS.join(", ")}); may be repeated`,
    },
    minutes: { type: "string", value: "<count>", help: "begin no mutant after this many minutes" },
    sample: { type: "string", value: "<count>", help: "try this many mutants per file, chosen by the seed" },
    seed: { type: "string", default: "1", value: "<number>", help: "seed of the sample" },
    retry: { type: "boolean", default: false, help: "try mutants that survived, or did not end in time, again" },
    page: { type: "boolean", default: false, help: "only write docs/mutation.md anew, after a change of code" },
  },
});
const kinds = options.kind === undefined ? KINDS : options.kind.map(kindOf);
const sample = options.sample === undefined ? Number.POSITIVE_INFINITY : wholeNumber("sample", options.sample);
const minutes = options.minutes === undefined ? Number.POSITIVE_INFINITY : wholeNumber("minutes", options.minutes);
const deadline = Date.now() + minutes * 60_000;
const results = existsSync(RESULTS)
  ? z.record(z.string(), z.object({ mutant: z.string(), outcome })).parse(JSON.parse(readFileSync(RESULTS, "utf8")))
  : {};

/** Files whose tests pass while their own code is put in its place: only then does a failure come from a mutant. */
const accepted = new Set<string>();
/** Copies of the project, by the tests that they contain. */
const projects = new Map<string, string>();
if (options.page) {
  writePage();
} else {
  try {
    for (const path of filesInOrder()) await mutateFile(path);
  } finally {
    for (const project of projects.values()) rmSync(project, { recursive: true });
  }
}

function kindOf(text: string): Kind {
  return KINDS.find((kind) => kind === text) ?? refuse(`--kind is "${text}", expected one of ${KINDS.join(", ")}`);
}

function filesInOrder(): string[] {
  const known = mutableFiles();
  const unknown = positionals.filter((path) => !known.includes(path));
  if (unknown.length > 0) refuse(`${unknown.join(", ")}: expected files of contracts/src with code`);
  if (positionals.length > 0) return positionals;
  return known.toSorted((a, b) => BATCHES.indexOf(batchOf(a)) - BATCHES.indexOf(batchOf(b)));
}

function batchOf(path: string): Batch {
  const batch = BATCHES.find(({ files }) => matchesGlob(path, files));
  if (batch === undefined) throw new Error(`no tests are named for ${path}`);
  return batch;
}

async function mutateFile(path: string): Promise<void> {
  const source = readFileSync(path, "utf8");
  const { sources } = await compile(collectSources(path));
  const ast = sources[path]?.ast;
  const outcomes: { mutant: Mutant; result: Outcome }[] = [];
  const all = mutantsOf(source, ast).filter(({ kind }) => kinds.includes(kind));
  const chosen = choose(path, all);
  const compileMutant = compilerOfUsers(path);
  for (const mutant of chosen) {
    const mutated = applyMutant(source, mutant);
    const key = createHash("sha256")
      .update(`${path}\0${codeOf(mutated)}`)
      .digest("hex");
    const known = results[key]?.outcome;
    const again = known === undefined || (options.retry && (known === "survived" || known === "timedOut"));
    if (again && Date.now() > deadline) return;
    const name = describeMutant(path, source, mutant);
    const result = again ? tryMutant(path, source, mutated, compileMutant) : known;
    if (again) store(key, name, result);
    outcomes.push({ mutant, result });
    if (again || result === "survived") console.log(`${result} ${name}`);
  }
  const count = (result: Outcome, of = outcomes) => of.filter((tried) => tried.result === result).length;
  console.log(`${path}: ${outcome.options.map((result) => `${count(result)} ${result}`).join(", ")}`);
  if (chosen.length < all.length) return;
  if (kinds.includes("changes") && count("survived") > 0 && count("killed") === 0) {
    throw new Error(`no test noticed any mutant of ${path}`);
  }
  const byKind = kinds.map((kind) => {
    const ofKind = outcomes.filter(({ mutant }) => mutant.kind === kind);
    const survivors = ofKind
      .filter(({ result }) => result === "survived")
      .map(({ mutant }) => ({ mutant: mutatedLines(source, ast, mutant), reason: "" }));
    return [
      kind,
      {
        killed: count("killed", ofKind),
        timedOut: count("timedOut", ofKind),
        invalid: count("invalid", ofKind),
        survivors,
      },
    ] as const;
  });
  const record = storeFile(path, { code: codeHash(path, source), results: Object.fromEntries(byKind) });
  const file = record[path];
  if (file && survivorsIn(file).some(({ reason }) => reason === "")) process.exitCode = 1;
}

function store(key: string, mutant: string, result: Outcome): void {
  results[key] = { mutant, outcome: result };
  mkdirSync(".mutation", { recursive: true });
  // Writes a new file and renames it, so that a kill at this point leaves the results intact.
  writeFileSync(`${RESULTS}.new`, JSON.stringify(results, null, 2));
  renameSync(`${RESULTS}.new`, RESULTS);
}

function choose(path: string, mutants: Mutant[]): Mutant[] {
  const rank = ({ start, length, replacement }: Mutant) =>
    createHash("sha256").update(`${options.seed}\0${path}\0${start}\0${length}\0${replacement}`).digest("hex");
  return options.sample === undefined
    ? mutants
    : mutants.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1)).slice(0, sample);
}

function tryMutant(
  path: string,
  source: string,
  mutated: string,
  compileMutant: ReturnType<typeof compilerOfUsers>,
): Outcome {
  const { nearest, others = ALL_TESTS, needsOptimizer = false, inNearest = false } = batchOf(path);
  for (const tests of [nearest, others]) {
    const project = projectOf(tests, needsOptimizer);
    const run = () => test(project, needsOptimizer);
    let result: Outcome;
    if (needsOptimizer || (inNearest && tests === nearest)) {
      writeFileSync(join(project, path), mutated);
      result = run();
      writeFileSync(join(project, path), source);
    } else {
      const outcomeOf = (content: string) => {
        const deployed = compileMutant(content);
        return deployed === undefined ? "invalid" : withDeployedCode(project, deployed, run);
      };
      if (!accepted.has(path) && outcomeOf(source) !== "survived") throw new Error(`${tests} fails without any mutant`);
      accepted.add(path);
      result = outcomeOf(mutated);
    }
    if (result !== "survived") return result;
  }
  return "survived";
}

/**
 * A copy of the project that holds only these tests.
 * @throws Error if the tests fail without a mutant, because they would then kill every mutant
 */
function projectOf(tests: string, needsOptimizer: boolean): string {
  const known = projects.get(tests);
  if (known !== undefined) return known;
  const project = mkdtempSync(join(tmpdir(), "mutate-"));
  projects.set(tests, project);
  for (const name of ["contracts", "tools", "foundry.toml"]) cpSync(name, join(project, name), { recursive: true });
  for (const name of ["node_modules", "package.json"]) symlinkSync(resolve(name), join(project, name));
  for (const path of globSync("contracts/{script,test}/**/*.sol")) {
    writeFileSync(join(project, path), withRelativeImports(path, readFileSync(path, "utf8")));
  }
  const files = globSync(tests).filter((path) => path.endsWith(".sol"));
  const wanted = withImports(project, files);
  for (const path of globSync("contracts/**/*.sol")) if (!wanted.has(path)) rmSync(join(project, path));
  if (test(project, needsOptimizer) !== "survived") throw new Error(`${tests} fails without any mutant`);
  return project;
}

/** These files of a project and all files of it that they import. Forge would compile every other file anew as well. */
function withImports(project: string, paths: readonly string[]): Set<string> {
  const found = new Set(paths);
  // A set's loop also visits what is added to it meanwhile.
  for (const path of found) {
    for (const [, imported = ""] of readFileSync(join(project, path), "utf8").matchAll(/^import [^"]*"(\.[^"]+)";/gm)) {
      found.add(posix.join(posix.dirname(path), imported));
    }
  }
  return found;
}

/** Forge 1.7.1 neither deploys by name what is imported through a remapping, nor compiles the test anew. */
function withRelativeImports(path: string, source: string): string {
  return source.replaceAll(/(?<=^import [^"]*")(src|script|test)(?=\/)/gm, (folder) => {
    const steps = path.split("/").length - 2;
    return `${"../".repeat(steps)}${folder}`;
  });
}

/**
 * Runs the tests of a copy.
 * @throws Error if forge ends in another way than passing, failing or not compiling
 */
function test(project: string, needsOptimizer: boolean): Outcome {
  const skipped = needsOptimizer ? [] : ["--skip", ...NEEDS_OPTIMIZER];
  const { status, stdout, stderr, error } = spawnSync(
    foundryBinary("forge"),
    ["test", "--root", project, "--fail-fast", ...skipped],
    {
      encoding: "utf8",
      env: { ...process.env, ...ENVIRONMENT, FOUNDRY_OPTIMIZER: String(needsOptimizer) },
      maxBuffer: 2 ** 28,
      timeout: TIME_LIMIT_MS,
      killSignal: "SIGKILL",
    },
  );
  if (error) {
    if ("code" in error && error.code === "ETIMEDOUT") return "timedOut";
    throw error;
  }
  if (status === 0 && /[1-9]\d* tests passed/.test(stdout)) return "survived";
  if (stdout.includes("Compiler run failed") || stderr.includes("Compiler run failed")) return "invalid";
  if (stdout.includes("[FAIL")) return "killed";
  throw new Error(`forge ended with ${status}:\n${stdout}\n${stderr}`);
}
