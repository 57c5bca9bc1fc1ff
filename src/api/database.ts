/** The API's only way to its tables: named statements with bound parameters, one for each answer. */
import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Pool } from "pg";

/** A parameter, as the drivers take it. Integers that a double may not hold go as text. */
export type SqlValue = string | number | null | readonly string[] | readonly number[];

/** A statement to be prepared, and the values to run it with. */
export interface Statement {
  /**
   * What the statement reads, in at most 50 characters: with part of a digest, its name has the 63 that PostgreSQL
   * keeps.
   */
  readonly name: string;
  readonly text: string;
  readonly values: readonly SqlValue[];
}

/** Runs statements. */
export interface Database {
  /** Rows as the driver gives them: callers parse them. */
  query(statement: Statement): Promise<unknown[]>;
}

/** The part of PGlite that is used here; the package is a dependency of Ponder, not of this project. */
interface Pglite {
  readonly waitReady: Promise<void>;
  query(text: string, values: unknown[]): Promise<{ rows: unknown[] }>;
}

/** The client behind Ponder's `db`: a pool on PostgreSQL, the embedded engine on PGlite. */
export type DatabaseClient = Pool | Pglite;

/** Runs a task when no other one runs. */
export type RunExclusively = <T>(task: () => Promise<T>) => Promise<T>;

/**
 * Wraps a client. On PGlite, one connection serves the indexer, too. There, `runExclusively` keeps a statement out of
 * the indexer's open transaction, whose rows it would see half written.
 */
export function databaseOf(client: DatabaseClient, runExclusively: RunExclusively = (task) => task()): Database {
  return { query: (statement) => runExclusively(() => execute(client, statement)) };
}

/** Whether the database is the embedded one, which one process alone can open. */
export function isEmbedded(client: DatabaseClient): client is Pglite {
  return "waitReady" in client;
}

async function execute(client: DatabaseClient, { name, text, values }: Statement): Promise<unknown[]> {
  if (isEmbedded(client)) {
    // PGlite has one connection, no pool and no named statements.
    const { rows } = await client.query(text, [...values]);
    // It works in this thread, and many statements would follow each other in one turn of the event loop.
    await nextTurn();
    return rows;
  }
  const { rows } = await client.query({ name: preparedName(name, text), text, values: [...values] });
  // Taken out of the result: with a `query_timeout`, V8 frees what hangs on a query of `pg` by full collections alone,
  // and pages of 100 kB would make for one every few seconds.
  return rows.splice(0);
}

/** Names by text; there are as many as there are statements and networks. */
const preparedNames = new Map<string, string>();

/**
 * The name under which a text is prepared: a connection refuses a name that it knows for another text. Part of a digest
 * tells texts apart that differ by schema, or by an edit while `ponder dev` keeps its connections.
 */
function preparedName(name: string, text: string): string {
  const known = preparedNames.get(text);
  if (known !== undefined) return known;
  const prepared = `${name}_${createHash("sha256").update(text).digest("hex").slice(0, 12)}`;
  preparedNames.set(text, prepared);
  return prepared;
}

/**
 * Keeps the texts that `build` makes. Putting a statement of some kilobytes together takes longer than everything else
 * between a request and its statement.
 * @param build makes a text; its subject is recognized by identity
 */
export function textOnce<Subject extends object, Variant>(
  build: (subject: Subject, variant: Variant) => string,
): (subject: Subject, variant: Variant) => string {
  const texts = new WeakMap<Subject, Map<Variant, string>>();
  return (subject, variant) => {
    const variants = texts.get(subject) ?? new Map<Variant, string>();
    const text = variants.get(variant) ?? build(subject, variant);
    texts.set(subject, variants.set(variant, text));
    return text;
  };
}

/** Quotes a name from the configuration for SQL text. Nothing from a request ever comes here. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
