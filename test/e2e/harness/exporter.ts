/** Exports of an index of mainnet, in processes as operators start them, and DuckDB to read their files. */

import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { Client } from "pg";
import { CHAIN_IDS } from "../../../config/networks.ts";
import type { Manifest } from "../../../exporter/src/manifest.ts";
import { type Indexer, startIndexer } from "../../../localnet/indexer.ts";
import { type Outcome, outcomeOf } from "../../support/outcome.ts";
import { urlAs } from "../../support/postgres.ts";
import { timeText } from "../../support/time.ts";
import { ApiClient } from "./api.ts";
import { waitUntilCaughtUp } from "./converge.ts";
import { type PostgresServer, startPostgres } from "./postgres.ts";
import type { StackDescription } from "./stack.ts";

export const SCHEMA = "mainnet_1";
/** The longest range of the API. The chain is younger. */
const RANGE_SECONDS = 365 * 86_400;

/** Rows by column, with every value as text. */
export type Rows = readonly Readonly<Record<string, string | null>>[];

interface Run {
  readonly child: ChildProcess;
  readonly ended: Promise<Outcome>;
}

export class Exporter {
  /** The folder in which exports are written. */
  readonly directory: string;
  readonly indexer: Indexer;
  readonly api: ApiClient;
  /** A connection of the superuser. */
  readonly owner: Client;
  readonly #deploymentsDirectory: string;
  readonly #server: PostgresServer;
  readonly #duckdb: DuckDBInstance;

  private constructor(
    shared: Pick<StackDescription, "deploymentsDirectory">,
    server: PostgresServer,
    owner: Client,
    indexer: Indexer,
    duckdb: DuckDBInstance,
  ) {
    this.directory = directoryOf(shared);
    this.indexer = indexer;
    this.api = new ApiClient(indexer.baseUrl);
    this.owner = owner;
    this.#deploymentsDirectory = shared.deploymentsDirectory;
    this.#server = server;
    this.#duckdb = duckdb;
  }

  /** Builds an index of mainnet on a new PostgreSQL server, and removes the exports of earlier runs. */
  static async start(shared: StackDescription): Promise<Exporter> {
    rmSync(directoryOf(shared), { recursive: true, force: true });
    const server = await startPostgres();
    const owner = new Client({ connectionString: server.databaseUrl });
    await owner.connect();
    await owner.query(readFileSync("ops/roles.sql", "utf8"));
    const indexer = await startIndexer({
      deploymentsDirectory: shared.deploymentsDirectory,
      rpcUrls: { [CHAIN_IDS.mainnet]: shared.networks.mainnet.rpcUrl },
      database: { databaseUrl: urlAs("coreswap_indexer", server.databaseUrl), schema: SCHEMA },
      settings: { AUDIT_REQUESTS_PER_MINUTE: "0" },
      logFile: join(directoryOf(shared), "..", "export-indexer.log"),
    });
    const exporter = new Exporter(shared, server, owner, indexer, await DuckDBInstance.create(":memory:"));
    try {
      await indexer.ready();
      await waitUntilCaughtUp(exporter.api, "mainnet", shared.networks.mainnet);
      return exporter;
    } catch (error) {
      await exporter.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    this.#duckdb.closeSync();
    await this.indexer.stop();
    await this.owner.end();
    await this.#server.stop();
  }

  manifestOf(folder: string): Manifest {
    return JSON.parse(readFileSync(join(this.directory, folder, "evm-mainnet/manifest.json"), "utf8")) as Manifest;
  }

  /**
   * Starts an export with its role, which can read and lock its folder. Later options replace the network.
   * @param prefix a shell command line that ends with the export
   */
  start(options: readonly string[], { prefix = "exec", ...env }: Record<string, string> = {}): Run {
    const placed = options.map((option, index) =>
      options[index - 1] === "--to" ? join(this.directory, option) : option,
    );
    const child = spawn(
      "sh",
      ["-c", `${prefix} "$@"`, "sh", process.execPath, "exporter/src/main.ts", "--network", "mainnet", ...placed],
      {
        env: {
          ...process.env,
          DATABASE_URL: urlAs("coreswap_export", this.#server.databaseUrl),
          DATABASE_PRIVATE_URL: "",
          DATABASE_SCHEMA: SCHEMA,
          DEPLOYMENTS_DIR: this.#deploymentsDirectory,
          ...env,
        },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    return { child, ended: outcomeOf(child) };
  }

  run(...options: string[]): Run["ended"] {
    return this.start(options).ended;
  }

  /** The rows of a data set as DuckDB reads them: every column as text, and times as the API writes them. */
  async rowsOf(format: string, dataSet: string, folder = format): Promise<Rows> {
    const files = `'${join(this.directory, folder)}/evm-mainnet/${dataSet}/*.${format}'`;
    const time = "REPLACE (strftime(block_time, '%Y-%m-%dT%H:%M:%SZ') AS block_time)";
    const source: Readonly<Record<string, string>> = {
      parquet: `SELECT * ${time} FROM read_parquet(${files})`,
      ndjson: `SELECT * ${time} FROM read_json(${files})`,
      csv: `FROM read_csv(${files}, all_varchar = true)`,
    };
    return this.query(`SELECT COLUMNS(*)::VARCHAR FROM (${source[format]})`);
  }

  /** Runs SQL in DuckDB. */
  async query(text: string): Promise<Rows> {
    const connection = await this.#duckdb.connect();
    try {
      return (await connection.runAndReadAll(text)).getRowObjectsJson() as Rows;
    } finally {
      connection.closeSync();
    }
  }
}

/** The range for the API that contains the exported legs. */
export function exportedRange({ toBlock }: Manifest): { readonly from: string; readonly to: string } {
  const end = Date.parse(toBlock.time) / 1000 + 1;
  return { from: timeText(end - RANGE_SECONDS), to: timeText(end) };
}

/** The folder of all exports of a stack. */
export function directoryOf({ deploymentsDirectory }: Pick<StackDescription, "deploymentsDirectory">): string {
  return resolve(deploymentsDirectory, "..", "exports");
}

/** A shell prefix that mounts a separate file system at `disk`, which exists until the process ends. */
export function mounting(directory: string, options: string): string {
  const root = process.getuid?.() === 0 ? "" : "sudo -E ";
  return `exec ${root}unshare --mount sh -c 'mount -t tmpfs -o ${options} tmpfs "${directory}/disk" && exec "$@"' sh`;
}
