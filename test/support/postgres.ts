/** Short connections to PostgreSQL. */
import { Client } from "pg";

/** Runs a task with a new connection, which is closed afterwards. */
export async function withClient<T>(connectionString: string, task: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    return await task(client);
  } finally {
    await client.end();
  }
}

/** Runs a statement on a new connection, and returns its rows. */
export function queryOnce(connectionString: string, text: string): Promise<Record<string, unknown>[]> {
  return withClient(connectionString, async (client) => (await client.query<Record<string, unknown>>(text)).rows);
}

/** The URL of a server of the tests, for another role. */
export function urlAs(role: string, databaseUrl: string): string {
  return databaseUrl.replace("postgres@", `${role}@`);
}
