/** Runs commands of the operators' guide that no other test runs, as they stand in its pages. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Hono } from "hono";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { keyByBearer, readApiKeys } from "../../src/api/http/apiKeys.ts";
import { installedProgram } from "../support/installed.ts";
import { queryOnce, urlAs } from "../support/postgres.ts";
import { waitUntil } from "./harness/poll.ts";
import { type PostgresServer, startPostgres } from "./harness/postgres.ts";

const stack = inject("sharedStack");

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "coreswap-guide-"));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** The commands of the block on a page that contains a text. */
function commandsWith(text: string, page: string): string {
  const blocks = readFileSync(`docs/operate/${page}.md`, "utf8").matchAll(/^```(?:sh)?\n([^`]*)^```$/gm);
  const found = [...blocks].map(([, commands = ""]) => commands).filter((commands) => commands.includes(text));
  expect(found, `blocks of ${page}.md with ${text}`).toHaveLength(1);
  return found.join();
}

/** Runs commands in a shell that ends at the first failure, and returns what they print. */
function run(commands: string, env: Readonly<Record<string, string>> = {}): string {
  return execFileSync("sh", ["-eu", "-c", commands], { encoding: "utf8", env: { ...process.env, ...env } });
}

test("the commands of the database page create a database with roles that can read and write", async () => {
  installedProgram("psql", "postgresql-client");
  const server: PostgresServer = await startPostgres();
  try {
    const { port } = new URL(server.databaseUrl);
    run(commandsWith("createdb", "database"), { PGHOST: "127.0.0.1", PGPORT: port, PGUSER: "postgres" });
    const as = (role: string, sql: string) => {
      const url = new URL(urlAs(role, server.databaseUrl));
      url.pathname = "/coreswap";
      return queryOnce(url.href, sql);
    };
    await as("coreswap_indexer", "CREATE SCHEMA mainnet_1 CREATE TABLE leg (id integer)");
    await as("coreswap_indexer", "INSERT INTO mainnet_1.leg VALUES (7)");
    expect(await as("coreswap_api", "SELECT id FROM mainnet_1.leg")).toEqual([{ id: 7 }]);
    await expect(as("coreswap_api", "DELETE FROM mainnet_1.leg")).rejects.toThrow("permission denied");
  } finally {
    await server.stop();
  }
});

test("the commands of the settings page make a key, and a line of the file of keys that admits it", async () => {
  const file = join(directory, "api-keys");
  const commands = commandsWith("openssl rand", "settings").replace("/etc/coreswap/api-keys", file);
  const key = run(`${commands}\necho "$key"`).trim();
  expect(key).toMatch(/^[0-9a-f]{64}$/);
  expect(readFileSync(file, "utf8")).not.toContain(key);
  const keyOf = keyByBearer(readApiKeys(file));
  const app = new Hono().get("/", (c) => c.json(keyOf(c)));
  const response = await app.request("/", { headers: { Authorization: `Bearer ${key}` } });
  expect(await response.json()).toMatchObject({ name: "bank", requestsPerMinute: 6_000 });
});

test("the commands of the runbook show the state of each network, what the alerts see, and a node's newest block", async () => {
  installedProgram("curl");
  const [status = "", metrics = ""] = commandsWith("/v1/status/indexing", "runbook")
    .replaceAll("http://127.0.0.1:42069", stack.baseUrl)
    .trim()
    .split("\n");
  await waitUntil("both networks are live", async () => {
    const { networks } = JSON.parse(run(status)) as { networks: { network: string; state: string }[] };
    const states = networks.map(({ network, state }) => `${network} ${state}`).sort();
    return states.join() === "evm-mainnet live,evm-sepolia live" ? null : states.join();
  });
  await waitUntil("the metrics say so", async () => {
    const text = run(metrics);
    return /^coreswap_indexing_state\{chain="\w+",state="live"\} 1$/m.test(text) ? null : text;
  });
  const node = run(commandsWith("eth_blockNumber", "runbook"), { RPC_URL: stack.networks.mainnet.rpcUrl });
  expect(JSON.parse(node)).toMatchObject({ result: expect.stringMatching(/^0x[1-9a-f]/) });
});
