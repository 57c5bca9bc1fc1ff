/** How Ponder's pools and its start treat PostgreSQL, with this project's configuration and patch. */
import { type AddressInfo, connect, createServer } from "node:net";
import { Client, type Pool } from "pg";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { databaseConfig } from "../../config/database.ts";
import { HOST } from "../../localnet/ports.ts";
import { type PostgresServer, startPostgres } from "../e2e/harness/postgres.ts";
import { uncaughtDuring } from "../support/uncaught.ts";
import { internal } from "./support/ponderInternal.ts";

type Row = Record<string, unknown>;
const POOLS = ["admin", "user", "readonly", "sync"] as const;

interface Database {
  readonly driver: Record<(typeof POOLS)[number], { query(text: string): Promise<{ rows: Row[] }> }>;
  migrate(options: {
    buildId: string;
    chains: readonly { id: number; rpc: object }[];
    finalizedBlocks: readonly { timestamp: string }[];
  }): Promise<{ chainId: number; checkpoint: string }[] | undefined>;
}

const CHAIN_ID = 1;
const NO_STATEMENTS = { sql: [], json: [] };
/** Checkpoints as Ponder writes them: 75 digits, the first ten of which are seconds. */
const checkpoint = (seconds: number) => String(seconds).padStart(10, "0").padEnd(75, "0");

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

/** Ponder's connections, made as `ponder.config.ts` configures them. */
async function openDatabase(schema: string, command: "start" | "serve" = "start") {
  const { createShutdown } = await internal<{ createShutdown(): { kill(): Promise<void> } }>("internal/shutdown.js");
  const { createLogger } = await internal<{ createLogger(options: Row): unknown }>("internal/logger.js");
  const { MetricsService } = await internal<{ MetricsService: new () => unknown }>("internal/metrics.js");
  const { createDatabase } = await internal<{ createDatabase(options: Row): Database }>("database/index.js");
  const shutdown = createShutdown();
  const connectionString = postgres.databaseUrl;
  const config = databaseConfig({ kind: "postgres", connectionString }, command === "start");
  const poolConfig = "poolConfig" in config ? config.poolConfig : {};
  const database = createDatabase({
    common: {
      options: { command, databaseHeartbeatInterval: 60_000, databaseHeartbeatTimeout: 0 },
      logger: createLogger({ level: "error", mode: "pretty" }),
      metrics: new MetricsService(),
      shutdown,
    },
    namespace: { schema, viewsSchema: undefined },
    preBuild: {
      ordering: "experimental_isolated",
      databaseConfig: { kind: "postgres", poolConfig: { connectionString, ...poolConfig, max: 8 } },
    },
    schemaBuild: {
      schema: {},
      statements: { tables: NO_STATEMENTS, views: NO_STATEMENTS, enums: NO_STATEMENTS, indexes: NO_STATEMENTS },
    },
  });
  const migrate = () =>
    database.migrate({ buildId: "1", chains: [{ id: CHAIN_ID, rpc: {} }], finalizedBlocks: [{ timestamp: "0xff" }] });
  return { database, migrate, close: () => shutdown.kill() };
}

it.each(POOLS)("the %s pool commits synchronously", async (pool) => {
  const { database, migrate, close } = await openDatabase("pools");
  // Closing the pools unlocks the schema, which therefore has to exist.
  await migrate();
  const { rows } = await database.driver[pool].query("SHOW synchronous_commit");
  await close();
  expect(rows).toEqual([{ synchronous_commit: "on" }]);
});

it.each(POOLS)("the server soon ends a session of the %s pool whose machine is lost, idle or not", async (pool) => {
  const { database, migrate, close } = await openDatabase("lost");
  await migrate();
  const { rows } = await database.driver[pool].query(
    `SELECT current_setting('tcp_keepalives_idle') AS idle, current_setting('tcp_keepalives_interval') AS interval,
       current_setting('tcp_keepalives_count') AS count, current_setting('tcp_user_timeout') AS unacknowledged`,
  );
  await close();
  // As the server reads them from the connection's socket.
  expect(rows).toEqual([{ idle: "5", interval: "2", count: "3", unacknowledged: "11000" }]);
});

it("the pool of an indexer for the API leaves the memory of a statement to the server", async () => {
  const { database, migrate, close } = await openDatabase("memory");
  await migrate();
  const { rows } = await database.driver.readonly.query("SHOW work_mem");
  await close();
  expect(rows).toEqual([{ work_mem: "4MB" }]);
});

/** A superuser's, who has no settings of the role `coreswap_api`. */
it.each(["admin", "readonly"] as const)("the %s pool of a replica only reads, for a limited time", async (pool) => {
  const { database, close } = await openDatabase("replica", "serve");
  const { rows } = await database.driver[pool].query(
    `SELECT current_setting('default_transaction_read_only') AS "isReadOnly",
       current_setting('statement_timeout') AS timeout, current_setting('lock_timeout') AS "lockTimeout",
       current_setting('work_mem') AS memory, current_setting('search_path') AS path`,
  );
  await close();
  expect(rows).toEqual([
    // A pooler would pass the path on to replicas of other schemas.
    { isReadOnly: "on", timeout: "2s", lockTimeout: "0", memory: "4MB", path: '"$user", public' },
  ]);
});

it.each(["createPool", "createReadonlyPool"] as const)(
  "a connection of %s that breaks before it is set up fails, and nothing else does",
  async (name) => {
    const server = createServer((client) => {
      const target = connect(Number(new URL(postgres.databaseUrl).port), HOST);
      target.pipe(client);
      client.once("data", (startup) => {
        target.write(startup);
        // The first statement.
        client.once("data", () => client.destroy());
      });
      for (const socket of [client, target]) socket.on("error", () => undefined);
      client.on("close", () => target.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
    onTestFinished(() => void server.close());
    const url = new URL(postgres.databaseUrl);
    url.port = String((server.address() as AddressInfo).port);
    const create = (await internal<Record<typeof name, (...args: unknown[]) => Pool>>("utils/pg.js"))[name];
    const pool = create({ connectionString: url.href }, { warn: () => undefined }, "public");
    const uncaught = await uncaughtDuring(async () => {
      await expect(pool.query("SELECT 1")).rejects.toThrow("Connection terminated unexpectedly");
    });
    expect(uncaught).toEqual([]);
    await pool.end();
  },
);

it("a start waits for a COMMIT of the previous run that the server has not finished", async () => {
  const first = await openDatabase("restart");
  await first.migrate();
  await first.close();
  const before = new Client({ connectionString: postgres.databaseUrl });
  await before.connect();
  const set = (seconds: number) => [CHAIN_ID, checkpoint(seconds)];
  await before.query(`INSERT INTO restart._ponder_checkpoint VALUES ('mainnet', $1, $2, $2, $2)`, set(1));
  await before.query("BEGIN");
  await before.query("UPDATE restart._ponder_checkpoint SET safe_checkpoint = $2 WHERE chain_id = $1", set(2));

  const second = await openDatabase("restart");
  const migrated = second.migrate();
  await waitUntilOneWaits(before);
  await before.query("COMMIT");
  expect(await migrated).toEqual([{ chainId: CHAIN_ID, checkpoint: checkpoint(2) }]);
  await second.close();
  await before.end();
});

async function waitUntilOneWaits(client: Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query("SELECT FROM pg_locks WHERE NOT granted");
    if (rows.length > 0) return;
  }
}
