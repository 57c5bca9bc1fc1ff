/**
 * One indexer under faults: its database, the proxies in front of its database and its nodes, and a supervisor that
 * restarts it.
 */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CHAIN_IDS, type NetworkName } from "../../../config/networks.ts";
import type { IndexingAnswer } from "../../../src/api/status/indexing.schema.ts";
import { type DatabaseProxy, startDatabaseProxy } from "../../e2e/harness/databaseProxy.ts";
import { type PostgresServer, startPostgres } from "../../e2e/harness/postgres.ts";
import { Supervisor } from "../../e2e/harness/supervisor.ts";
import type { Answers, Oracles } from "./answers.ts";
import { checkAnswers } from "./check.ts";
import type { Tally } from "./figures.ts";
import { type RpcProxy, startRpcProxy } from "./rpcProxy.ts";
import type { World } from "./world.ts";

export type DatabaseName = "PostgreSQL" | "PGlite";

export interface RigOptions {
  /** Names the files of the rig. Must be unique within its world. */
  readonly name: string;
  readonly world: World;
  readonly database: DatabaseName;
  /** A server to use instead of a new one. */
  readonly server?: PostgresServer;
  /** The role of the indexer on the server. The superuser by default. */
  readonly role?: string;
  /** More settings of the indexer, by variable. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** High enough for a backfill of these small histories to take only seconds. */
const REQUESTS_PER_SECOND = "200";
const READY_MS = 240_000;
/** Enough time for a collection of all garbage. */
const COLLECTION_MS = 2_000;
const COLLECTS_ON_SIGNAL = `--expose-gc --import ${new URL("./collectOnSignal.ts", import.meta.url).href}`;

/** An indexer with its database and proxies, which end with its world. */
export class Rig {
  readonly world: World;
  readonly database: DatabaseName;
  readonly rpc: Readonly<Record<NetworkName, RpcProxy>>;
  readonly #name: string;
  readonly #role: string;
  readonly #settings: Readonly<Record<string, string>>;
  readonly #postgres: { readonly server: PostgresServer; readonly proxy: DatabaseProxy } | undefined;
  #generation = 0;
  #supervisor: Supervisor | undefined;

  private constructor(
    options: RigOptions,
    rpc: Rig["rpc"],
    postgres: { server: PostgresServer; proxy: DatabaseProxy } | undefined,
  ) {
    this.world = options.world;
    this.database = options.database;
    this.#name = options.name;
    this.#role = options.role ?? "postgres";
    this.#settings = {
      PONDER_RPC_REQUESTS_PER_SECOND: REQUESTS_PER_SECOND,
      NODE_OPTIONS: COLLECTS_ON_SIGNAL,
      ...options.settings,
    };
    this.rpc = rpc;
    this.#postgres = postgres;
  }

  /** Starts the proxies and the database. `renew` starts the indexer. */
  static async open(options: RigOptions): Promise<Rig> {
    const { world, database } = options;
    const end = (stop: () => Promise<void>) => world.stack.endWithStack(stop);
    const mainnet = await startRpcProxy(world.stack.deployed("mainnet").rpcUrl);
    end(() => mainnet.stop());
    const sepolia = await startRpcProxy(world.stack.deployed("sepolia").rpcUrl);
    end(() => sepolia.stop());
    let postgres: { server: PostgresServer; proxy: DatabaseProxy } | undefined;
    if (database === "PostgreSQL") {
      const server = options.server ?? (await startPostgres());
      end(() => server.stop());
      const proxy = await startDatabaseProxy(server.port);
      end(() => proxy.stop());
      postgres = { server, proxy };
    }
    const rig = new Rig(options, { mainnet, sepolia }, postgres);
    end(async () => rig.#supervisor?.stop());
    return rig;
  }

  get supervisor(): Supervisor {
    if (!this.#supervisor) throw new Error(`${this.#name} is not started`);
    return this.#supervisor;
  }

  get api() {
    return this.supervisor.api;
  }

  get server(): PostgresServer {
    if (!this.#postgres) throw new Error(`${this.#name} is on ${this.database}`);
    return this.#postgres.server;
  }

  get databaseProxy(): DatabaseProxy {
    if (!this.#postgres) throw new Error(`${this.#name} is on ${this.database}`);
    return this.#postgres.proxy;
  }

  /** Schema of the indexed tables. Its name occurs only in the statements of its indexer. */
  get schema(): string {
    return `${this.#name.replaceAll("-", "_")}_${this.#generation}`;
  }

  /** URL of the database through the proxy. */
  get databaseUrl(): string {
    return `postgresql://${this.#role}@127.0.0.1:${this.databaseProxy.port}/postgres`;
  }

  get logFile(): string {
    return join(this.world.stack.directory, `${this.#name}.log`);
  }

  /** RPC URLs by chain id, through the proxies. */
  get rpcUrls(): Readonly<Record<number, string>> {
    return { [CHAIN_IDS.mainnet]: this.rpc.mainnet.rpcUrl, [CHAIN_IDS.sepolia]: this.rpc.sepolia.rpcUrl };
  }

  /** Ends the indexer, if one is running, and starts one from scratch, with an empty schema or directory. */
  async renew(): Promise<Supervisor> {
    await this.#supervisor?.stop();
    this.#generation += 1;
    this.#supervisor = await Supervisor.start({
      name: this.#name,
      options: {
        deploymentsDirectory: this.world.stack.deploymentsDirectory,
        rpcUrls: this.rpcUrls,
        database: this.#postgres
          ? { databaseUrl: this.databaseUrl, schema: this.schema }
          : { pgliteDirectory: join(this.world.stack.directory, `${this.#name}-${this.#generation}.pglite`) },
        settings: this.#settings,
        logFile: this.logFile,
      },
    });
    return this.#supervisor;
  }

  /** Calls `renew`, and waits until the new index has caught up with the chains. */
  async renewed(): Promise<void> {
    await (await this.renew()).ready(READY_MS);
  }

  /**
   * Compares all answers with the expected ones, as `checkAnswers` does, and looks at the audit.
   * @param faults number of faults since the last check, which this check counts as survived
   */
  async check(tally: Tally, oracles: Oracles, expected: Answers, faults = 1): Promise<boolean> {
    const isWhole = await checkAnswers(this.api, { tally, oracles, expected, faults });
    await this.#checkAudit(tally);
    return isWhole;
  }

  /**
   * Checks that the audit, which runs during every fault, reports no damage. No fault of a node or a database may cause
   * that.
   */
  async #checkAudit(tally: Tally): Promise<void> {
    const { networks } = await this.api.json<IndexingAnswer>("/v1/status/indexing");
    for (const { network, audit } of networks) {
      if (audit?.result === "failed") tally.remark(`the audit of ${network} failed: ${audit.difference}`);
    }
  }

  /** Makes the indexer's main thread, which serves requests, collect its garbage. */
  collectGarbage(): Promise<void> {
    return collectGarbage(this.supervisor);
  }

  /** Starts an indexer from scratch in another schema of the same database. */
  async beside(name: string): Promise<Rig> {
    const rig = new Rig({ name, world: this.world, database: this.database, role: this.#role }, this.rpc, {
      server: this.server,
      proxy: this.databaseProxy,
    });
    this.world.stack.endWithStack(() => rig.stop());
    await rig.renew();
    return rig;
  }

  /**
   * Starts a replica that answers from this rig's schema.
   * @param port a free port by default
   * @param databaseUrl of a copy of the database; by default the database itself, through the proxy
   */
  async serve(
    name: string,
    { port, databaseUrl = this.databaseUrl }: { port?: number; databaseUrl?: string } = {},
  ): Promise<Supervisor> {
    const options = {
      command: "serve",
      deploymentsDirectory: this.world.stack.deploymentsDirectory,
      rpcUrls: this.rpcUrls,
      database: { databaseUrl, schema: this.schema },
      logFile: join(this.world.stack.directory, `${name}.log`),
      settings: { NODE_OPTIONS: COLLECTS_ON_SIGNAL },
    } as const;
    const replica = await Supervisor.start({ name, options }, port);
    this.world.stack.endWithStack(() => replica.stop());
    return replica;
  }

  async stop(): Promise<void> {
    await this.#supervisor?.stop();
    this.#supervisor = undefined;
  }
}

/**
 * Makes the main thread of a process collect its garbage. V8 does that when it needs space, not when requests end.
 * Without it, the memory of one process differed by more than 100 MiB after equal sieges, although nothing of them
 * remained.
 */
export async function collectGarbage({ pid }: Supervisor): Promise<void> {
  // The process ID is 0 between two processes, and a signal to 0 would reach every process of this group.
  if (pid !== 0) process.kill(pid, "SIGUSR2");
  await sleep(COLLECTION_MS);
}
