/** The API's only access to its tables: named statements with bound parameters, one for each answer. */
import { randomBytes } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";

/** A parameter, as the drivers accept it. Integers that a double may not hold are passed as text. */
type SqlValue = string | number | null | readonly string[] | readonly number[];

/** The text of a statement, with the name under which connections prepare it. */
interface Prepared {
  readonly name: string;
  readonly text: string;
}

/** A statement, and the values with which it runs. */
export interface Statement extends Prepared {
  readonly values: readonly SqlValue[];
}

/** Runs statements. */
export interface Database {
  /** Returns rows in the driver's format. Callers parse them. */
  query(statement: Statement): Promise<unknown[]>;
}

/** A database with connections that can be reserved for a task. */
export interface PooledDatabase extends Database {
  /** Runs a task whose statements all use one connection, which keeps session locks between them. */
  onOneConnection<T>(task: (connection: Database) => Promise<T>): Promise<T>;
}

/**
 * Marks the names of this process. Connections outlive a reload by `ponder dev`, and a pooler without support for
 * prepared statements lets several processes use one session: no name may stand for two texts.
 */
const PROCESS_MARK = randomBytes(4).toString("hex");
let preparedCount = 0;

/**
 * Names a text for preparation. A connection refuses a name that it already uses for another text, so each call makes a
 * new name. Call it once per text, when the handler or task that runs the statement is created.
 * @param what what the statement reads, in at most 45 characters, because PostgreSQL keeps 63 of a name
 */
export function prepared(what: string, text: string): Prepared {
  preparedCount += 1;
  return { name: `${what}_${PROCESS_MARK}_${preparedCount}`, text };
}

/** The part of PGlite that is used here. The package is a dependency of Ponder, not of this project. */
interface Pglite {
  readonly waitReady: Promise<void>;
  query(text: string, values: unknown[]): Promise<{ rows: unknown[] }>;
}

/** The client behind Ponder's `db`: a pool on PostgreSQL, and the embedded engine on PGlite. */
export type DatabaseClient = Pool | Pglite;

/**
 * Wraps a client. On PGlite, the indexer uses the same connection, and a statement waits until the indexer's open
 * transaction has ended.
 */
export function databaseOf(client: DatabaseClient): PooledDatabase {
  const over = (connection: DatabaseClient | PoolClient): Database => ({
    query: (statement) => execute(connection, statement),
  });
  return {
    ...over(client),
    async onOneConnection(task) {
      if (isEmbedded(client)) return task(over(client));
      const connection = await client.connect();
      try {
        const result = await task(over(connection));
        connection.release();
        return result;
      } catch (error) {
        // Closes it: a statement may still run on it, and it may hold a lock.
        connection.release(true);
        throw error;
      }
    },
  };
}

/** Whether the database is the embedded one, which only one process can open. */
export function isEmbedded(client: DatabaseClient | PoolClient): client is Pglite {
  return "waitReady" in client;
}

async function execute(client: DatabaseClient | PoolClient, { name, text, values }: Statement): Promise<unknown[]> {
  if (isEmbedded(client)) {
    // PGlite has one connection, no pool and no named statements.
    const { rows } = await client.query(text, [...values]);
    // PGlite works in this thread, and many statements could otherwise run in one turn of the event loop.
    await nextTurn();
    return rows;
  }
  const { rows } = await client.query({ name, text, values: [...values] });
  // The rows are removed from the result because, with a `query_timeout`, V8 frees what a query of `pg` references only
  // in full garbage collections, and pages of 100 kB would trigger one every few seconds.
  return rows.splice(0);
}
