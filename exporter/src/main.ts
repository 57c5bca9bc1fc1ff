/** `pnpm export`: writes the final part of an index to files for analysts. */
import { resolve } from "node:path";
import { indexSchema, NETWORK_NAMES, readDeployment } from "../../config/networks.ts";
import { openPool } from "../../config/postgresClients.ts";
import { requireOwnSession } from "../../config/postgresConnection.ts";
import manifest from "../../package.json" with { type: "json" };
import { type Database, databaseOf, prepared } from "../../src/api/shared/database.ts";
import { apiNameOf, apiNetworkOf } from "../../src/api/shared/networks.ts";
import { commandLine, refuse } from "../../tools/lib/commandLine.ts";
import { loadEnvFile } from "../../tools/lib/envFile.ts";
import { runTool, UsageError } from "../../tools/lib/runTool.ts";
import { networkNamed, postgresUrl, refuseOption } from "../../tools/lib/settings.ts";
import { exportNetwork } from "./export.ts";
import { createFolder, prepareFolder } from "./files.ts";
import { FORMATS } from "./formats.ts";
import { IndexReader } from "./reader.ts";

/** How long another export into the same folder is waited for: a killed one may hold its lock for a moment. */
const LOCK_TIMEOUT = "10s";

const CONNECTION_TIMEOUT_MS = 30_000;

/**
 * Time limit of the server for a statement. A page takes seconds, or as long as an indexer changes its tables. A run
 * that never ended would keep its folder from all later ones.
 */
const STATEMENT_TIMEOUT_MS = 300_000;

/** Time limit for an answer, which a server that is gone does not keep. */
const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 30_000;

/** SQLSTATE of a lock that was waited for in vain. */
const LOCK_NOT_AVAILABLE = "55P03";

const { values } = commandLine({
  usage: `pnpm export --network <${NETWORK_NAMES.join("|")}> --format <${FORMATS.join("|")}> --to <folder>`,
  summary: `Writes transactions, swap legs, allowlist changes and daily rates of final blocks to <folder>/evm-<network>: a
file per month and kind, and a manifest. Run again, it adds what has become final since. Database, schema and deployment
file are those of the settings of a replica. Ends with 1 and says why when it cannot do so.`,
  options: {
    network: { type: "string", value: "<name>", help: "network of the index" },
    format: { type: "string", value: "<name>", help: "format of the files" },
    to: { type: "string", value: "<folder>", help: "folder of the export" },
  },
});
loadEnvFile();
const name = networkNamed(values.network);
const format =
  FORMATS.find((known) => known === values.format) ?? refuseOption("format", values.format, FORMATS.join(", "));
const to = values.to || refuse("--to: name the folder of the export");
const connectionString = postgresUrl(
  "Only the indexer can open PGlite: request /v1/transactions.csv from it, or index into PostgreSQL.",
);

await runTool(async () => {
  const network = apiNetworkOf(name, readDeployment(name), indexSchema(name));
  const pool = openPool({
    connectionString,
    max: 1,
    application_name: "coreswap_export",
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    // The lock of the folder lasts as long as the session.
    onConnect: requireOwnSession,
  });
  try {
    await pool.query("SELECT 1").catch((cause: unknown) => {
      throw new UsageError(`The database of DATABASE_URL cannot be used: ${String(cause)}`, { cause });
    });
    const folder = await createFolder(resolve(to, apiNameOf(network)));
    await databaseOf(pool).onOneConnection(async (connection) => {
      await lock(connection, folder);
      await prepareFolder(folder);
      await exportNetwork({
        network,
        folder,
        format,
        reader: new IndexReader(connection, network),
        software: `${manifest.name} ${manifest.version}`,
        print: (line) => console.log(line),
      });
    });
    console.log(`${folder} has everything that is final.`);
  } finally {
    await pool.end();
  }
});

/**
 * Takes the lock of a folder, which the server takes back when this process ends, however it ends. Each database has its
 * own locks. The role may take locks of two integers only (`ops/roles.sql`).
 * @throws UsageError when another process holds it
 */
async function lock(connection: Database, folder: string): Promise<void> {
  const run = (text: string, values: readonly string[] = []) =>
    connection.query({ ...prepared("export_lock", text), values: [...values] });
  await run(`SET lock_timeout = '${LOCK_TIMEOUT}'`);
  try {
    await run("SELECT pg_advisory_lock(hashtext('coreswap_export'), hashtext($1))", [folder]);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === LOCK_NOT_AVAILABLE)) throw error;
    throw new UsageError(`Another export into ${folder} is running.`);
  }
  // An indexer that changes its tables may keep a page waiting for longer than the lock.
  await run("SET lock_timeout = 0");
}
