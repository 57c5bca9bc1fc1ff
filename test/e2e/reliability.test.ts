/**
 * Tests that the faults of the reliability suite really occur, and that its digest changes when a single row is
 * missing.
 */

import { join } from "node:path";
import type { Client } from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { CHAIN_IDS } from "../../config/networks.ts";
import { type Indexer, startIndexer } from "../../localnet/indexer.ts";
import { Random } from "../../localnet/random.ts";
import { compareAnswers, digestOf, type Oracles, takeAnswers } from "../reliability/harness/answers.ts";
import { FAULTS } from "../reliability/harness/rpcFaults.ts";
import { startRpcProxy } from "../reliability/harness/rpcProxy.ts";
import { waitUntilCaughtUp } from "../reliability/harness/settle.ts";
import { withClient } from "../support/postgres.ts";
import { ApiClient } from "./harness/api.ts";
import { startDatabaseProxy } from "./harness/databaseProxy.ts";
import { type PostgresServer, startPostgres } from "./harness/postgres.ts";
import { consultOracle } from "./oracle/network.ts";

/** For the answer of a node, which a busy machine delays, and which one fault withholds. */
const ANSWER_MS = 10_000;
const shared = inject("sharedStack");
let server: PostgresServer;
let indexer: Indexer | undefined;
let replica: Indexer | undefined;

beforeAll(async () => {
  server = await startPostgres();
});

afterAll(async () => {
  await replica?.stop();
  await indexer?.stop();
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

test("the digest of an index that lacks one transaction differs, and the transaction is named as lost", async () => {
  const { mainnet, sepolia } = shared.networks;
  const oracles: Oracles = { mainnet: await consultOracle(mainnet), sepolia: await consultOracle(sepolia) };
  const options = {
    deploymentsDirectory: shared.deploymentsDirectory,
    rpcUrls: { [CHAIN_IDS.mainnet]: mainnet.rpcUrl, [CHAIN_IDS.sepolia]: sepolia.rpcUrl },
    database: { databaseUrl: server.databaseUrl, schema: "reliability" },
    logFile: join(shared.deploymentsDirectory, "..", "reliability-indexer.log"),
  };
  indexer = await startIndexer(options);
  const api = new ApiClient(indexer.baseUrl);
  await waitUntilCaughtUp(api, oracles);
  const reference = await takeAnswers(new ApiClient(shared.baseUrl), oracles);
  const whole = await takeAnswers(api, oracles);
  expect(compareAnswers(reference, whole)).toEqual({ lost: [], wrong: [], first: null });
  expect(digestOf(whole)).toBe(digestOf(reference));

  const deleted = oracles.mainnet.transactions[5];
  await withConnection(server.port, async (client) => {
    const { rowCount } = await client.query(
      "DELETE FROM reliability.transaction_by_filter WHERE chain_id = 1 AND block_number = $1 AND transaction_index = $2",
      [deleted?.inclusion.blockNumber, deleted?.inclusion.transactionIndex],
    );
    expect(rowCount).toBeGreaterThan(1);
  });
  // A new process is needed, because the indexer caches its answers while its state does not change.
  replica = await startIndexer({ ...options, command: "serve" });
  await replica.ready();
  const lacking = await takeAnswers(new ApiClient(replica.baseUrl), oracles);
  expect(compareAnswers(reference, lacking).lost).toEqual([`mainnet ${deleted?.transactionHash}`]);
  expect(digestOf(lacking)).not.toBe(digestOf(reference));
});

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
  const ask = () =>
    fetch(proxy.rpcUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
      signal: AbortSignal.timeout(ANSWER_MS),
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
    const answers = await Promise.all([ask(), ask(), ask()]);
    expect(answers.some((answer) => answer !== right)).toBe(true);
    expect(proxy.injected()).toBe(3);
    proxy.inject(null);
    expect(await ask()).toBe(right);
  } finally {
    await proxy.stop();
  }
});
