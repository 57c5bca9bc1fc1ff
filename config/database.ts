import { prepareConnection, waitForLocks } from "./postgresConnection.ts";

/** Where Ponder keeps its tables and its cache of raw chain data. The cache distinguishes chains only by their IDs. */
export type DatabaseLocation =
  | { readonly kind: "pglite"; readonly directory: string }
  | { readonly kind: "postgres"; readonly connectionString: string };

/** PostgreSQL when a URL is set, and otherwise PGlite. An empty variable counts as unset. */
export function databaseLocation(env: NodeJS.ProcessEnv = process.env): DatabaseLocation {
  const connectionString = env.DATABASE_PRIVATE_URL || env.DATABASE_URL;
  return connectionString
    ? { kind: "postgres", connectionString }
    : { kind: "pglite", directory: env.PGLITE_DIRECTORY || ".ponder/pglite" };
}

/**
 * Returns the `database` of Ponder's configuration. All connections of a process that indexes must go to one server.
 * Those of a read-only process may go to any.
 */
export function databaseConfig(location: DatabaseLocation, isIndexing: boolean) {
  return location.kind === "postgres"
    ? { ...location, poolConfig: { onConnect: isIndexing ? prepareConnection : waitForLocks } }
    : location;
}

/** Ponder's settings of an indexer's lock on its schema, in milliseconds. */
interface LockOptions {
  /** Interval of the heartbeat. */
  databaseHeartbeatInterval: number;
  /** Silence after which another indexer takes over the schema. */
  databaseHeartbeatTimeout: number;
}

/** Lets an indexer that replaces a dead one start after six seconds instead of 25. */
export function shortenLock(): void {
  const { options } = globalThis.PONDER_COMMON as typeof globalThis.PONDER_COMMON & { readonly options: LockOptions };
  options.databaseHeartbeatInterval = 2_000;
  options.databaseHeartbeatTimeout = 6_000;
}
