/** Conditions that prevent a start. */
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { startIndexer } from "../../localnet/indexer.ts";
import { HOST } from "../../localnet/ports.ts";
import { startProcess } from "../../localnet/processes.ts";
import { waitUntil } from "./harness/poll.ts";

const stack = inject("sharedStack");

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "start-"));
  cpSync(stack.deploymentsDirectory, join(directory, "deployments"), { recursive: true });
});
afterEach(() => rmSync(directory, { recursive: true }));

test("a wrong derived address in an SVM file is refused with a message that names the file, the path and the reason", async () => {
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

test.each(["start", "serve"])("ponder %s refuses a port in use, and does not move to another", async (command) => {
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
    expect(readFileSync(ponder.logFile, "utf8")).toContain(`Port ${port} is in use.`);
  }
});

test("a starting process accepts no connection before it can answer", async () => {
  const indexer = await startIndexer({
    deploymentsDirectory: stack.deploymentsDirectory,
    rpcUrls: { 1: stack.networks.mainnet.rpcUrl },
    database: { pgliteDirectory: join(directory, "pglite") },
    logFile: join(directory, "indexer.log"),
  });
  try {
    const { hostname, port } = new URL(indexer.baseUrl);
    let refused = 0;
    while (!(await isAccepted(Number(port), hostname))) refused += 1;
    expect(refused).toBeGreaterThan(0);
    expect((await fetch(`${indexer.baseUrl}/health`)).status).toBe(200);
  } finally {
    await indexer.stop();
  }
});

test.each([
  ["nothing names clients, which may come from a proxy", "", null],
  ["a header names clients", "X-Test-Client", '"requests";q=6000;w=60'],
])("by default, requests from this machine are limited as they must be where %s", async (_, header, policy) => {
  const indexer = await startIndexer({
    deploymentsDirectory: stack.deploymentsDirectory,
    rpcUrls: { 1: stack.networks.mainnet.rpcUrl },
    database: { pgliteDirectory: join(directory, "pglite") },
    settings: { CLIENT_ADDRESS_HEADER: header, RATE_LIMIT_PER_MINUTE: "" },
    logFile: join(directory, "indexer.log"),
  });
  try {
    await waitUntil("the API answers", async () => {
      const answer = await fetch(`${indexer.baseUrl}/v1/info/svm`, { headers: { "X-Forwarded-For": "192.0.2.1" } });
      expect(answer.headers.get("ratelimit-policy")).toBe(policy);
      return null;
    });
    const log = readFileSync(join(directory, "indexer.log"), "utf8");
    expect(log.includes("set CLIENT_ADDRESS_HEADER to X-Forwarded-For")).toBe(header === "");
  } finally {
    await indexer.stop();
  }
});

/** Returns whether a connection is accepted. Fails the test when the server closes it without an answer. */
async function isAccepted(port: number, host: string): Promise<boolean> {
  const socket = connect({ port, host });
  try {
    await once(socket, "connect");
    socket.write("GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
    expect(String((await once(socket, "data"))[0])).toContain("200 OK");
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: "ECONNREFUSED" });
    return false;
  } finally {
    socket.destroy();
  }
}
