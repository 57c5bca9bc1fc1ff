/** The cache of adapter prices: a table outside Ponder's schemas, which the indexing process keeps fresh. */
import { z } from "@hono/zod-openapi";
import type { Address, Hash, Hex } from "viem";
import { createOffchainTables } from "../../../config/offchainTables.ts";
import { PRICE_TABLE } from "../shared/cachedPrices.ts";
import { addressColumn, bytes32Column, integerColumn } from "../shared/columns.ts";
import { type Database, type PooledDatabase, prepared } from "../shared/database.ts";

/** One reading of an RWA's price adapter. */
export interface RwaPrice {
  readonly chainId: number;
  readonly rwaId: Hex;
  readonly priceAdapter: Address;
  /** USD per whole token, times 10^18. Positive. */
  readonly priceUsdWad: bigint;
  /** Seconds since 1970. */
  readonly fetchedAt: bigint;
  readonly blockNumber: bigint;
  readonly blockHash: Hash;
}

/** The cached prices: at most one per RWA and adapter. */
export interface PriceRows {
  read(chainId: number): Promise<readonly RwaPrice[]>;
  write(prices: readonly RwaPrice[]): Promise<void>;
}

/** The cache as the process that keeps it fresh uses it. */
export interface PriceStore extends PriceRows {
  /**
   * Runs `task` unless another process is running one for this chain. The rows passed to the task use the connection
   * that holds the lock, so that tasks of different chains never wait for each other's connections.
   */
  exclusively(chainId: number, task: (rows: PriceRows) => Promise<void>): Promise<void>;
}

const CREATE = prepared(
  "create_rwa_price",
  createOffchainTables(`
CREATE TABLE IF NOT EXISTS ${PRICE_TABLE} (
  chain_id integer NOT NULL,
  rwa_id text NOT NULL,
  price_adapter text NOT NULL,
  price_usd_wad numeric NOT NULL,
  fetched_at bigint NOT NULL,
  block_number bigint NOT NULL,
  block_hash text NOT NULL,
  PRIMARY KEY (chain_id, rwa_id, price_adapter)
) WITH (vacuum_truncate = off);`),
);

const READ = prepared(
  "read_rwa_price",
  `
SELECT coalesce(json_agg(json_build_object(
  'chainId', chain_id, 'rwaId', rwa_id, 'priceAdapter', price_adapter, 'priceUsdWad', price_usd_wad::text,
  'fetchedAt', fetched_at::text, 'blockNumber', block_number::text, 'blockHash', block_hash
) ORDER BY rwa_id, price_adapter), '[]'::json) AS prices
FROM ${PRICE_TABLE} WHERE chain_id = $1::integer`,
);

const WRITE = prepared(
  "write_rwa_price",
  `
INSERT INTO ${PRICE_TABLE} VALUES ($1::integer, $2, $3, $4::numeric, $5::bigint, $6::bigint, $7)
ON CONFLICT (chain_id, rwa_id, price_adapter) DO UPDATE SET
  price_usd_wad = excluded.price_usd_wad, fetched_at = excluded.fetched_at,
  block_number = excluded.block_number, block_hash = excluded.block_hash`,
);

const LOCK = prepared(
  "lock_rwa_price",
  `SELECT pg_try_advisory_lock(hashtext('${PRICE_TABLE}'), $1::integer) AS "isLocked"`,
);
const UNLOCK = prepared("unlock_rwa_price", `SELECT pg_advisory_unlock(hashtext('${PRICE_TABLE}'), $1::integer)`);

const lockRow = z.object({ isLocked: z.boolean() });

const pricesRow = z.object({
  prices: z.array(
    z.object({
      chainId: z.int(),
      rwaId: bytes32Column,
      priceAdapter: addressColumn,
      priceUsdWad: integerColumn,
      fetchedAt: integerColumn,
      blockNumber: integerColumn,
      blockHash: bytes32Column,
    }),
  ),
});

/**
 * Creates the table when it is missing. The indexing process calls this before it serves; `serve` replicas, which may
 * be read-only, rely on it.
 */
export async function createPriceTable(database: Database): Promise<void> {
  await database.query({ ...CREATE, values: [] });
}

/** Returns the cache in a database in which its table exists and may be written. */
export function priceStore(database: PooledDatabase): PriceStore {
  return {
    ...rowsOver(database),
    exclusively: (chainId, task) =>
      database.onOneConnection(async (connection) => {
        const [row] = await connection.query({ ...LOCK, values: [chainId] });
        if (!lockRow.parse(row).isLocked) return;
        try {
          await task(rowsOver(connection));
        } finally {
          await connection.query({ ...UNLOCK, values: [chainId] });
        }
      }),
  };
}

function rowsOver(database: Database): PriceRows {
  return {
    async read(chainId) {
      const [row] = await database.query({ ...READ, values: [chainId] });
      return pricesRow.parse(row).prices;
    },
    async write(prices) {
      for (const price of prices) {
        await database.query({
          ...WRITE,
          values: [
            price.chainId,
            price.rwaId,
            price.priceAdapter,
            price.priceUsdWad.toString(),
            price.fetchedAt.toString(),
            price.blockNumber.toString(),
            price.blockHash,
          ],
        });
      }
    },
  };
}
