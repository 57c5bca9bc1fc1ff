/** The permissions of the roles of `ops/roles.sql`. Roles belong to a whole server, so this test has its own server. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type PostgresServer, startPostgres } from "../../e2e/harness/postgres.ts";
import { queryOnce, urlAs } from "../../support/postgres.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
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

it("the API reads tables and views of a schema that the indexer creates later", async () => {
  expect(await as("coreswap_api", "SELECT id FROM mainnet_2.leg")).toEqual([{ id: 7 }]);
  expect(await as("coreswap_api", "SELECT id FROM mainnet_2.newest")).toEqual([{ id: 7 }]);
});

it.each([
  ["INSERT INTO mainnet_2.leg VALUES (8)", "permission denied for table leg"],
  ["UPDATE mainnet_2.leg SET id = 8", "permission denied for table leg"],
  ["DELETE FROM mainnet_2.leg", "permission denied for table leg"],
  ["TRUNCATE mainnet_2.leg", "permission denied for table leg"],
  ["DROP TABLE mainnet_2.leg", "must be owner of table leg"],
  ["CREATE TABLE mainnet_2.own (id integer)", "permission denied for schema mainnet_2"],
  ["CREATE SCHEMA own", "permission denied for database postgres"],
  ["SELECT * FROM ponder_sync.blocks", "permission denied for schema ponder_sync"],
  ["SELECT * FROM other.secret", "permission denied for schema other"],
])("the API cannot run %s", async (sql, refusal) => {
  await expect(as("coreswap_api", sql)).rejects.toThrow(refusal);
});

it("the indexer cannot read what others created", async () => {
  await expect(as("coreswap_indexer", "SELECT * FROM other.secret")).rejects.toThrow("permission denied for schema");
});

it("other roles cannot connect", async () => {
  await expect(as("stranger", "SELECT 1")).rejects.toThrow("permission denied for database");
});
