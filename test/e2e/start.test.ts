/** What stops a start. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { startIndexer } from "../../demo/indexer.ts";

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
