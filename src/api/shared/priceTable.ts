/** The table of cached adapter prices, in a schema that Ponder does not own, so that it outlives a re-index. */
export const PRICE_TABLE = "core_offchain.rwa_price";
