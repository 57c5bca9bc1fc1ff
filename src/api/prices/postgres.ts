/** The price cache on PostgreSQL, in a schema that Ponder does not own, so that it outlives a re-index. */
import { z } from "@hono/zod-openapi";
import { Pool, type PoolClient } from "pg";
import { addressColumn, bytes32Column, integerColumn } from "../queries/columns.ts";
import type { PriceRows, PriceSource, PriceStore } from "./store.ts";

const TABLE = "core_offchain.rwa_price";

/** Lock namespace; the second key is the chain id. */
const LOCK = "hashtext('core_offchain.rwa_price')";

/** Two, so that networks refresh side by side. */
const CONNECTIONS = 2;

/** How statements read the cache: as a table like any other. */
export const postgresPriceSource: PriceSource = {
  fromItem: () => `${TABLE} AS price`,
  values: () => [],
};

const priceRows = z.array(
  z
    .object({
      chain_id: z.int(),
      rwa_id: bytes32Column,
      price_adapter: addressColumn,
      price_usd_wad: integerColumn,
      fetched_at: integerColumn,
      block_number: integerColumn,
      block_hash: bytes32Column,
    })
    .transform((row) => ({
      chainId: row.chain_id,
      rwaId: row.rwa_id,
      priceAdapter: row.price_adapter,
      priceUsdWad: row.price_usd_wad,
      fetchedAt: row.fetched_at,
      blockNumber: row.block_number,
      blockHash: row.block_hash,
    })),
);

/** The pool of the price cache, apart from Ponder's pools, which are read-only or busy indexing. */
export function createPricePool(connectionString: string, logWarning: (message: string, error: unknown) => void): Pool {
  const pool = new Pool({
    connectionString,
    max: CONNECTIONS,
    application_name: "coreswap_prices",
    allowExitOnIdle: true,
  });
  // Without a listener, a connection that breaks while idle would end the process.
  pool.on("error", (error) => logWarning("connection of the price cache broke", error));
  return pool;
}

/**
 * Creates the table when it is missing. The indexing process calls this before it serves; `serve` replicas, which may
 * be read-only, rely on it.
 */
export async function createPriceTable(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    // Several processes may start at once: IF NOT EXISTS alone races on the catalog.
    await client.query("SELECT pg_advisory_lock(hashtext('core_offchain'))");
    await client.query("CREATE SCHEMA IF NOT EXISTS core_offchain");
    await client.query(`CREATE TABLE IF NOT EXISTS ${TABLE} (
      chain_id integer NOT NULL,
      rwa_id text NOT NULL,
      price_adapter text NOT NULL,
      price_usd_wad numeric NOT NULL,
      fetched_at bigint NOT NULL,
      block_number bigint NOT NULL,
      block_hash text NOT NULL,
      PRIMARY KEY (chain_id, rwa_id)
    ) WITH (vacuum_truncate = off)`);
  } finally {
    await client.query("SELECT pg_advisory_unlock(hashtext('core_offchain'))").finally(() => client.release());
  }
}

/** The cache over a pool of connections to the primary server, where its table exists. */
export function postgresPriceStore(pool: Pool): PriceStore {
  return {
    ...postgresPriceSource,
    ...rowsOver(pool),
    async exclusively(chainId, task) {
      const client = await pool.connect();
      try {
        const { rows } = await client.query(`SELECT pg_try_advisory_lock(${LOCK}, $1::integer) AS locked`, [chainId]);
        if (rows[0]?.locked !== true) return;
        try {
          await task(rowsOver(client));
        } finally {
          await client.query(`SELECT pg_advisory_unlock(${LOCK}, $1::integer)`, [chainId]);
        }
      } finally {
        client.release();
      }
    },
  };
}

function rowsOver(connection: Pool | PoolClient): PriceRows {
  return {
    async read(chainId) {
      const { rows } = await connection.query(`SELECT * FROM ${TABLE} WHERE chain_id = $1`, [chainId]);
      return priceRows.parse(rows);
    },
    async write(prices) {
      for (const price of prices) {
        await connection.query(
          `INSERT INTO ${TABLE} VALUES ($1, $2, $3, $4, $5, $6, $7)
          ON CONFLICT (chain_id, rwa_id) DO UPDATE SET
            price_adapter = excluded.price_adapter, price_usd_wad = excluded.price_usd_wad,
            fetched_at = excluded.fetched_at, block_number = excluded.block_number, block_hash = excluded.block_hash`,
          [
            price.chainId,
            price.rwaId,
            price.priceAdapter,
            price.priceUsdWad,
            price.fetchedAt,
            price.blockNumber,
            price.blockHash,
          ],
        );
      }
    },
  };
}
