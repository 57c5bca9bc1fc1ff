/** The API inside Ponder: connects the app to Ponder's database, the configured networks and the clock. */
import { fileURLToPath } from "node:url";
import { db } from "ponder:api";
import schema from "ponder:schema";
import { graphql, client as sqlOverHttp } from "ponder";
import { createPublicClient } from "viem";
import { configuredNetworks, deploymentsDirectory } from "../../config/networks.ts";
import { rpcTransport } from "../../config/rpcTransport.ts";
import { createApp } from "./app.ts";
import { endAudit, startAudit } from "./audit/start.ts";
import { withoutExplorerLinks } from "./dashboard/handler.ts";
import { scheduleForkWatch } from "./forks/schedule.ts";
import { createForkWatch } from "./forks/watch.ts";
import { type KeyOf, keyByBearer, readApiKeys } from "./http/apiKeys.ts";
import { clientByAddress, isFromLocalAddress, warnOfUnreadHeader } from "./http/client.ts";
import { readStaticFiles } from "./http/staticFiles.ts";
import { loadSvmDeployments } from "./info/svm/load.ts";
import { createRefresher } from "./prices/refresher.ts";
import { schedulePriceRefresh } from "./prices/schedule.ts";
import { createPriceTable, priceStore } from "./prices/store.ts";
import { wantedPricesReader } from "./prices/wanted.ts";
import { httpServerHooks } from "./server/hooks.ts";
import { ponderProcess } from "./server/ponder.ts";
import { apiSettings } from "./server/settings.ts";
import { type DatabaseClient, databaseOf, isEmbedded, type PooledDatabase } from "./shared/database.ts";
import type { DeepFork } from "./shared/health.ts";
import { createIndexIdentity } from "./shared/indexIdentity.ts";
import { type ApiNetwork, apiNetworkOf } from "./shared/networks.ts";
import { openOwnPool, postgresUrl } from "./shared/ownPool.ts";
import { scheduleGauges } from "./status/gauges.ts";
import { requireSameChain } from "./status/sameChain.ts";
import { statusSettings } from "./status/settings.ts";
import { startIndexingStatus } from "./status/start.ts";
import { readNetworkStatuses } from "./status/statuses.ts";
import { createStatusTable, readStatusRows } from "./status/table.ts";
import { FILE_LIMITS } from "./transactions/csv.handler.ts";
import { eventStreams } from "./transactions/events.ts";

/**
 * How long to wait for an answer of a database that may be dead, unreachable or stopped. This is longer than a
 * replica's statement may take by the database's own limit (`prepareReplica`). A new connection waits twice, once for
 * the connection and once for its settings.
 */
const SERVE_ANSWER_TIMEOUT_MS = 3_000;
const ANSWER_TIMEOUT_MS = 5_000;

const { command, schema: databaseSchema, metricsRegistry, logError, logWarning } = ponderProcess();
const isIndexing = command === "dev" || command === "start";
// Drizzle keeps the client with which it was created here. Ponder's type omits it.
const { $client: client } = db as unknown as { readonly $client: DatabaseClient };
const database = databaseOf(client);
// This applies to every new connection. No connection exists yet.
if (!isEmbedded(client)) {
  const timeout = command === "serve" ? SERVE_ANSWER_TIMEOUT_MS : ANSWER_TIMEOUT_MS;
  client.options.query_timeout = timeout;
  client.options.connectionTimeoutMillis = timeout;
}
const now = () => BigInt(Math.floor(Date.now() / 1000));

const clientOf = (urls: readonly string[]) => createPublicClient({ transport: rpcTransport(urls) });
const configured = configuredNetworks().map(({ name, deployment, rpcUrls }) => {
  // An indexer reads the tables that it writes, and never views that show another index.
  const schema = (!isIndexing && process.env[`DATABASE_SCHEMA_${name.toUpperCase()}`]) || databaseSchema;
  const api = apiNetworkOf(name, deployment, schema);
  return { api, rpcUrls, node: clientOf(rpcUrls), nodes: rpcUrls.map((url) => clientOf([url])) };
});
const nodes = new Map(configured.map(({ api, node }) => [api.chainId, node]));

// Steps that may refuse the start come before background work.
const { proxies, keysFile, connections, shutdownMs, limitsLocalAddresses, hasExplorerLinks, ...limits } = apiSettings();
const keys: { readonly keyOf?: KeyOf } = keysFile === null ? {} : { keyOf: keyByBearer(readApiKeys(keysFile)) };
const builtDashboard = readStaticFiles(fileURLToPath(new URL("../../app/dist", import.meta.url)));
const dashboard = hasExplorerLinks || builtDashboard === null ? builtDashboard : withoutExplorerLinks(builtDashboard);
const { watchdogSeconds, auditRequestsPerMinute } = statusSettings();
const svm = await loadSvmDeployments(deploymentsDirectory());
const statusDatabase = isIndexing ? ownDatabase({ use: "status", connections: 1 }) : null;
// Whatever reads the state of a network also reads the identity of its index.
if (statusDatabase !== null) {
  await createIndexIdentity(
    statusDatabase,
    databaseSchema,
    configured.map(({ api }) => api),
  );
  await createStatusTable(statusDatabase);
  for (const { api, nodes } of configured) await requireSameChain({ database: statusDatabase, network: api, nodes });
}
if (isIndexing) await keepPricesFresh();
const forkWatches = configured.map(({ api, nodes }) => createForkWatch({ database, network: api, nodes }));
scheduleForkWatch(forkWatches, { registry: metricsRegistry, logWarning });
const networks = configured.map(({ api }) => api);
const events = eventStreams({
  database,
  networks,
  onFailure: (error) => logWarning("new events could not be read; the next attempt is in a second", error),
});
globalThis.PONDER_HTTP_SERVER = httpServerHooks({
  limits: connections,
  shutdownMs,
  endStreamsAndWork: () => {
    events.end();
    endAudit();
  },
  logWarning,
});
if (statusDatabase !== null) await watchIndexing(statusDatabase);
scheduleGauges({
  database,
  networks,
  readStatuses: () => readNetworkStatuses({ database, networks, forkOf, now }),
  registry: metricsRegistry,
  now,
  logWarning,
});

export default createApp(
  {
    database,
    networks,
    svm,
    now,
    nodeOf: ({ chainId, name }) => {
      const node = nodes.get(chainId);
      if (node === undefined) throw new Error(`no node is configured for ${name}`);
      return node;
    },
    forkOf,
    dashboard,
    guide: readStaticFiles(fileURLToPath(new URL("../../docs/.vitepress/dist", import.meta.url))),
    limits: {
      ...limits,
      ...keys,
      clientOf: clientByAddress(proxies),
      isUnlimited: (c) => !limitsLocalAddresses && isFromLocalAddress(c),
      ...(proxies === null && { inspect: warnOfUnreadHeader(logWarning) }),
    },
    files: FILE_LIMITS,
    events,
    logError,
  },
  (app) => {
    // These routes are for exploring during development, because they accept queries of any cost.
    if (command !== "dev") return;
    app.use("/graphql", graphql({ db, schema }));
    app.use("/sql/*", sqlOverHttp({ db, schema }));
  },
);

function forkOf({ chainId }: ApiNetwork): DeepFork | null {
  return forkWatches.find(({ network }) => network.chainId === chainId)?.current() ?? null;
}

/** Writes the rows that the status endpoints read, and ends a process that has stopped indexing. */
async function watchIndexing(writable: PooledDatabase): Promise<void> {
  const rows = await readStatusRows(
    database,
    configured.map(({ api }) => api),
  );
  const watched = configured.map(({ api, rpcUrls }, index) => ({
    network: api,
    rpcUrls,
    before: rows[index]?.audit ?? null,
  }));
  const lastAudit = startAudit({
    database,
    networks: watched,
    requestsPerMinute: auditRequestsPerMinute,
    now,
    logWarning,
  });
  await startIndexingStatus({
    database: writable,
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

/** Keeps the table of prices fresh, from which answers read. `serve` replicas may be read-only and only read it. */
async function keepPricesFresh(): Promise<void> {
  // Two connections, so that the networks refresh in parallel.
  const priceDatabase = ownDatabase({ use: "prices", connections: 2 });
  await createPriceTable(priceDatabase);
  const store = priceStore(priceDatabase);
  const refreshers = configured.map(({ api, node }) =>
    createRefresher({
      chainId: api.chainId,
      client: node,
      store,
      readWanted: wantedPricesReader(database, api),
      now,
      logWarning,
    }),
  );
  schedulePriceRefresh(refreshers, logWarning);
}

/**
 * Returns the database to which this process may write: a separate pool on PostgreSQL, and the only connection on
 * PGlite.
 */
function ownDatabase(options: Pick<Parameters<typeof openOwnPool>[0], "use" | "connections">): PooledDatabase {
  if (isEmbedded(client)) return database;
  const connectionString = postgresUrl();
  return databaseOf(openOwnPool({ ...options, connectionString, answerTimeoutMs: ANSWER_TIMEOUT_MS, logWarning }));
}

/**
 * Ends a process that has stopped indexing, so that its supervisor restarts it. Ponder catches an uncaught exception,
 * logs it, releases the lock of its schema and exits with 75 ("temporary failure") within five seconds.
 */
function endProcess(message: string): void {
  setImmediate(() => {
    throw new Error(message);
  });
}
