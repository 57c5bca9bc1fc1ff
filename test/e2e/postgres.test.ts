import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { CHAIN_IDS } from "../../config/networks.ts";
import { type Indexer, startIndexer } from "../../localnet/indexer.ts";
import { WALLETS } from "../../localnet/wallets.ts";
import type { Database } from "../../src/api/shared/database.ts";
import { volumeReader } from "../../src/api/shared/volume/query.ts";
import { NEWEST } from "../../src/api/transactions/cursor.ts";
import { type HistoryFilters, historyStatements } from "../../src/api/transactions/query.ts";
import { classesMatching } from "../../src/indexing/filterClass.ts";
import { compareAnswers, digestOf, takeAnswers } from "../reliability/harness/answers.ts";
import { droppedBy, Explainer, rowsOf } from "../support/explain.ts";
import { queryOnce, withClient } from "../support/postgres.ts";
import { ApiClient } from "./harness/api.ts";
import { assertSame } from "./harness/compare.ts";
import { verifyNetwork, waitUntilCaughtUp } from "./harness/converge.ts";
import { type PostgresServer, startPostgres } from "./harness/postgres.ts";
import { consultOracle } from "./oracle/network.ts";

const shared = inject("sharedStack");
const NETWORKS = ["mainnet", "sepolia"] as const;

let server: PostgresServer | undefined;
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

function databaseUrl(): string {
  if (!server) throw new Error("PostgreSQL was not started");
  return server.databaseUrl;
}

/** Counts the rows in the server itself, so that a test notices an indexer that uses another database. */
async function storedTransactionCount(): Promise<number> {
  const [row] = await queryOnce(databaseUrl(), "SELECT count(*) FROM coreswap.transaction");
  return Number(row?.count);
}

/** Filters that together read every table of the history in each way. */
const PAGES: readonly HistoryFilters[] = [
  {},
  { wallet: WALLETS.trader1.address.toLowerCase() },
  { wallet: WALLETS.trader1.address.toLowerCase(), outcome: "revert" },
  { activity: "allowlist", entrypoint: "addToWhitelist" },
  { transactionHash: `0x${"0".repeat(64)}` },
];
/** More rows than any table of the registry has. Those of the history have hundreds. */
const REGISTRY_ROWS = 20;
const PAGE_LIMITS = { before: NEWEST, limit: 50 };

/**
 * Checks that every statement has a plan that reads by primary keys alone. PostgreSQL prefers to scan tables as small
 * as these, so sequential scans are disabled: a scan that remains shows that no key fits. The benchmark shows the plans
 * at real sizes.
 */
async function expectKeyedPlans(name: (typeof NETWORKS)[number]): Promise<void> {
  const { coreSwap, treasury } = shared.networks[name].contracts;
  const network = { name, chainId: CHAIN_IDS[name], schema: "coreswap", startBlock: 0n, coreSwap, treasury };
  await withClient(databaseUrl(), async (client) => {
    const statements = PAGES.map((filters) => historyStatements(network)(filters, PAGE_LIMITS));
    const recording: Database = {
      async query(statement) {
        statements.push(statement);
        return (await client.query(statement.text, [...statement.values])).rows;
      },
    };
    const { series } = await volumeReader(recording, network)({ from: 0n, to: 2n ** 40n }, undefined);
    expect(series.length).toBeGreaterThan(0);

    const { rows } = await client.query<{ name: string }>(
      "SELECT relname AS name FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE indisprimary",
    );
    const primaryKeys = rows.map((row) => row.name);
    await client.query("SET enable_seqscan = off");
    const explainer = new Explainer(client);
    for (const statement of statements) {
      for (const mode of ["force_custom_plan", "force_generic_plan"] as const) {
        const { nodes } = await explainer.explain(statement, mode);
        const scans = nodes.filter((node) => node["Relation Name"] !== undefined);
        expect(scans.length).toBeGreaterThan(0);
        expect(scans.filter((node) => node["Node Type"] === "Seq Scan")).toEqual([]);
        for (const { "Index Name": index } of nodes) if (index !== undefined) expect(primaryKeys).toContain(index);
        // An unsuitable key that is read from end to end would drop most of its rows.
        for (const node of scans) expect(droppedBy(node)).toBeLessThanOrEqual(REGISTRY_ROWS);
        for (const { "Node Type": type, Plans: [input] = [] } of nodes) {
          if (!type.includes("Sort") || input === undefined) continue;
          expect(rowsOf(input)).toBeLessThanOrEqual(classesMatching({}).length * (PAGE_LIMITS.limit + 1));
        }
      }
    }
  });
}

/** Starts a second indexer of the shared chains, which no test changes, or a replica of that indexer. */
async function start(command: "start" | "serve"): Promise<Indexer> {
  const process = await startIndexer({
    command,
    deploymentsDirectory: shared.deploymentsDirectory,
    rpcUrls: {
      [CHAIN_IDS.mainnet]: shared.networks.mainnet.rpcUrl,
      [CHAIN_IDS.sepolia]: shared.networks.sepolia.rpcUrl,
    },
    database: { databaseUrl: databaseUrl(), schema: "coreswap" },
    logFile: join(shared.deploymentsDirectory, "..", `postgres-${command}.log`),
  });
  if (command === "start") indexer = process;
  else replica = process;
  await process.ready();
  return process;
}

test("on PostgreSQL, the answers equal the chain and are read by key, also after a restart", async () => {
  for (const run of ["first start", "restart"]) {
    await indexer?.stop();
    const api = new ApiClient((await start("start")).baseUrl);
    for (const network of NETWORKS) {
      await waitUntilCaughtUp(api, network, shared.networks[network]);
      await verifyNetwork(api, network, await consultOracle(shared.networks[network]));
    }
    expect(await storedTransactionCount()).toBe(
      (await consultOracle(shared.networks.mainnet)).transactions.length +
        (await consultOracle(shared.networks.sepolia)).transactions.length,
    );
    const info = await new ApiClient(shared.baseUrl).json("/v1/info");
    assertSame(`/v1/info after the ${run}`, info, await api.json("/v1/info"));
    for (const network of NETWORKS) await expectKeyedPlans(network);
  }
});

test("the reliability suite's digest of an index that lacks one transaction differs, and it is named as lost", async () => {
  const { mainnet, sepolia } = shared.networks;
  const oracles = { mainnet: await consultOracle(mainnet), sepolia: await consultOracle(sepolia) };
  const reference = await takeAnswers(new ApiClient(shared.baseUrl), oracles);
  const whole = await takeAnswers(new ApiClient(indexer?.baseUrl ?? ""), oracles);
  expect(compareAnswers(reference, whole)).toEqual({ lost: [], wrong: [], first: null });
  expect(digestOf(whole)).toBe(digestOf(reference));

  const deleted = oracles.mainnet.transactions[5];
  await withClient(databaseUrl(), async (client) => {
    const { rowCount } = await client.query(
      "DELETE FROM coreswap.transaction_by_filter WHERE chain_id = 1 AND block_number = $1 AND transaction_index = $2",
      [deleted?.inclusion.blockNumber, deleted?.inclusion.transactionIndex],
    );
    expect(rowCount).toBeGreaterThan(1);
  });
  // A new process is needed, because the indexer caches its answers while its state does not change.
  const { baseUrl } = await start("serve");
  const lacking = await takeAnswers(new ApiClient(baseUrl), oracles);
  expect(compareAnswers(reference, lacking).lost).toEqual([`mainnet ${deleted?.transactionHash}`]);
  expect(digestOf(lacking)).not.toBe(digestOf(reference));
});
