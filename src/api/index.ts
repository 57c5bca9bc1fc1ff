/** The API inside Ponder: binds the app to Ponder's database, the configured networks and the clock. */
import { db } from "ponder:api";
import schema from "ponder:schema";
import { graphql, client as sqlOverHttp } from "ponder";
import { createPublicClient } from "viem";
import { databaseLocation } from "../../config/database.ts";
import { configuredNetworks, deploymentsDirectory } from "../../config/networks.ts";
import { rpcTransport } from "../../config/rpcTransport.ts";
import { createApp } from "./app.ts";
import { startAudit } from "./audit/start.ts";
import { type DatabaseClient, databaseOf, isEmbedded } from "./database.ts";
import { scheduleForkWatch } from "./forks/schedule.ts";
import { createForkWatch, type DeepFork } from "./forks/watch.ts";
import { clientByAddress } from "./http/client.ts";
import type { ApiNetwork } from "./networks.ts";
import { ponderProcess } from "./ponder.ts";
import { createPricePool, createPriceTable, postgresPriceSource, postgresPriceStore } from "./prices/postgres.ts";
import { createRefresher } from "./prices/refresher.ts";
import { schedulePriceRefresh } from "./prices/schedule.ts";
import { memoryPriceStore, type PriceSource, type PriceStore } from "./prices/store.ts";
import { readWantedPrices } from "./queries/wantedPrices.ts";
import { httpServerHooks } from "./server/hooks.ts";
import { apiSettings, FILE_LIMITS } from "./settings.ts";
import { scheduleGauges } from "./status/gauges.ts";
import { readNetworkStatuses } from "./status/indexing.handler.ts";
import { statusSettings } from "./status/settings.ts";
import { openStatusDatabase, startIndexingStatus } from "./status/start.ts";
import { createStatusTable } from "./status/table.ts";
import { endProcess } from "./status/watchdog.ts";
import { loadSvmDeployments } from "./svm/load.ts";

/** How long a statement of a `serve` replica may take, as the database counts. */
const SERVE_STATEMENT_TIMEOUT_MS = 2_000;

/**
 * How long an answer of the database is waited for, whether it is dead, unreachable or stopped: longer than it may
 * take by its own count. A new connection takes it twice, once to be made and once for its settings.
 */
const SERVE_ANSWER_TIMEOUT_MS = 3_000;
const ANSWER_TIMEOUT_MS = 5_000;

const { command, schema: databaseSchema, runExclusively, metricsRegistry, logError, logWarning } = ponderProcess();
const isIndexing = command === "dev" || command === "start";
// Drizzle keeps the client it was made with here; Ponder's type leaves it out.
const { $client: client } = db as unknown as { readonly $client: DatabaseClient };
const database = isEmbedded(client) ? databaseOf(client, runExclusively) : databaseOf(client);
// Every new connection is made with these; there is none yet.
if (!isEmbedded(client)) {
  const timeout = command === "serve" ? SERVE_ANSWER_TIMEOUT_MS : ANSWER_TIMEOUT_MS;
  client.options.query_timeout = timeout;
  client.options.connectionTimeoutMillis = timeout;
  if (command === "serve") client.options.statement_timeout = SERVE_STATEMENT_TIMEOUT_MS;
}
const now = () => BigInt(Math.floor(Date.now() / 1000));

const configured = configuredNetworks().map((network) => {
  const { name, chainId, deployment } = network;
  const api: ApiNetwork = {
    name,
    chainId,
    schema: process.env[`DATABASE_SCHEMA_${name.toUpperCase()}`] || databaseSchema,
    startBlock: BigInt(deployment.startBlock),
    coreSwap: deployment.coreSwap,
    treasury: deployment.treasury,
  };
  const { rpcUrls } = network;
  return { api, rpcUrls, node: createPublicClient({ transport: rpcTransport(rpcUrls) }) };
});
const nodes = new Map(configured.map(({ api, node }) => [api.chainId, node]));

// First what may refuse to start, then what goes on in the background.
const { requestsPerMinute, accountRequestsPerMinute, proxies, connections, shutdownMs } = apiSettings();
const { watchdogSeconds, auditRequestsPerMinute } = statusSettings();
const svm = await loadSvmDeployments(deploymentsDirectory());
const prices = await openPrices();
const forkWatches = configured.map(({ api, node }) => createForkWatch({ database, network: api, node }));
scheduleForkWatch(forkWatches, { registry: metricsRegistry, logWarning });
globalThis.PONDER_HTTP_SERVER = httpServerHooks({ limits: connections, shutdownMs, logWarning });
if (isIndexing) await watchIndexing();
const networks = configured.map(({ api }) => api);
scheduleGauges({
  database,
  networks,
  prices,
  readStatuses: () => readNetworkStatuses({ database, networks, forkOf, now }),
  registry: metricsRegistry,
  now,
  logWarning,
});

export default createApp(
  {
    database,
    networks,
    prices,
    svm,
    now,
    nodeOf: ({ chainId, name }) => {
      const node = nodes.get(chainId);
      if (node === undefined) throw new Error(`${name} has no node`);
      return node;
    },
    forkOf,
    limits: { requestsPerMinute, accountRequestsPerMinute, clientOf: clientByAddress(proxies) },
    files: FILE_LIMITS,
    logError,
  },
  (app) => {
    // For looking around while developing: they take queries of any cost.
    if (command !== "dev") return;
    app.use("/graphql", graphql({ db, schema }));
    app.use("/sql/*", sqlOverHttp({ db, schema }));
  },
);

function forkOf({ chainId }: ApiNetwork): DeepFork | null {
  return forkWatches.find(({ network }) => network.chainId === chainId)?.current() ?? null;
}

/** Writes what the status endpoints read, and ends a process that has stopped indexing. */
async function watchIndexing(): Promise<void> {
  const statusDatabase = isEmbedded(client) ? database : openStatusDatabase(logWarning);
  await createStatusTable(statusDatabase);
  const watched = configured.map(({ api, rpcUrls }) => ({ network: api, rpcUrls }));
  const lastAudit = await startAudit({
    database,
    networks: watched,
    requestsPerMinute: auditRequestsPerMinute,
    now,
    logWarning,
  });
  await startIndexingStatus({
    database: statusDatabase,
    networks: watched.map(({ network, rpcUrls }) => ({
      network,
      rpcUrls,
      fork: () => forkOf(network),
      audit: () => lastAudit(network.chainId),
    })),
    watchdogSeconds,
    end: command === "start" ? endProcess : null,
    now,
    logWarning,
  });
}

/**
 * Where answers find prices. The indexing process keeps them fresh; `serve` replicas, perhaps read-only, only read
 * them.
 */
async function openPrices(): Promise<PriceSource> {
  if (!isIndexing) return postgresPriceSource;
  const store = isEmbedded(client) ? memoryPriceStore() : await openPostgresPrices();
  const refreshers = configured.map(({ api, node }) =>
    createRefresher({
      chainId: api.chainId,
      client: node,
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
