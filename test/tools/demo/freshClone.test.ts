/** The command of the README in a copy of the checkout, as a newcomer runs it: it installs, and serves what it promises. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freePort, HOST } from "../../../localnet/ports.ts";
import { type ManagedProcess, startProcess } from "../../../localnet/processes.ts";
import { waitUntil } from "../../e2e/harness/poll.ts";
import { documentedCommands } from "../../support/documented.ts";

let directory: string;
let demo: ManagedProcess | undefined;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "coreswap-demo-"));
  const files = execFileSync("git", ["ls-files", "-z"]);
  execFileSync("sh", ["-c", 'tar --null -T - -c | tar -x -C "$1"', "sh", directory], { input: files });
  // The compiler takes longer than the rest. That the contracts compile is seen elsewhere.
  for (const compiled of ["out", "cache"].filter((name) => existsSync(name))) {
    cpSync(compiled, join(directory, compiled), { recursive: true, preserveTimestamps: true });
  }
});
afterAll(async () => {
  await demo?.stop();
  rmSync(directory, { recursive: true, force: true });
});

it("`demo` of the README serves dashboard and history after its installation, and ends with Ctrl-C", async () => {
  const [command = "", ...others] = documentedCommands("README.md");
  expect(documentedCommands("docs/getting-started.md")[0]).toBe(command);
  expect(others[0]).toBe(command.replace(/demo$/, "test"));

  const port = await freePort();
  const logFile = join(directory, "demo.log");
  demo = await startProcess({
    name: "the demo",
    command: "sh",
    args: ["-c", `exec ${command}`],
    cwd: directory,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: String(port),
      MAINNET_RPC_PORT: String(await freePort()),
      SEPOLIA_RPC_PORT: String(await freePort()),
    },
    logFile,
  });
  const started = demo;
  await waitUntil(
    "the demo is complete",
    async () => {
      started.requireRunning();
      return readFileSync(logFile, "utf8").includes("Ctrl-C ends everything") ? null : "it has not said so";
    },
    { deadlineMs: 540_000 },
  );

  const ask = (path: string) => fetch(`http://${HOST}:${port}${path}`);
  const dashboard = await ask("/app/");
  expect([dashboard.status, dashboard.headers.get("content-type")]).toEqual([
    200,
    expect.stringContaining("text/html"),
  ]);
  for (const network of ["evm-mainnet", "evm-sepolia"]) {
    const answer = await ask(`/v1/transactions?network=${network}&activity=swap&limit=2`);
    expect((await answer.json()) as object, network).toMatchObject({ transactions: [{}, {}] });
  }

  process.kill(-started.pid, "SIGINT");
  await started.ended;
  await expect(ask("/health")).rejects.toThrow("fetch failed");
}, 600_000);
