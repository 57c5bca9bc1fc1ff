/**
 * The environment of the benchmark: PostgreSQL, a local chain with the contracts, the indexer, and one database per
 * size.
 */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { buildContracts, type DeployedNetwork, deployNetwork } from "../../localnet/deployment.ts";
import { type Indexer, startIndexer } from "../../localnet/indexer.ts";
import { startNode } from "../../localnet/nodes.ts";
import type { ApiNetwork } from "../../src/api/shared/networks.ts";
import { startPostgres } from "../../test/e2e/harness/postgres.ts";
import { withClient } from "../../test/support/postgres.ts";
import { CHAIN_ID, labelOf, SCHEMA } from "./dataset.ts";
import { loadDataset } from "./loadDataset.ts";

/** The deployment script can only write below .demo. */
export const DIRECTORY = join(".demo", "bench-api");

/** Database that Ponder filled from the local chain; those of the sizes start as copies of it. */
const TEMPLATE = "bench_api_live";

/** A quarter of a small server's memory; nothing else runs meanwhile. */
const POSTGRES_SETTINGS = {
  shared_buffers: "2GB",
  max_wal_size: "16GB",
  wal_level: "minimal",
  max_wal_senders: "0",
  autovacuum: "off",
} as const;

export interface BenchStack {
  readonly deployed: DeployedNetwork;
  /** The network as the API knows it. */
  readonly network: ApiNetwork;
  /** Node of the local chain. */
  readonly rpcUrl: string;
  /**
   * Starts `ponder start` or `ponder serve` on the template database.
   * @param settings more settings, by variable
   */
  startIndexer(command?: "start" | "serve", settings?: Readonly<Record<string, string>>): Promise<Indexer>;
  /** URL of the database with this many legs, loaded if it does not exist yet. The indexer must have ended. */
  databaseOf(legCount: number): Promise<string>;
  stop(): Promise<void>;
}

/** @param serverUrl URL of a running PostgreSQL, where loaded data stay for the next run */
export async function startStack(serverUrl: string | undefined, say: (text: string) => void): Promise<BenchStack> {
  rmSync(DIRECTORY, { recursive: true, force: true });
  mkdirSync(DIRECTORY, { recursive: true });
  say("compiling the contracts");
  await buildContracts(join(DIRECTORY, "build.log"));
  const server = serverUrl === undefined ? await startPostgres(POSTGRES_SETTINGS) : undefined;
  const url = serverUrl ?? server?.databaseUrl ?? "";
  const urlOf = (database: string) => Object.assign(new URL(url), { pathname: `/${database}` }).href;
  await withClient(url, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${TEMPLATE}`);
    await client.query(`CREATE DATABASE ${TEMPLATE}`);
  });
  say("deploying on a local chain");
  const node = await startNode({ chainId: CHAIN_ID, logFile: join(DIRECTORY, "node.log") });
  const deployed = await deployNetwork({ node, network: "mainnet", directory: DIRECTORY });
  return {
    deployed,
    network: {
      name: deployed.network,
      chainId: CHAIN_ID,
      schema: SCHEMA,
      startBlock: BigInt(deployed.startBlock),
      coreSwap: deployed.coreSwap,
      treasury: deployed.treasury,
    },
    rpcUrl: node.rpcUrl,
    startIndexer: (command = "start", settings = {}) =>
      startIndexer({
        command,
        settings,
        deploymentsDirectory: deployed.deploymentsDirectory,
        rpcUrls: { [CHAIN_ID]: node.rpcUrl },
        database: { databaseUrl: urlOf(TEMPLATE), schema: SCHEMA },
        logFile: join(DIRECTORY, `${command}.log`),
      }),
    async databaseOf(legCount) {
      const database = `bench_api_${legCount}`;
      const databaseUrl = urlOf(database);
      const isLoaded = await withClient(url, async (client) => {
        const { rows } = await client.query<{ label: string | null }>(
          "SELECT shobj_description(oid, 'pg_database') AS label FROM pg_database WHERE datname = $1",
          [database],
        );
        if (rows[0]?.label === labelOf(legCount)) return true;
        await client.query(`DROP DATABASE IF EXISTS ${database}`);
        await client.query(`CREATE DATABASE ${database} TEMPLATE ${TEMPLATE}`);
        return false;
      });
      if (!isLoaded) {
        await withClient(databaseUrl, async (client) => {
          await loadDataset(client, legCount, (text) => say(`  ${text}`));
          await client.query(`COMMENT ON DATABASE ${database} IS '${labelOf(legCount)}'`);
        });
      }
      return databaseUrl;
    },
    async stop() {
      await node.stop();
      await server?.stop();
    },
  };
}
