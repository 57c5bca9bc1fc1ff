/**
 * Sets up what a test examines: local chains with the protocol and a seeded history, and indexers of them.
 * Everything that a stack has started ends with it, even when building the stack fails.
 */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { CHAIN_IDS, type NetworkName } from "../../../config/networks.ts";
import { createChainClient } from "../../../localnet/chain.ts";
import { type DeployedNetwork, deployNetwork } from "../../../localnet/deployment.ts";
import { playHistory } from "../../../localnet/history.ts";
import { type Indexer, startIndexer } from "../../../localnet/indexer.ts";
import { type ChainNode, startNode } from "../../../localnet/nodes.ts";
import { queryOnce } from "../../support/postgres.ts";
import type { NetworkSource } from "../oracle/network.ts";
import { ApiClient } from "./api.ts";
import { waitUntil } from "./poll.ts";
import { type PostgresServer, startPostgres } from "./postgres.ts";

/** What a test needs to know about a stack, as plain data, so that it can be passed between processes. */
export interface StackDescription {
  readonly baseUrl: string;
  readonly deploymentsDirectory: string;
  readonly networks: Readonly<Record<NetworkName, NetworkSource>>;
}

export interface StackOptions {
  /** Names the directory of the stack. Must be unique among the stacks that run at the same time. */
  readonly name: string;
  readonly seed: number;
  /** Number of transactions per network. */
  readonly transactionCount: number;
  /** Networks with a chain. Default both. A test of one network starts in half the time. */
  readonly networks?: readonly NetworkName[];
  /**
   * Number of empty blocks after the history, one second apart. They make more of the history final, and Ponder streams
   * them quickly. Default 0.
   */
  readonly emptyBlocks?: number;
}

export interface IndexerOptions {
  /** Names the log file and the database of the indexer. An indexer with the same name uses the same data. */
  readonly name: string;
  /** Networks to index. Default all of the stack. */
  readonly networks?: readonly NetworkName[];
  /** URLs that replace the nodes' own URLs. */
  readonly rpcUrls?: Partial<Record<NetworkName, string>>;
  /** A URL of PostgreSQL, or PGlite. A database of the stack's own PostgreSQL when absent. */
  readonly database?: "pglite" | { readonly databaseUrl: string };
}

/** An indexer, with a client of its API. */
export interface RunningIndexer {
  readonly process: Indexer;
  readonly api: ApiClient;
}

const BOTH: readonly NetworkName[] = ["mainnet", "sepolia"];
const HISTORY_DAYS = 90;
const DAY_SECONDS = 86_400;

export class Stack {
  readonly directory: string;
  readonly #endings: (() => Promise<void>)[] = [];
  readonly #deployed = new Map<NetworkName, DeployedNetwork>();
  #postgres: Promise<PostgresServer> | undefined;

  private constructor(directory: string) {
    this.directory = directory;
  }

  /**
   * Starts the chains, deploys the protocol and plays the histories. Starts no indexer. The contracts must be compiled
   * (`buildContracts`).
   */
  static async build(options: StackOptions): Promise<Stack> {
    // The deployment script may write only below .demo.
    const stack = new Stack(join(".demo", `e2e-${options.name}`));
    rmSync(stack.directory, { recursive: true, force: true });
    mkdirSync(stack.directory, { recursive: true });
    try {
      const { networks = BOTH } = options;
      const building = networks.map((network) => stack.#buildNetwork(network, options));
      // Every result is awaited even when one fails, so that nothing starts after everything has been stopped.
      for (const outcome of await Promise.allSettled(building)) {
        if (outcome.status === "rejected") throw outcome.reason;
      }
    } catch (error) {
      await stack.stop();
      throw error;
    }
    return stack;
  }

  async #buildNetwork(network: NetworkName, options: StackOptions): Promise<void> {
    const { seed, transactionCount, emptyBlocks = 0 } = options;
    const now = Math.floor(Date.now() / 1000) - emptyBlocks;
    const node: ChainNode = await startNode({
      chainId: CHAIN_IDS[network],
      timestamp: now - HISTORY_DAYS * DAY_SECONDS,
      logFile: join(this.directory, `${network}.node.log`),
    });
    this.#endings.push(() => node.stop());
    const deployed = await deployNetwork({ node, network, directory: this.directory });
    this.#deployed.set(network, deployed);
    await playHistory({ deployed, seed, transactionCount, now });
    if (emptyBlocks > 0) await createChainClient(node.rpcUrl).mine({ blocks: emptyBlocks, interval: 1 });
  }

  deployed(network: NetworkName): DeployedNetwork {
    const deployed = this.#deployed.get(network);
    if (!deployed) throw new Error(`${network} is not deployed`);
    return deployed;
  }

  source(network: NetworkName): NetworkSource {
    const { rpcUrl, coreSwap, treasury } = this.deployed(network);
    return { rpcUrl, contracts: { coreSwap, treasury } };
  }

  get deploymentsDirectory(): string {
    return this.deployed("mainnet").deploymentsDirectory;
  }

  /**
   * Starts an indexer and waits until it answers. Its answers are complete after `process.ready()`.
   * @throws Error with the end of the log when the indexer ends earlier
   */
  async startIndexer({
    name,
    networks = [...this.#deployed.keys()],
    rpcUrls,
    database,
  }: IndexerOptions): Promise<RunningIndexer> {
    const process = await startIndexer({
      deploymentsDirectory: this.deploymentsDirectory,
      rpcUrls: Object.fromEntries(
        networks.map((network) => [CHAIN_IDS[network], rpcUrls?.[network] ?? this.deployed(network).rpcUrl]),
      ),
      database:
        database === "pglite"
          ? { pgliteDirectory: join(this.directory, `${name}.pglite`) }
          : { databaseUrl: database?.databaseUrl ?? (await this.databaseUrl(name)), schema: name },
      logFile: join(this.directory, `${name}.log`),
    });
    this.#endings.push(() => process.stop());
    const api = new ApiClient(process.baseUrl);
    let end: string | undefined;
    void process.ended.then((description) => {
      end = description;
    });
    await waitUntil(`${name} answers`, async () => {
      if (end !== undefined) throw new Error(end);
      return (await api.request("/health")).status === 200 ? null : "/health is not 200";
    });
    return { process, api };
  }

  /** A database for one indexer, because indexers of one database share what they have read from the nodes. */
  async databaseUrl(name: string): Promise<string> {
    this.#postgres ??= startPostgres().then((server) => {
      // It ends after every indexer.
      this.#endings.unshift(() => server.stop());
      return server;
    });
    const { databaseUrl } = await this.#postgres;
    const [known] = await queryOnce(databaseUrl, `SELECT FROM pg_database WHERE datname = '${name}'`);
    if (known === undefined) await queryOnce(databaseUrl, `CREATE DATABASE "${name}"`);
    return Object.assign(new URL(databaseUrl), { pathname: `/${name}` }).href;
  }

  /** Registers something that ends with the stack, before everything that was started earlier. */
  endWithStack(end: () => Promise<void>): void {
    this.#endings.push(end);
  }

  describe(baseUrl: string): StackDescription {
    return {
      baseUrl,
      deploymentsDirectory: this.deploymentsDirectory,
      networks: { mainnet: this.source("mainnet"), sepolia: this.source("sepolia") },
    };
  }

  /** Ends everything, newest first. The directory remains, because it contains the logs. */
  async stop(): Promise<void> {
    const failures: unknown[] = [];
    for (const end of this.#endings.splice(0).reverse()) {
      await end().catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw new AggregateError(failures, "parts of the stack did not end");
  }
}
