/** What stops a start. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { startIndexer } from "../../localnet/indexer.ts";
import { HOST } from "../../localnet/ports.ts";
import { startProcess } from "../../localnet/processes.ts";

const stack = inject("sharedStack");

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "start-"));
  cpSync(stack.deploymentsDirectory, join(directory, "deployments"), { recursive: true });
});
afterEach(() => rmSync(directory, { recursive: true }));

test("a derived address of an SVM file that is not derived: the message names file, path and reason", async () => {
  const file = join(directory, "deployments", "svm", "devnet.json");
  const deployment = JSON.parse(readFileSync(file, "utf8"));
  const [lp] = deployment.lp_info;
  lp.pairs[0].stable_vault = lp.administrator;
  writeFileSync(file, JSON.stringify(deployment));

  const indexer = await startIndexer({
    deploymentsDirectory: join(directory, "deployments"),
    rpcUrls: { 1: stack.networks.mainnet.rpcUrl, 11155111: stack.networks.sepolia.rpcUrl },
    database: { pgliteDirectory: join(directory, "pglite") },
    logFile: join(directory, "indexer.log"),
  });
  try {
    const end = await indexer.ended;
    expect(end).toContain(file);
    expect(end).toContain(`lp_info[0].pairs[0].stable_vault is ${lp.administrator}`);
    expect(end).toContain('seed "vault" under program_id derives');
    expect(end).not.toContain("Created HTTP server");
  } finally {
    await indexer.stop();
  }
});

test.each(["start", "serve"])(
  "ponder %s refuses a port that is taken, and does not move to another",
  async (command) => {
    const port = Number(new URL(stack.baseUrl).port);
    for (const choice of [{ args: ["--port", String(port)] }, { args: [], env: { PORT: String(port) } }]) {
      const ponder = await startProcess({
        name: `ponder ${command}`,
        command: process.execPath,
        args: ["tools/ponder.ts", command, "--hostname", HOST, ...choice.args],
        env: { ...process.env, ...choice.env },
        logFile: join(directory, "taken.log"),
      });
      expect(await ponder.ended).toContain("exit code 1");
      expect(readFileSync(ponder.logFile, "utf8")).toContain(`Port ${port}: listen EADDRINUSE`);
    }
  },
);
