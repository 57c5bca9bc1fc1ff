import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { zeroAddress } from "viem";
import { describe, expect, it } from "vitest";
import { nodeProblem } from "../../tools/lib/commandLine.ts";

const SCRIPTS = [
  "bench/api/index.ts",
  "bench/gas/index.ts",
  "bench/indexing/index.ts",
  "bench/quick/index.ts",
  "bench/sparse/index.ts",
  "exporter/src/main.ts",
  "localnet/demo/index.ts",
  "test/reliability/fleet.ts",
  "test/reliability/index.ts",
  "tools/auditIndex.ts",
  "tools/coverage.ts",
  "tools/openapiExamples.ts",
  "tools/generatedMutants.ts",
  "tools/knownMutants.ts",
  "tools/openapi.ts",
  "tools/prove.ts",
  "tools/repair.ts",
  "tools/resume.ts",
  "tools/sources.ts",
  "tools/storageLayout.ts",
  "tools/supplyChain.ts",
  "tools/switch.ts",
  "tools/trees.ts",
  "tools/upgrade.ts",
];

/** Scripts that pass their command line on to forge or Ponder, or that have their own test. */
const OTHERS = ["packages/cli/src/main.ts", "tools/forge.ts", "tools/ponder.ts"];

function run(script: string, option: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, option], { encoding: "utf8" });
  return { status, stdout, stderr };
}

describe("The scripts", () => {
  it("are those of package.json", () => {
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
    const named = Object.values(scripts).flatMap((text) => text.match(/(?<=node (?:--import \S+ )?)[\w/]+\.ts/g) ?? []);
    expect([...new Set(named)].sort()).toEqual([...SCRIPTS, ...OTHERS].sort());
  });

  it.each(SCRIPTS)("%s prints its usage for --help", (script) => {
    const { status, stdout, stderr } = run(script, "--help");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(/^pnpm [a-z:]+/);
  });

  it.each(SCRIPTS)("%s refuses an unknown option in one line that names the others", (script) => {
    const { status, stdout, stderr } = run(script, "--no-such-option");
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toMatch(/^Unknown option '--no-such-option'; options are .*--help\n$/);
  });
});

describe("pnpm core", () => {
  const core = (...words: string[]) =>
    spawnSync(process.execPath, ["packages/cli/src/main.ts", ...words], { encoding: "utf8" });

  it("lists its commands, those of groups in full", () => {
    const { status, stdout, stderr } = core();
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(/^ {2}status +state of a deployment/m);
    expect(stdout).toMatch(/^ {2}nav post +post the NAV of an RWA$/m);
    expect(core("nav", "post", "--help").stdout).toMatch(/^Usage: core nav post \[options\] <rwa> <NAV>\n/);
  });

  it.each([
    [["stauts"], "unknown command 'stauts' (Did you mean status?)"],
    [["nav", "past"], "unknown command 'past' (Did you mean post?)"],
    [["nav", "post", "TBILL"], "missing required argument 'NAV'"],
    [["nav", "post", "TBILL", "1", "2"], "too many arguments for 'post'. Expected 2 arguments but got 3: TBILL, 1, 2"],
    [["pause", "coreswap", "--form", "x"], "unknown option '--form' (Did you mean --from?)"],
    [["pause", "coreswap", "--safe"], "option '--safe <file>' argument missing"],
    [
      ["status", "https://node.example/secret-key"],
      "too many arguments for 'status'. Expected 0 arguments but got 1: <URL>",
    ],
    [["status", "--rpc-ulr=https://node.example/secret-key"], "unknown option '--rpc-ulr=<URL>'"],
    [
      ["sign-permit", "--signed", "a.json", "--signature", "0x", "--lp", "USDC"],
      "option '--signed <file>' cannot be used with option '--lp <symbol>'",
    ],
    [
      ["pause", "coreswap", "--calldata", "--safe", "batch.json"],
      "option '--safe <file>' cannot be used with option '--calldata'",
    ],
    [
      ["steps", "--json", "--from", zeroAddress, "--safe", "batch.json"],
      "option '--json' cannot be used with option '--from <address>'",
    ],
    [["steps", "--schedule", "--json"], "option '--json' cannot be used with option '--schedule'"],
    [
      ["custody", "set", "USDC", "gold", "0x12"],
      "command-argument value 'gold' is invalid for argument 'kind'. Allowed choices are rwa, stablecoin",
    ],
  ])("refuses %j in one line", (words, reason) => {
    const { status, stdout, stderr } = core(...words);
    const line = `error: ${reason}; --help shows what is accepted\n`;
    expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: "", stderr: line });
  });

  it.each([
    [["nav", "post", "TBILL", "one"], 'the NAV is "one", expected a number such as 1234.56'],
    [["pause", "coreswap", "--wait-seconds", "0"], '--wait-seconds is "0", expected a whole number of at least 1'],
    [["pause", "coreswap", "--replace"], "--replace needs --broadcast"],
    [
      ["pause", "coreswap", "--safe", "--broadcast"],
      `option '--safe <file>' has no value, but "--broadcast" in its place`,
    ],
    [["pause", "coreswap", "--account", ""], `option '--account <name>' has no value, but "" in its place`],
    [["accrue"], "accrue takes accounts, or --all"],
    [["decode"], "give calldata, revert data or a transaction hash, or --topics"],
  ])("refuses %j, and says what it expects", (words, line) => {
    const { status, stdout, stderr } = core(...words);
    expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: "", stderr: `${line}\n` });
  });
});

describe("pnpm ops:switch", () => {
  it.each([
    [[], "expected either --views and --to, or only --drop"],
    [["--views", "a"], "expected either --views and --to, or only --drop"],
    [["--views", "a", "--to", "b", "--drop", "c"], "expected either --views and --to, or only --drop"],
    [["--views", "a", "--to", "a"], "--views and --to must be different schemas"],
    [["--drop", 'a"; b'], '--drop is "a"; b", expected up to 45 lower-case letters, digits and underscores'],
    [["--drop", "a"], "DATABASE_URL is not set. Replicas and views need PostgreSQL"],
  ])("refuses %j in one line", (args, message) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ["tools/switch.ts", ...args], {
      encoding: "utf8",
      env: { ...process.env, DATABASE_URL: "", DATABASE_PRIVATE_URL: "" },
    });
    expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: "", stderr: `${message}\n` });
  });
});

describe("pnpm contracts:resume", () => {
  it("does not tell the key of a node that fails", () => {
    const args = ["--rpc-url", "http://127.0.0.1:1/v2/path-key-S3cret?key=query-key-S3cret", "--sender", zeroAddress];
    const { status, stderr } = spawnSync(process.execPath, ["tools/resume.ts", ...args], { encoding: "utf8" });
    expect(status).toBe(1);
    expect(stderr).toContain("fetch failed");
    expect(stderr).not.toContain("S3cret");
  });
});

describe("A version of Node.js", () => {
  it.each(["24.11.0", "24.21.0", "25.0.0", "100.0.0"])("%s is new enough", (version) => {
    expect(nodeProblem(version)).toBeNull();
  });

  it.each(["22.18.0", "24.9.0", "24.10.1"])("%s is too old, and one line says so", (version) => {
    expect(nodeProblem(version)).toMatch(new RegExp(`^This needs Node.js 24.11 or later, and runs on ${version}: .+$`));
  });
});
