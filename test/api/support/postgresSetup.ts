/** Starts one PostgreSQL server for all files of the Vitest project `postgres`. A failed start ends the run. */
import type { TestProject } from "vitest/node";
import { startPostgres } from "../../e2e/harness/postgres.ts";

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Only tests that need statistics gather them, never the background.
  const server = await startPostgres({ autovacuum: "off" });
  project.provide("testDatabase", { kind: "postgres", serverUrl: server.databaseUrl });
  return () => server.stop();
}
