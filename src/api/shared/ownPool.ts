/** This project's own connections to PostgreSQL, because Ponder's pools are read-only or busy indexing. */
import type { Pool } from "pg";
import { databaseLocation } from "../../../config/database.ts";
import { openPool } from "../../../config/postgresClients.ts";

interface OwnPoolOptions {
  readonly connectionString: string;
  /** Purpose of the connections, which the database shows as "coreswap_<use>". */
  readonly use: "prices" | "status";
  readonly connections: number;
  /** How long to wait for a connection, and for the result of a statement. */
  readonly answerTimeoutMs: number;
  readonly logWarning: (message: string, error: unknown) => void;
}

/** Opens a pool whose idle connections do not keep the process alive. */
export function openOwnPool(options: OwnPoolOptions): Pool {
  const { connectionString, use, connections, answerTimeoutMs, logWarning } = options;
  return openPool(
    {
      connectionString,
      max: connections,
      application_name: `coreswap_${use}`,
      allowExitOnIdle: true,
      query_timeout: answerTimeoutMs,
      connectionTimeoutMillis: answerTimeoutMs,
    },
    (error) => logWarning(`an idle connection of coreswap_${use} was lost`, error),
  );
}

/**
 * Returns the URL of PostgreSQL.
 * @throws Error when it is not set
 */
export function postgresUrl(): string {
  const location = databaseLocation();
  if (location.kind === "postgres") return location.connectionString;
  throw new Error("DATABASE_URL is not set, although Ponder runs on PostgreSQL");
}
