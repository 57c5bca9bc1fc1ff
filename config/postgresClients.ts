/**
 * Clients of PostgreSQL whose connection may break. Its statements then fail, which tells whoever uses it. The driver also
 * emits an error, once or twice, and ends the process if nobody listens.
 */
import { Client, type ClientConfig, Pool, type PoolConfig } from "pg";

/** Makes a client, which is not connected yet. */
export function createClient(config: ClientConfig): Client {
  const client = new Client(config);
  client.on("error", () => undefined);
  return client;
}

/**
 * Opens a pool.
 * @param onIdleLoss called when a connection breaks that nobody uses
 */
export function openPool(config: PoolConfig, onIdleLoss: (error: Error) => void = () => undefined): Pool {
  const pool = new Pool(config);
  pool.on("error", onIdleLoss);
  // The pool listens only to idle connections, and not to one that a task holds.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}
