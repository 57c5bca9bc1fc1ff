import type { ClientBase } from "pg";

/**
 * Whether a connection has a session of the server to itself. A pooler may run the statements of one connection in
 * different sessions, and those of several connections in one: locks that last as long as the session would hold nothing,
 * and stay behind. A pooler makes up the process ID that the start of a connection announces.
 */
export async function hasOwnSession(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ processId: number }>('SELECT pg_backend_pid() AS "processId"');
  // The driver keeps it, but its types leave it out.
  const { processID } = client as ClientBase & { readonly processID: number | null };
  return rows[0]?.processId === processID;
}
