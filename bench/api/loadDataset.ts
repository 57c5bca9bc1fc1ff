/** Writes the synthetic history of `dataset.ts` into a database. */
import type { Client } from "pg";
import {
  ALLOWLIST_SQL,
  functionsSql,
  HEADS_SQL,
  LEGS_SQL,
  REGISTRY_SQL,
  SCHEMA,
  SWAP_SQL,
  TABLES,
  TOTALS_SQL,
  TRANSACTION_BY_FILTER_SQL,
  TRANSACTION_BY_HASH_SQL,
  TRANSACTION_SQL,
  transactionsSql,
} from "./dataset.ts";

/**
 * Fills an empty copy of Ponder's tables with exactly `legCount` legs and the transactions they belong to.
 * @param say called at each step
 */
export async function loadDataset(client: Client, legCount: number, say: (text: string) => void): Promise<void> {
  const run = async (what: string, text: string) => {
    const start = performance.now();
    await client.query(text);
    say(`${what}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
  };
  // Ponder's triggers record rows for a rollback, which never happens here.
  await client.query(
    "SET session_replication_role = replica; SET work_mem = '512MB'; SET maintenance_work_mem = '1GB'",
  );
  await client.query(`TRUNCATE ${TABLES.map((table) => `${SCHEMA}.${table}`).join(", ")}`);
  await client.query(functionsSql());
  await run("drawing transactions", transactionsSql(legCount));
  await run("drawing legs", LEGS_SQL);

  const keys = await dropPrimaryKeys(client);
  await run("assets and prices", REGISTRY_SQL);
  await run("transaction", TRANSACTION_SQL);
  await run("transaction_by_hash", TRANSACTION_BY_HASH_SQL);
  await run("transaction_by_filter", TRANSACTION_BY_FILTER_SQL);
  await run("swap", SWAP_SQL);
  await run("allowlist_change", ALLOWLIST_SQL);
  await run("volume_total", TOTALS_SQL);
  for (const { table, name, definition } of keys) {
    await run(`primary key of ${table}`, `ALTER TABLE ${SCHEMA}.${table} ADD CONSTRAINT "${name}" ${definition}`);
  }
  await run("volume_series and state", HEADS_SQL);
  await client.query("DROP TABLE bench.leg, bench.tx");
  await run("vacuum and statistics", "VACUUM (ANALYZE)");
  await client.query("RESET session_replication_role; RESET work_mem; RESET maintenance_work_mem");
}

/** Keys are built after loading, with one sort each; they are the same as before. */
async function dropPrimaryKeys(client: Client) {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(
    `SELECT relname AS table, conname AS name, pg_get_constraintdef(pg_constraint.oid) AS definition
    FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
    WHERE contype = 'p' AND relnamespace = '${SCHEMA}'::regnamespace AND relname = ANY ($1)`,
    [TABLES],
  );
  if (rows.length !== TABLES.length) throw new Error(`${rows.length} of ${TABLES.length} tables have a primary key`);
  for (const { table, name } of rows) await client.query(`ALTER TABLE ${SCHEMA}.${table} DROP CONSTRAINT "${name}"`);
  return rows;
}
