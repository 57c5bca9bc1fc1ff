import { prepareConnection, prepareReplica, ReplicaClient } from "./postgresConnection.ts";

/** Where Ponder keeps its tables and its cache of raw chain data. The cache distinguishes chains only by their IDs. */
export type DatabaseLocation =
  | { readonly kind: "pglite"; readonly directory: string }
  | { readonly kind: "postgres"; readonly connectionString: string };

/**
 * PostgreSQL when a URL is set, and otherwise PGlite. An empty variable counts as unset.
 * @throws Error when the URL is malformed. PostgreSQL's client could take its password for a part of another name, which
 * messages repeat.
 */
export function databaseLocation(env: NodeJS.ProcessEnv = process.env): DatabaseLocation {
  const variable = env.DATABASE_PRIVATE_URL ? "DATABASE_PRIVATE_URL" : "DATABASE_URL";
  const connectionString = env[variable];
  if (!connectionString) return { kind: "pglite", directory: env.PGLITE_DIRECTORY || ".ponder/pglite" };
  if (!isPostgresUrl(connectionString)) {
    throw new Error(
      `${variable} is not a URL of PostgreSQL: expected postgresql://user:password@host:port/database, ` +
        "with special characters of the password percent-encoded",
    );
  }
  return { kind: "postgres", connectionString };
}

/** The host may be missing, if the URL names a socket as in `postgresql://user@/database?host=/run/postgresql`. */
function isPostgresUrl(text: string): boolean {
  return /^postgres(ql)?:\/\//.test(text) && URL.canParse(text.replace("@/", "@localhost/"));
}

/**
 * Returns the `database` of Ponder's configuration. All connections of a process that indexes must go to one server.
 * Those of a read-only process may go to any, and through a pooler.
 */
export function databaseConfig(location: DatabaseLocation, isIndexing: boolean) {
  if (location.kind === "pglite") return location;
  const poolConfig = isIndexing
    ? { onConnect: prepareConnection }
    : { Client: ReplicaClient, onConnect: prepareReplica };
  return { ...location, poolConfig };
}

/** Lets an indexer that replaces a dead one start after six seconds instead of 25. */
export function shortenLock(): void {
  const { options } = globalThis.PONDER_COMMON;
  options.databaseHeartbeatInterval = 2_000;
  options.databaseHeartbeatTimeout = 6_000;
}
