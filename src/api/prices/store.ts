/** Where adapter prices are kept: in memory beside PGlite, in a table beside Ponder's on PostgreSQL. */
import type { Address, Hash, Hex } from "viem";
import type { SqlValue } from "../database.ts";

/** One reading of an RWA's price adapter. */
export interface RwaPrice {
  readonly chainId: number;
  readonly rwaId: Hex;
  readonly priceAdapter: Address;
  /** USD per whole token, times 10^18; positive. */
  readonly priceUsdWad: bigint;
  /** Seconds since 1970. */
  readonly fetchedAt: bigint;
  readonly blockNumber: bigint;
  readonly blockHash: Hash;
}

/** How a statement gets the prices of a chain, so that they come with the rows in one snapshot. */
export interface PriceSource {
  /**
   * FROM item with the columns of `core_offchain.rwa_price`, perhaps over one parameter.
   * @param parameter placeholder of that parameter, such as `$3`
   */
  fromItem(parameter: string): string;
  /** The parameter, if there is one. */
  values(): readonly SqlValue[];
}

/** The cached prices: at most one per RWA. */
export interface PriceRows {
  read(chainId: number): Promise<readonly RwaPrice[]>;
  write(prices: readonly RwaPrice[]): Promise<void>;
}

/** The cache, as the process has it that keeps it fresh. */
export interface PriceStore extends PriceSource, PriceRows {
  /**
   * Runs `task` unless another process is running one for this chain. The task uses the rows that it is handed: theirs
   * is the connection that holds the lock, so that tasks of several chains never wait for a connection of each other.
   */
  exclusively(chainId: number, task: (rows: PriceRows) => Promise<void>): Promise<void>;
}

/** Prices of this process alone. */
export function memoryPriceStore(): PriceStore {
  const prices = new Map<string, RwaPrice>();
  const rows: PriceRows = {
    read: async (chainId) => [...prices.values()].filter((price) => price.chainId === chainId),
    write: async (news) => {
      for (const price of news) prices.set(`${price.chainId} ${price.rwaId}`, price);
    },
  };
  return {
    ...rows,
    fromItem: (parameter) => `json_to_recordset(${parameter}::json) AS price (
      chain_id integer, rwa_id text, price_adapter text, price_usd_wad numeric, fetched_at bigint,
      block_number bigint, block_hash text
    )`,
    values: () => [JSON.stringify([...prices.values()].map(toRow))],
    exclusively: (_chainId, task) => task(rows),
  };
}

/** Row of `core_offchain.rwa_price`; numbers as text, to keep their digits in JSON. */
function toRow(price: RwaPrice): Record<string, string | number> {
  return {
    chain_id: price.chainId,
    rwa_id: price.rwaId,
    price_adapter: price.priceAdapter,
    price_usd_wad: price.priceUsdWad.toString(),
    fetched_at: price.fetchedAt.toString(),
    block_number: price.blockNumber.toString(),
    block_hash: price.blockHash,
  };
}
