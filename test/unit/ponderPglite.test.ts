/** Transactions on PGlite, with the patch: its one connection is shared by all of Ponder and the API. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { internal } from "./support/ponderInternal.ts";

type Options = Readonly<Record<string, unknown>>;

interface Statements {
  wrap<T>(query: (database: { execute(sql: string): Promise<{ readonly rows: Options[] }> }) => Promise<T>): Promise<T>;
}

interface QueryBuilder extends Statements {
  transaction<T>(callback: (transaction: Statements) => Promise<T>): Promise<T>;
}

interface Database {
  readonly driver: { readonly instance: { exec(sql: string): Promise<unknown>; close(): Promise<void> } };
  readonly syncQB: QueryBuilder;
  readonly userQB: QueryBuilder;
}

/** An error after which Ponder does not try a transaction again. */
let Failure: new (message: string) => Error;
let database: Database;
const directory = mkdtempSync(join(tmpdir(), "ponder-pglite-"));

beforeAll(async () => {
  const { NonRetryableUserError } = await internal<{ NonRetryableUserError: typeof Failure }>("internal/errors.js");
  const { createShutdown } = await internal<{ createShutdown(): unknown }>("internal/shutdown.js");
  const { createLogger } = await internal<{ createLogger(options: Options): unknown }>("internal/logger.js");
  const { MetricsService } = await internal<{ MetricsService: new () => unknown }>("internal/metrics.js");
  const { createDatabase } = await internal<{ createDatabase(options: Options): Database }>("database/index.js");
  Failure = NonRetryableUserError;
  database = createDatabase({
    common: {
      options: { command: "start" },
      logger: createLogger({ level: "fatal", mode: "pretty" }),
      metrics: new MetricsService(),
      shutdown: createShutdown(),
    },
    namespace: { schema: "public" },
    preBuild: { databaseConfig: { kind: "pglite", options: { dataDir: directory } } },
    schemaBuild: { schema: {} },
  });
});
beforeEach(() => database.driver.instance.exec("DROP TABLE IF EXISTS kept; CREATE TABLE kept (value text)"));
afterAll(async () => {
  await database.driver.instance.close();
  rmSync(directory, { recursive: true });
});

const insert = (by: Statements, value: string) => by.wrap((db) => db.execute(`INSERT INTO kept VALUES ('${value}')`));

async function kept(): Promise<unknown[]> {
  const { rows } = await database.syncQB.wrap((db) => db.execute("SELECT value FROM kept"));
  return rows.map(({ value }) => value);
}

it("a transaction that fails takes back its own rows, and no others'", async () => {
  const opened = Promise.withResolvers<void>();
  const failed = database.userQB.transaction(async (tx) => {
    await insert(tx, "its own");
    opened.resolve();
    await new Promise(setImmediate);
    throw new Failure("refused");
  });
  await opened.promise;
  const beside = insert(database.syncQB, "another");
  await expect(failed).rejects.toThrow("refused");
  await beside;
  expect(await kept()).toEqual(["another"]);
});

it("others read only what is committed", async () => {
  const opened = Promise.withResolvers<void>();
  const written = database.userQB.transaction(async (tx) => {
    await insert(tx, "first");
    opened.resolve();
    await new Promise(setImmediate);
    await insert(tx, "second");
  });
  await opened.promise;
  expect(await kept()).toEqual(["first", "second"]);
  await written;
});

it("a statement for which a transaction waits becomes part of it", async () => {
  const failed = database.userQB.transaction(async () => {
    await insert(database.syncQB, "of a contract call");
    throw new Failure("refused");
  });
  await expect(failed).rejects.toThrow("refused");
  expect(await kept()).toEqual([]);
});

it("a statement that follows its transaction waits for the next one like others'", async () => {
  const ended = Promise.withResolvers<void>();
  let late: Promise<unknown> | undefined;
  await database.userQB.transaction(async () => {
    late = ended.promise.then(() => insert(database.syncQB, "late"));
  });
  const failed = database.userQB.transaction(async (tx) => {
    await insert(tx, "its own");
    ended.resolve();
    await new Promise(setImmediate);
    throw new Failure("refused");
  });
  await expect(failed).rejects.toThrow("refused");
  await late;
  expect(await kept()).toEqual(["late"]);
});
