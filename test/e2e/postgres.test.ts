import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { type Indexer, startIndexer } from "../../demo/indexer.ts";
import { ApiClient } from "./harness/api.ts";
import { assertSame } from "./harness/compare.ts";
import { verifyNetwork, waitUntilCaughtUp } from "./harness/converge.ts";
import { type PostgresServer, startPostgres } from "./harness/postgres.ts";
import { CHAIN_IDS } from "./harness/stack.ts";
import { consultOracle } from "./oracle/network.ts";

const shared = inject("sharedStack");
const NETWORKS = ["mainnet", "sepolia"] as const;

let server: PostgresServer | undefined;
let indexer: Indexer | undefined;

beforeAll(async () => {
  server = await startPostgres();
});

afterAll(async () => {
  await indexer?.stop();
  await server?.stop();
});

function databaseUrl(): string {
  if (!server) throw new Error("PostgreSQL was not started");
  return server.databaseUrl;
}

/** Rows in the server itself, so that an indexer which chose another database is noticed. */
async function storedTransactionCount(): Promise<number> {
  const client = new Client({ connectionString: databaseUrl() });
  await client.connect();
  try {
    const { rows } = await client.query<{ count: string }>("SELECT count(*) FROM coreswap.transaction");
    return Number(rows[0]?.count);
  } finally {
    await client.end();
  }
}

/** A second indexer over the shared chains, which no test changes. */
async function start(): Promise<ApiClient> {
  indexer = await startIndexer({
    deploymentsDirectory: shared.deploymentsDirectory,
    rpcUrls: {
      [CHAIN_IDS.mainnet]: shared.networks.mainnet.rpcUrl,
      [CHAIN_IDS.sepolia]: shared.networks.sepolia.rpcUrl,
    },
    database: { databaseUrl: databaseUrl(), schema: "coreswap" },
    logFile: join(shared.deploymentsDirectory, "..", "postgres-indexer.log"),
  });
  await indexer.ready();
  return new ApiClient(indexer.baseUrl);
}

test("on PostgreSQL the answers are those of the chain, also after a restart", async () => {
  for (const run of ["first start", "restart"]) {
    const api = await start();
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
    await indexer?.stop();
  }
});
