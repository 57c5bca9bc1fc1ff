/** The permissions of the roles of `ops/roles.sql`. Roles belong to a whole server, so this test has its own server. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type PostgresServer, startPostgres } from "../../e2e/harness/postgres.ts";
import { queryOnce, urlAs } from "../../support/postgres.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
  // As in a server that was upgraded from PostgreSQL 14 or earlier.
  await as("postgres", "GRANT CREATE ON SCHEMA public TO PUBLIC");
  await as("postgres", readFileSync("ops/roles.sql", "utf8"));
  // These objects are created after the roles, as an indexer does.
  await as(
    "coreswap_indexer",
    `CREATE SCHEMA mainnet_2;
     CREATE TABLE mainnet_2.leg (id integer);
     INSERT INTO mainnet_2.leg VALUES (7);
     CREATE VIEW mainnet_2.newest AS SELECT max(id) AS id FROM mainnet_2.leg;
     CREATE SCHEMA IF NOT EXISTS ponder_sync;
     CREATE TABLE ponder_sync.blocks (number bigint);`,
  );
  await as("postgres", "CREATE SCHEMA other; CREATE TABLE other.secret (id integer); CREATE ROLE stranger LOGIN");
});
afterAll(() => server.stop());

/** Runs SQL on a new connection of a role. */
const as = (role: string, sql: string) => queryOnce(urlAs(role, server.databaseUrl), sql);

const READERS = ["coreswap_api", "coreswap_export"];

it.each(READERS)("%s reads tables and views of a schema that the indexer creates later", async (role) => {
  expect(await as(role, "SELECT id FROM mainnet_2.leg")).toEqual([{ id: 7 }]);
  expect(await as(role, "SELECT id FROM mainnet_2.newest")).toEqual([{ id: 7 }]);
});

const REFUSED = [
  ["INSERT INTO mainnet_2.leg VALUES (8)", "permission denied for table leg"],
  ["UPDATE mainnet_2.leg SET id = 8", "permission denied for table leg"],
  ["DELETE FROM mainnet_2.leg", "permission denied for table leg"],
  ["TRUNCATE mainnet_2.leg", "permission denied for table leg"],
  ["DROP TABLE mainnet_2.leg", "must be owner of table leg"],
  ["CREATE TABLE mainnet_2.own (id integer)", "permission denied for schema mainnet_2"],
  ["CREATE TABLE public.own (id integer)", "permission denied for schema public"],
  ["CREATE TEMPORARY TABLE own (id integer)", "permission denied to create temporary tables"],
  ["SELECT lo_create(0)", "permission denied for function lo_create"],
  ["SELECT pg_advisory_lock(1)", "permission denied for function pg_advisory_lock"],
  ["CREATE SCHEMA own", "permission denied for database postgres"],
  ["SELECT * FROM ponder_sync.blocks", "permission denied for schema ponder_sync"],
  ["SELECT * FROM other.secret", "permission denied for schema other"],
] as const;

it.each(READERS.flatMap((role) => REFUSED.map(([sql, refusal]) => ({ role, sql, refusal }))))(
  "$role cannot run $sql",
  async ({ role, sql, refusal }) => {
    await expect(as(role, sql)).rejects.toThrow(refusal);
  },
);

it("the export alone takes the lock of its folder, and no function of another lock", async () => {
  const lock = "SELECT pg_advisory_lock(1, 2)";
  await expect(as("coreswap_export", lock)).resolves.toHaveLength(1);
  await expect(as("coreswap_api", lock)).rejects.toThrow("permission denied for function pg_advisory_lock");
  const granted = await as(
    "coreswap_export",
    `SELECT oid::regprocedure::text AS name FROM pg_proc
     WHERE proname ~ '^(lo_|pg_(try_)?advisory_)' AND has_function_privilege(oid, 'EXECUTE')`,
  );
  expect(granted).toEqual([{ name: "pg_advisory_lock(integer,integer)" }]);
});

it("the API has the time limit of a replica in every session, also behind a pooler", async () => {
  const settings = "SELECT current_setting('statement_timeout') AS timeout";
  expect(await as("coreswap_api", settings)).toEqual([{ timeout: "2s" }]);
});

it("the indexer takes its locks", async () => {
  const [row] = await as("coreswap_indexer", "SELECT pg_try_advisory_lock(1) AS taken, pg_advisory_unlock(1) AS given");
  expect(row).toEqual({ taken: true, given: true });
});

it("the indexer cannot read what others created", async () => {
  await expect(as("coreswap_indexer", "SELECT * FROM other.secret")).rejects.toThrow("permission denied for schema");
});

it("other roles cannot connect", async () => {
  await expect(as("stranger", "SELECT 1")).rejects.toThrow("permission denied for database");
});
