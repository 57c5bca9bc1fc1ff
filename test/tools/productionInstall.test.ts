/**
 * Installs what an operator installs, by the steps of `ops/Dockerfile`: the files that `.dockerignore` allows, the RUN
 * steps, and the entry point on a read-only file system. It needs no container daemon.
 */
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestClient, http } from "viem";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ChainNode, startNode } from "../../localnet/nodes.ts";
import { freePort, HOST } from "../../localnet/ports.ts";
import { startProcess } from "../../localnet/processes.ts";
import { waitUntil } from "../e2e/harness/poll.ts";
import { documentedCommands } from "../support/documented.ts";

let directory: string;
/** The only place that the installed program may write to. */
let writable: string;
let chain: ChainNode | undefined;
/** Returns the arguments of each occurrence of an instruction in the Dockerfile. */
function instructions(name: string): string[] {
  const lines = readFileSync("ops/Dockerfile", "utf8").split("\n");
  return lines.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
}

/** Parses an instruction in its form without a shell. */
function words(name: string): string[] {
  const [text = ""] = instructions(name);
  return JSON.parse(text.replace(/^.*?CMD (?=\[)/, "")) as string[];
}

/** The image's account can only read, as this conventional one. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "coreswap-production-"));
  chmodSync(directory, 0o755);
  const allowed = readFileSync(".dockerignore", "utf8").split("\n");
  const paths = allowed.filter((line) => line.startsWith("!")).map((line) => line.slice(1));
  const files = execFileSync("git", ["ls-files", "-z", "--", ...paths]);
  execFileSync("sh", ["-c", 'tar --null -T - -c | tar -x -C "$1"', "sh", directory], { input: files });
  for (const step of instructions("RUN")) {
    const install = (...options: string[]) =>
      spawnSync("sh", ["-c", [step, ...options].join(" ")], { cwd: directory, encoding: "utf8" });
    // The packages of these tests are in the store already, unless it was cleaned.
    const offline = install("--offline");
    const { status, stdout, stderr } = offline.status === 0 ? offline : install();
    if (status !== 0) throw new Error(stdout + stderr);
  }
  // An image also has its own Node.js.
  copyFileSync(process.execPath, join(directory, "node"));
  writable = join(directory, "data");
  mkdirSync(writable);
  if (NOBODY) chownSync(writable, NOBODY.uid, NOBODY.gid);
}, 240_000);
afterAll(async () => {
  await chain?.stop();
  rmSync(directory, { recursive: true, force: true });
});

it("is installed and started as docs/operate/install.md says", () => {
  const [install, start] = documentedCommands("docs/operate/install.md");
  // The image leaves out the packages of the dashboard and of the documentation site, too.
  expect(instructions("RUN").map((step) => step.replace(/ --filter \S+/g, ""))).toEqual([install]);
  expect(start).toBe([...words("ENTRYPOINT"), "start"].join(" "));
});

it("has no packages of the tests, the contracts or the tools", () => {
  const installed = (name: string) => existsSync(join(directory, "node_modules", name));
  expect(["ponder", "viem"].filter(installed)).toEqual(["ponder", "viem"]);
  expect(["vitest", "solc", "node", "@foundry-rs/anvil", "@foundry-rs/forge"].filter(installed)).toEqual([]);
});

it("has the command line, with which the keeper runs", () => {
  const { status, stdout, stderr } = spawnSync(
    join(directory, "node"),
    ["packages/cli/src/main.ts", "keeper", "--help"],
    {
      cwd: directory,
      encoding: "utf8",
      env: { PATH: "/usr/bin:/bin" },
    },
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toContain("Usage: core keeper [options] <configuration>");
});

it("starts the indexer and its API as an account that can only read", async () => {
  chain = await startNode({ chainId: 1, logFile: join(directory, "anvil.log") });
  const client = createTestClient({ mode: "anvil", transport: http(chain.rpcUrl) });
  const [coreSwap, treasury] = [`0x${"c0".repeat(20)}`, `0x${"7e".repeat(20)}`] as const;
  // The start checks require contracts at the addresses. This chain has no history to index.
  for (const address of [coreSwap, treasury]) await client.setCode({ address, bytecode: "0x00" });
  const deployments = join(directory, "operator", "evm");
  mkdirSync(deployments, { recursive: true });
  writeFileSync(join(deployments, "mainnet.json"), JSON.stringify({ chainId: 1, startBlock: 0, coreSwap, treasury }));

  const port = await freePort();
  const indexer = await startProcess({
    name: "the installed indexer",
    command: join(directory, "node"),
    args: [...words("ENTRYPOINT").slice(1), "start", "--hostname", HOST],
    cwd: directory,
    ...(NOBODY && { runAs: NOBODY }),
    env: {
      // Only this Node.js and the system's programs, and nothing of the checkout's `node_modules/.bin`.
      PATH: "/usr/bin:/bin",
      HOME: "/nonexistent",
      PORT: String(port),
      PGLITE_DIRECTORY: join(writable, "pglite"),
      DEPLOYMENTS_DIR: join(directory, "operator"),
      PONDER_RPC_URL_1: chain.rpcUrl,
      PONDER_TELEMETRY_DISABLED: "1",
    },
    logFile: join(directory, "indexer.log"),
  });
  try {
    await waitUntil(
      "/ready answers 200",
      async () => {
        indexer.requireRunning();
        const answer = await fetch(`http://${HOST}:${port}/ready`).catch((error: Error) => error);
        if (answer instanceof Error) return String(answer.cause ?? answer);
        return answer.status === 200 ? null : `${answer.status}: ${await answer.text()}`;
      },
      { deadlineMs: 180_000 },
    );
    // It runs in the copy. A database in the checkout would mean that the checkout was started.
    expect(existsSync(join(writable, "pglite"))).toBe(true);
    expect(isHealthy(port)).toBe(true);
    expect(isHealthy(await freePort())).toBe(false);
    expect((await fetch(`http://${HOST}:${port}/v1/transactions?network=evm-mainnet`)).status).toBe(200);
  } finally {
    await indexer.stop();
  }
}, 300_000);

/** Runs the image's health check. */
function isHealthy(port: number): boolean {
  const [, ...args] = words("HEALTHCHECK");
  return spawnSync(process.execPath, args, { env: { PORT: String(port) } }).status === 0;
}

it("refuses a Node.js older than `engines` in one line", () => {
  const manifest = join(directory, "package.json");
  const stated = readFileSync(manifest, "utf8");
  // Makes this Node.js too old for the requirement of the manifest.
  writeFileSync(manifest, stated.replace(/"node": ">=[\d.]+"/, '"node": ">=99.1"'));
  const { status, stdout, stderr } = spawnSync(process.execPath, ["coreswap.mjs", "start"], {
    cwd: directory,
    encoding: "utf8",
  });
  writeFileSync(manifest, stated);
  expect({ status, stdout, stderr }).toEqual({
    status: 1,
    stdout: "",
    stderr: `CoreSwap needs Node.js 99.1 or later, and runs on ${process.versions.node}: install a newer Node.js.\n`,
  });
});
