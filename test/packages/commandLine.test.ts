/** `core` as it is published: installed in an empty folder, beside the same program in this repository. */
import { execFile } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { artifactOf } from "../../localnet/artifacts.ts";
import { Sender } from "../../localnet/sender.ts";
import { WALLETS } from "../../localnet/wallets.ts";
import { create } from "../cli/support/deployed.ts";
import { installTarballs, manifestOf } from "./support/tarballs.ts";

const deployed = inject("packages");
const tarballs = inject("tarballs");
const file = join(deployed.deploymentsDirectory, "evm/mainnet.json");

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "coreswap-cli-"));
  installTarballs(directory, tarballs, {
    name: "operator",
    dependencies: { "@coreswap/cli": `file:${tarballs.cli}` },
  });
  copyFileSync(file, join(directory, "mainnet.json"));
}, 600_000);

afterAll(() => rmSync(directory, { recursive: true, force: true }));

function run(command: string, args: readonly string[], cwd: string) {
  const env = { ...process.env, RPC_URL: deployed.rpcUrl };
  return new Promise<{ status: unknown; stdout: string; stderr: string }>((done) => {
    execFile(command, args, { cwd, env }, (error, stdout, stderr) => {
      done({ status: error === null ? 0 : error.code, stdout, stderr });
    });
  });
}

const installed = (...args: string[]) => run(join(directory, "node_modules/.bin/core"), args, directory);
const fromSources = (...args: string[]) =>
  run(process.execPath, [resolve("packages/cli/src/main.ts"), ...args], resolve("."));

test("the installed program shows its help, and the version of its package", async () => {
  expect(await installed()).toEqual(await fromSources());
  const { version } = manifestOf("packages/cli");
  expect(await installed("--version")).toEqual({ status: 0, stdout: `${version}\n`, stderr: "" });
});

test("the installed program reads a deployment from a node, and quotes a swap", async () => {
  const onNetwork = ["--network", "mainnet.json"];
  const status = await installed("status", ...onNetwork);
  expect(status).toMatchObject({ status: 0, stderr: "" });
  expect(status.stdout).toMatch(/^mainnet, chain 1, block \d+, /);
  const quote = await installed("quote", "100", "TBILL", "USDC", ...onNetwork);
  expect(quote).toMatchObject({ status: 0, stderr: "" });
  expect(quote.stdout).toMatch(/^in +100 TBILL\nout +\d+[.]\d+ USDC\n/);
});

test("the installed program creates the contracts that the repository's would create", async () => {
  const sender = new Sender({ chainId: 1, rpcUrl: deployed.rpcUrl });
  const feed = await create(sender, artifactOf("SettableFeed"), [8]);
  const args = ["adapter", "deploy", "chainlink", feed, "--max-age", "86400", "--calldata"];
  const from = ["--from", WALLETS.outsider.address];
  const outcome = await installed(...args, ...from, "--network", "mainnet.json");
  expect(JSON.parse(outcome.stdout)).toHaveLength(1);
  expect(outcome).toEqual(await fromSources(...args, ...from, "--network", file));
  expect(existsSync(join(directory, "out"))).toBe(false);
});

test("the installed program refuses a wrong word in one line", async () => {
  const { status, stdout, stderr } = await installed("pause", "coreswap", "--brodcast", "--network", "mainnet.json");
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(stderr).toBe(
    "error: unknown option '--brodcast' (Did you mean --broadcast?); --help shows what is accepted\n",
  );
});
