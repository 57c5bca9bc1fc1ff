/** Where Ponder keeps its tables, and with them the raw-data cache that must belong to one chain per chain id. */
export type DatabaseLocation =
  | { readonly kind: "pglite"; readonly directory: string }
  | { readonly kind: "postgres"; readonly connectionString: string };

/** PostgreSQL when a URL is set, else PGlite. An empty variable is unset. */
export function databaseLocation(env: NodeJS.ProcessEnv = process.env): DatabaseLocation {
  const connectionString = env.DATABASE_PRIVATE_URL || env.DATABASE_URL;
  return connectionString
    ? { kind: "postgres", connectionString }
    : { kind: "pglite", directory: env.PGLITE_DIRECTORY || ".ponder/pglite" };
}
