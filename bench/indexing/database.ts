/** Statements of the benchmark itself. */
import { Client } from "pg";

/** The first row of a statement's answer, over a connection of its own. */
export async function queryOne<Row>(connectionString: string, statement: string): Promise<Row> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query(statement);
    return rows[0] as Row;
  } finally {
    await client.end();
  }
}
