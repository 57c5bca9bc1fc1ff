/** The tables of `ponder.schema.ts` that a history of swaps and allowlist changes fills, with the types that Ponder gives them. */
import type { Table } from "./store.ts";

const place = { chain_id: "integer", block_number: "integer", transaction_index: "integer" };
const amount = "numeric";

export const transaction: Table = {
  name: "transaction",
  columns: {
    ...place,
    hash: "text",
    block_hash: "text",
    timestamp: "bigint",
    sender: "text",
    recipient: "text",
    nonce: amount,
    value: amount,
    selector: "text",
    outcome: "text",
    gas_used: amount,
    effective_gas_price: amount,
    direct_call: "text",
    filter_class: "integer",
    wallets: "text",
  },
  primaryKey: ["chain_id", "block_number", "transaction_index"],
};

export const transactionByHash: Table = {
  name: "transaction_by_hash",
  columns: { chain_id: "integer", hash: "text", block_number: "integer", transaction_index: "integer" },
  primaryKey: ["chain_id", "hash"],
};

export const transactionByFilter: Table = {
  name: "transaction_by_filter",
  columns: {
    chain_id: "integer",
    wallet: "text",
    filter_class: "integer",
    block_number: "integer",
    transaction_index: "integer",
  },
  primaryKey: ["chain_id", "wallet", "filter_class", "block_number", "transaction_index"],
};

export const swap: Table = {
  name: "swap",
  columns: {
    ...place,
    log_index: "integer",
    contract: "text",
    user: "text",
    operator: "text",
    receiver: "text",
    route_id: amount,
    asset_in_id: "text",
    asset_out_id: "text",
    stablecoin_delegate_id: "text",
    lp_address: "text",
    amount_in: amount,
    amount_out: amount,
    issuer_fee: amount,
    spread_fee: amount,
    lp_fee: amount,
  },
  primaryKey: ["chain_id", "block_number", "transaction_index", "log_index"],
};

export const allowlistChange: Table = {
  name: "allowlist_change",
  columns: { ...place, log_index: "integer", contract: "text", action: "text", wallet: "text" },
  primaryKey: ["chain_id", "block_number", "transaction_index", "log_index"],
};

export const volumeSeries: Table = {
  name: "volume_series",
  columns: {
    chain_id: "integer",
    lp_address: "text",
    asset_id: "text",
    series_id: "integer",
    decimals: "integer",
    newest_second: "bigint",
  },
  primaryKey: ["chain_id", "lp_address", "asset_id"],
};

export const volumeTotal: Table = {
  name: "volume_total",
  columns: {
    chain_id: "integer",
    series_id: "integer",
    second: "bigint",
    leg_total: "bigint",
    amount_total: "numeric",
  },
  primaryKey: ["chain_id", "series_id", "second"],
};

export const stablecoin: Table = {
  name: "stablecoin",
  columns: {
    chain_id: "integer",
    stablecoin_id: "text",
    token_address: "text",
    decimals: "integer",
    delegate_address: "text",
    accepted: "boolean",
    yield_bearing: "boolean",
  },
  primaryKey: ["chain_id", "stablecoin_id"],
};

export const rwa: Table = {
  name: "rwa",
  columns: {
    chain_id: "integer",
    rwa_id: "text",
    token_address: "text",
    decimals: "integer",
    accepted: "boolean",
    delegate_address: "text",
    price_adapter: "text",
  },
  primaryKey: ["chain_id", "rwa_id"],
};

export const issuerAdmin: Table = {
  name: "issuer_admin",
  columns: { chain_id: "integer", delegate_address: "text", admin_address: "text", active: "boolean" },
  primaryKey: ["chain_id", "delegate_address", "admin_address"],
};

export const TABLES: readonly Table[] = [
  transaction,
  transactionByHash,
  transactionByFilter,
  swap,
  allowlistChange,
  volumeSeries,
  volumeTotal,
  stablecoin,
  rwa,
  issuerAdmin,
];
