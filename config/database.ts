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
