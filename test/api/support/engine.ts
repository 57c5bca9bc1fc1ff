/**
 * A database with the project's tables, as Ponder creates them under its isolated ordering: on PGlite in the Vitest
 * project `api`, and on PostgreSQL in the project `postgres`.
 */
import { Pool } from "pg";
import { inject } from "vitest";
import * as tables from "../../../ponder.schema.ts";
import { createPriceTable, type PriceStore, priceStore, type RwaPrice } from "../../../src/api/prices/store.ts";
import {
  type Database,
  type DatabaseClient,
  databaseOf,
  type PooledDatabase,
  prepared,
} from "../../../src/api/shared/database.ts";
import { createIndexIdentity } from "../../../src/api/shared/indexIdentity.ts";
import { createStatusTable } from "../../../src/api/status/table.ts";
import { ponderDependency, ponderFile } from "../../support/ponderPackage.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The database on which the tests of this Vitest project run. */
    testDatabase: { readonly kind: "pglite" } | { readonly kind: "postgres"; readonly serverUrl: string };
  }
}

const CHAIN_IDS = [1, 11155111];

export interface TestEngine {
  readonly client: DatabaseClient;
  readonly database: PooledDatabase;
  /** The pool of the same database on PostgreSQL, or null on PGlite. */
  readonly pool: Pool | null;
  readonly schema: string;
  /** Runs several statements without parameters on one connection, and returns the rows of each. */
  execute(text: string): Promise<Record<string, unknown>[][]>;
  close(): Promise<void>;
}

/** Opens an empty database with the tables in `schema`. On PostgreSQL, the database has the name of the schema. */
export async function openEngine(schema: string): Promise<TestEngine> {
  // Undefined when the Vitest project provides no database, so that no test silently uses the other kind.
  const testDatabase: ReturnType<typeof inject<"testDatabase">> | undefined = inject("testDatabase");
  if (testDatabase === undefined) throw new Error("this vitest project provides no `testDatabase`");
  const engine =
    testDatabase.kind === "postgres" ? await openPostgres(testDatabase.serverUrl, schema) : await openPglite();
  let isClosed = false;
  const pooled = databaseOf(engine.client);
  // What a test has left running must not reach the next test, which may use the same instance.
  const guarded = (database: Database): Database => ({
    async query(statement) {
      if (isClosed) throw new Error(`the database of ${schema} is closed`);
      return database.query(statement);
    },
  });
  const opened = {
    ...engine,
    schema,
    database: {
      ...guarded(pooled),
      onOneConnection: <T>(task: (connection: Database) => Promise<T>) =>
        pooled.onOneConnection((connection) => task(guarded(connection))),
    },
    close: () => {
      isClosed = true;
      return engine.close();
    },
  };
  await createIndex(opened, schema);
  await createStatusTable(opened.database);
  await createPriceTable(opened.database);
  return opened;
}

/** Creates an empty index in another schema. */
export async function createIndex(
  { execute, database }: Pick<TestEngine, "execute" | "database">,
  schema: string,
): Promise<void> {
  await execute(`CREATE SCHEMA "${schema}"`);
  await execute(await tablesSql(schema));
  await createIndexIdentity(database, schema, []);
}

async function openPostgres(url: string, name: string) {
  const server = new Pool({ connectionString: url, max: 1 });
  await server.query(`DROP DATABASE IF EXISTS "${name}"`);
  await server.query(`CREATE DATABASE "${name}"`);
  await server.end();
  const pool = new Pool({ connectionString: Object.assign(new URL(url), { pathname: `/${name}` }).href, max: 4 });
  return {
    client: pool as DatabaseClient,
    pool,
    execute: async (text: string) => {
      const results: unknown = await pool.query(text);
      return (Array.isArray(results) ? results : [results]).map(({ rows }) => rows);
    },
    close: () => pool.end(),
  };
}

type Pglite = Exclude<DatabaseClient, Pool> & {
  exec(text: string): Promise<{ rows: Record<string, unknown>[] }[]>;
};

/** Instances that no test uses. Starting one takes longer than most tests. */
const idleInstances: Pglite[] = [];

async function openPglite() {
  const instance = idleInstances.pop() ?? (await createPglite());
  return {
    client: instance,
    pool: null,
    execute: async (text: string) => (await instance.exec(text)).map(({ rows }) => rows),
    close: async () => {
      await instance.exec("ROLLBACK");
      await instance.exec(REMOVE_SCHEMAS);
      await instance.exec("DISCARD ALL");
      idleInstances.push(instance);
    },
  };
}

async function createPglite(): Promise<Pglite> {
  const { PGlite } = await import(ponderDependency("@electric-sql/pglite"));
  return PGlite.create();
}

const REMOVE_SCHEMAS = `
  DO $$
    DECLARE schema text;
    BEGIN
      FOR schema IN SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema' LOOP
        EXECUTE format('DROP SCHEMA %I CASCADE', schema);
      END LOOP;
    END
  $$;
  CREATE SCHEMA public`;

/** The DDL of every table, partitioned by chain as Ponder does it, and of the tables that Ponder adds. */
async function tablesSql(schema: string): Promise<string> {
  const { getSql } = await import(ponderFile("dist/esm/drizzle/kit/index.js"));
  const statements = (getSql(tables) as { tables: { sql: string[]; json: { tableName: string }[] } }).tables;
  const own = statements.json.flatMap(({ tableName }, index) => {
    const create = statements.sql[index]?.trim().replace(/;$/, "");
    if (tableName.startsWith("_reorg__")) {
      return [
        `${create?.replace(`"${tableName}"`, `"${schema}"."${tableName}"`).replaceAll('"public".', `"${schema}".`)};`,
      ];
    }
    return [
      `${create?.replace(`"${tableName}"`, `"${schema}"."${tableName}"`)} PARTITION BY LIST (chain_id);`,
      ...CHAIN_IDS.map(
        (chainId) =>
          `CREATE TABLE "${schema}"."_${chainId}_${tableName}" PARTITION OF "${schema}"."${tableName}" FOR VALUES IN (${chainId});`,
      ),
    ];
  });
  const checkpoint = `CREATE TABLE "${schema}"."_ponder_checkpoint" (
    chain_name text PRIMARY KEY, chain_id bigint NOT NULL, safe_checkpoint varchar(75) NOT NULL,
    latest_checkpoint varchar(75) NOT NULL, finalized_checkpoint varchar(75) NOT NULL);`;
  const meta = `CREATE TABLE "${schema}"."_ponder_meta" (key text PRIMARY KEY, value jsonb NOT NULL);`;
  const sequence = `CREATE SEQUENCE "${schema}"."operation_id";`;
  return [sequence, ...own, checkpoint, meta].join("\n");
}

/** Inserts rows whose keys are the property names of the Drizzle schema. */
export async function insertRows(engine: TestEngine, table: string, rows: readonly object[]): Promise<void> {
  const json = JSON.stringify(
    rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [snakeCase(name), value]))),
    (_name, value) => (typeof value === "bigint" ? value.toString() : value),
  );
  const target = `"${engine.schema}"."${table}"`;
  const insert = `INSERT INTO ${target} SELECT * FROM json_populate_recordset(NULL::${target}, $1::json)`;
  await engine.database.query({ ...prepared("insert", insert), values: [json] });
}

/** The sums in `credited_account` of an account that has no entry. */
export const NO_CREDITS = {
  depositedTotal: 0n,
  redeemedTotal: 0n,
  yieldClaimedTotal: 0n,
  movedInTotal: 0n,
  movedOutTotal: 0n,
};

/** Marks every block up to the given one as final. */
export async function setCheckpoint(
  engine: TestEngine,
  chain: "mainnet" | "sepolia",
  block: number,
  timestamp = 0n,
): Promise<void> {
  const checkpoint =
    String(timestamp).padStart(10, "0") + "0".repeat(16) + String(block).padStart(16, "0") + "9".repeat(33);
  await engine.execute(`INSERT INTO "${engine.schema}"._ponder_checkpoint
    VALUES ('${chain}', ${chain === "mainnet" ? 1 : 11155111}, '${checkpoint}', '${checkpoint}', '${checkpoint}')
    ON CONFLICT (chain_name) DO UPDATE SET safe_checkpoint = excluded.safe_checkpoint`);
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Replaces the table of prices with these prices, and returns a price store of the database. */
export async function pricesOf({ execute, database }: TestEngine, ...prices: RwaPrice[]): Promise<PriceStore> {
  await execute("TRUNCATE core_offchain.rwa_price");
  const store = priceStore(database);
  await store.write(prices);
  return store;
}
