import { prepareConnection, waitForLocks } from "./postgresConnection.ts";

/** Where Ponder keeps its tables and its cache of raw chain data, which tells chains apart by their id alone. */
export type DatabaseLocation =
  | { readonly kind: "pglite"; readonly directory: string }
  | { readonly kind: "postgres"; readonly connectionString: string };

/** PostgreSQL when a URL is set, else PGlite. An empty variable counts as unset. */
export function databaseLocation(env: NodeJS.ProcessEnv = process.env): DatabaseLocation {
  const connectionString = env.DATABASE_PRIVATE_URL || env.DATABASE_URL;
  return connectionString
    ? { kind: "postgres", connectionString }
    : { kind: "pglite", directory: env.PGLITE_DIRECTORY || ".ponder/pglite" };
}

/**
 * The `database` of Ponder's configuration. The connections of a process that indexes are bound to one server; those that
 * only read may find any.
 */
export function databaseConfig(location: DatabaseLocation, isIndexing: boolean) {
  return location.kind === "postgres"
    ? { ...location, poolConfig: { onConnect: isIndexing ? prepareConnection : waitForLocks } }
    : location;
}

/** Ponder's settings of the lock that an indexer has on its schema, in milliseconds. */
interface LockOptions {
  /** How often it says that it lives. */
  databaseHeartbeatInterval: number;
  /** For how long it may be silent before another one takes the schema. */
  databaseHeartbeatTimeout: number;
}

/** Lets an indexer that takes the place of a dead one begin after six seconds, instead of 25. */
export function shortenLock(): void {
  const { options } = globalThis.PONDER_COMMON as typeof globalThis.PONDER_COMMON & { readonly options: LockOptions };
  options.databaseHeartbeatInterval = 2_000;
  options.databaseHeartbeatTimeout = 6_000;
}
