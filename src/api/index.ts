/** The API inside Ponder: binds the app to Ponder's database, the configured networks and the clock. */
import { db } from "ponder:api";
import { createPublicClient } from "viem";
import { databaseLocation } from "../../config/database.ts";
import { configuredNetworks, deploymentsDirectory } from "../../config/networks.ts";
import { rpcTransport } from "../../config/rpcTransport.ts";
import { createApp } from "./app.ts";
import { type DatabaseClient, databaseOf, isEmbedded } from "./database.ts";
import type { ApiNetwork } from "./networks.ts";
import { ponderProcess } from "./ponder.ts";
import { createPricePool, createPriceTable, postgresPriceSource, postgresPriceStore } from "./prices/postgres.ts";
import { createRefresher } from "./prices/refresher.ts";
import { schedulePriceRefresh } from "./prices/schedule.ts";
import { memoryPriceStore, type PriceSource, type PriceStore } from "./prices/store.ts";
import { readWantedPrices } from "./queries/wantedPrices.ts";
import { loadSvmDeployments } from "./svm/load.ts";

/** How long a statement of a `serve` replica may take. */
const SERVE_STATEMENT_TIMEOUT_MS = 2_000;

const { command, schema, runExclusively, logError, logWarning } = ponderProcess();
const isIndexing = command === "dev" || command === "start";
// Drizzle keeps the client it was made with here; Ponder's type leaves it out.
const { $client: client } = db as unknown as { readonly $client: DatabaseClient };
const database = isEmbedded(client) ? databaseOf(client, runExclusively) : databaseOf(client);
// Goes to the server with each new connection, of which there is none yet.
if (command === "serve" && !isEmbedded(client)) client.options.statement_timeout = SERVE_STATEMENT_TIMEOUT_MS;
const now = () => BigInt(Math.floor(Date.now() / 1000));

const configured = configuredNetworks().map((network) => {
  const { name, chainId, deployment } = network;
  const api: ApiNetwork = {
    name,
    chainId,
    schema: process.env[`DATABASE_SCHEMA_${name.toUpperCase()}`] || schema,
    startBlock: BigInt(deployment.startBlock),
    coreSwap: deployment.coreSwap,
    treasury: deployment.treasury,
  };
  return { api, rpcUrls: network.rpcUrls };
});

// First what may refuse to start, then what goes on in the background.
const svm = await loadSvmDeployments(deploymentsDirectory());
const prices = await openPrices();

export default createApp({
  database,
  networks: configured.map(({ api }) => api),
  prices,
  svm,
  now,
  logError,
});

/** Where answers find prices. The indexing process keeps them fresh; `serve` replicas, perhaps read-only, only read them. */
async function openPrices(): Promise<PriceSource> {
  if (!isIndexing) return postgresPriceSource;
  const store = isEmbedded(client) ? memoryPriceStore() : await openPostgresPrices();
  const refreshers = configured.map(({ api, rpcUrls }) =>
    createRefresher({
      chainId: api.chainId,
      client: createPublicClient({ transport: rpcTransport(rpcUrls) }),
      store,
      readWanted: () => readWantedPrices(database, api),
      now,
      logWarning,
    }),
  );
  schedulePriceRefresh(refreshers, logWarning);
  return store;
}

async function openPostgresPrices(): Promise<PriceStore> {
  const location = databaseLocation();
  if (location.kind !== "postgres") throw new Error("DATABASE_URL is not set, although Ponder runs on PostgreSQL");
  const pool = createPricePool(location.connectionString, logWarning);
  await createPriceTable(pool);
  return postgresPriceStore(pool);
}
