/** Starts one PostgreSQL server for all files of the project `postgres`. A start that fails ends the run. */
import type { TestProject } from "vitest/node";
import { startPostgres } from "../../e2e/harness/postgres.ts";

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Statistics come from the tests that ask for them, never from the background.
  const server = await startPostgres({ autovacuum: "off" });
  project.provide("testDatabase", { kind: "postgres", serverUrl: server.databaseUrl });
  return () => server.stop();
}
