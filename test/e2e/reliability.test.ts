/** Tests that the faults of the reliability suite really occur, and that it notices a lost row. */
import type { Client } from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { Random } from "../../localnet/random.ts";
import { compareAnswers, digestOf, takeAnswers } from "../reliability/harness/answers.ts";
import { FAULTS } from "../reliability/harness/rpcFaults.ts";
import { startRpcProxy } from "../reliability/harness/rpcProxy.ts";
import { withClient } from "../support/postgres.ts";
import { ApiClient } from "./harness/api.ts";
import { startDatabaseProxy } from "./harness/databaseProxy.ts";
import { type PostgresServer, startPostgres } from "./harness/postgres.ts";
import { consultOracle } from "./oracle/network.ts";

/** For the answer of a node with a fault, one of which withholds it. */
const FAULT_MS = 10_000;
/** For an answer that must be right. */
const ANSWER_MS = 120_000;
const shared = inject("sharedStack");
let server: PostgresServer;

beforeAll(async () => {
  server = await startPostgres();
});

afterAll(async () => {
  await server?.stop();
});

/** Runs a task with a connection through a port, which may be cut. */
function withConnection<T>(port: number, task: (client: Client) => Promise<T>): Promise<T> {
  return withClient(Object.assign(new URL(server.databaseUrl), { port }).href, (client) => {
    // A connection that is cut reports the error here as well as to the statement.
    client.on("error", () => undefined);
    return task(client);
  });
}

test.each([
  ["before", 0],
  ["after", 1],
] as const)("a COMMIT cut %s the server receives it fails, and leaves %i rows in the table", async (when, rows) => {
  const proxy = await startDatabaseProxy(server.port);
  try {
    await withConnection(server.port, (client) => client.query(`CREATE TABLE cut_${when} (id int)`));
    const cut = proxy.cutCommit(when, `"cut_${when}"`);
    const commit = withConnection(proxy.port, async (client) => {
      await client.query("BEGIN");
      await client.query("SELECT 1");
      await client.query("COMMIT");
      await client.query("BEGIN");
      await client.query(`INSERT INTO "cut_${when}" VALUES ($1)`, [1]);
      await client.query("COMMIT");
    });
    await expect(commit).rejects.toThrow(/terminated|closed|ECONNRESET/);
    await cut;
    const { rowCount } = await withConnection(server.port, (client) => client.query(`SELECT * FROM cut_${when}`));
    expect(rowCount).toBe(rows);
  } finally {
    await proxy.stop();
  }
});

/** For each fault, a call that it answers differently from the node. */
const CALLS: Readonly<Record<string, [string, unknown[]]>> = {
  "logs left out": ["eth_getLogs", [{ fromBlock: "0x1", toBlock: "latest" }]],
  "receipts left out": ["eth_getBlockReceipts", ["0x14"]],
  "receipts null": ["eth_getBlockReceipts", ["0x14"]],
  "a block without transactions": ["eth_getBlockByNumber", ["0x14", true]],
  "the last transaction left out": ["eth_getBlockByNumber", ["0x14", true]],
  "changed logs and outcomes": ["eth_getBlockReceipts", ["0x14"]],
  "wrong chain": ["eth_chainId", []],
  "range limits": ["eth_getLogs", [{ fromBlock: "0x1", toBlock: "0x40" }]],
  "no eth_getBlockReceipts": ["eth_getBlockReceipts", ["0x14"]],
};

test.each(Object.keys(FAULTS))("with the fault %s, a node's answer differs, and the fault is counted", async (name) => {
  const { mainnet, sepolia } = shared.networks;
  const proxy = await startRpcProxy(mainnet.rpcUrl);
  const [method, params] = CALLS[name] ?? ["eth_getBlockByNumber", ["latest", true]];
  const ask = (timeoutMs = ANSWER_MS) =>
    fetch(proxy.rpcUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
      signal: AbortSignal.timeout(timeoutMs),
    }).then(
      async (answer) => `${answer.status} ${await answer.text()}`,
      (error: unknown) => String(error),
    );
  try {
    const right = await ask();
    expect(right).toMatch(/^200 \{/);
    expect(proxy.injected()).toBe(0);
    const fault = FAULTS[name]?.({ random: new Random(1n), otherNodeUrl: sepolia.rpcUrl });
    expect(fault).toBeDefined();
    proxy.inject(fault ?? null);
    // With a head that jumps, an answer is sometimes right.
    const answers = await Promise.all([1, 2, 3].map(() => ask(FAULT_MS)));
    expect(answers.some((answer) => answer !== right)).toBe(true);
    expect(proxy.injected()).toBe(3);
    proxy.inject(null);
    expect(await ask()).toBe(right);
  } finally {
    await proxy.stop();
  }
});

test("the digest of answers that lack one transaction differs, and the transaction is named as lost", async () => {
  const mainnet = await consultOracle(shared.networks.mainnet);
  const sepolia = await consultOracle(shared.networks.sepolia);
  const api = new ApiClient(shared.baseUrl);
  const reference = await takeAnswers(api, { mainnet, sepolia });
  const again = await takeAnswers(api, { mainnet, sepolia });
  expect(compareAnswers(reference, again)).toEqual({ lost: [], wrong: [], first: null });
  expect(digestOf(again)).toBe(digestOf(reference));

  const hash = mainnet.transactions[5]?.transactionHash;
  const rows = again.histories.get("mainnet")?.filter(({ transactionHash }) => transactionHash !== hash) ?? [];
  const lacking = { ...again, histories: new Map(again.histories).set("mainnet", rows) };
  expect(compareAnswers(reference, lacking).lost).toEqual([`mainnet ${hash}`]);
  expect(digestOf(lacking)).not.toBe(digestOf(reference));
});
