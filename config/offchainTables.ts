/**
 * Returns the statement that creates tables in the schema `core_offchain`, which Ponder does not own, so that they
 * survive the tables of an index. Several processes may start at the same time, and IF NOT EXISTS alone is not safe
 * against concurrent creation.
 * @param tables `CREATE TABLE IF NOT EXISTS` statements, each with its semicolon
 */
export function createOffchainTables(tables: string): string {
  return `
DO $$
BEGIN
PERFORM pg_advisory_xact_lock(hashtext('core_offchain'));
CREATE SCHEMA IF NOT EXISTS core_offchain;
${tables}
END
$$`;
}
