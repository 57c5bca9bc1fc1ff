/**
 * The tables with the values in force, in contrast to the history: registered assets, rates, settings, and accounts
 * with credits. Each has one row per key, which events overwrite and only a reorganization deletes. Lists of events
 * that are audited in the same way are included: changes of credits and of price adapters, and posted NAVs.
 */

/** A table with its columns, all read as text. */
interface CurrentTable {
  /** Columns of the key, except the chain. */
  readonly key: readonly string[];
  readonly columns: readonly string[];
  /** Running sums over the entries of an account. Those of an account itself equal those of its newest entry. */
  readonly totals?: readonly string[];
  /** Column with the block of the event from which `columns` come, if there is one. */
  readonly blockColumn?: string;
  /** True for a list with a row for each event. Only the audit of a block's events reads such tables. */
  readonly isList?: true;
  /**
   * True if any contract can emit the events. Answers show only rows of registered delegates, which are the first part
   * of the key.
   */
  readonly isOfDelegate?: true;
}

const EVENT = ["transaction_hash", "block_number"];

/** The running sums of `credit_entry` and `credited_account`. */
export const CREDIT_TOTALS = [
  "deposited_total",
  "redeemed_total",
  "yield_claimed_total",
  "moved_in_total",
  "moved_out_total",
] as const;

/** The name under which the difference of a running sum from that of the entry before is read. */
export function gainOf(total: string): string {
  return `${total} since the entry before`;
}

/**
 * All these tables, by the names in the database. The names and symbols of tokens are omitted, because a token can
 * change them without an event.
 */
const CURRENT_TABLES = {
  stablecoin: {
    key: ["stablecoin_id"],
    columns: [
      ...["token_address", "decimals", "delegate_address", "accepted", "yield_bearing"],
      ...["usd_value_wad", "usd_value_set_at", "usd_value_block_number", "issuer_paid_protocol_fee_rate_wad"],
      ...["protocol_fee_exempt", "guardrail_price_adapter", "guardrail_band_wad", "guardrail_enabled"],
    ],
    blockColumn: "usd_value_block_number",
  },
  rwa: {
    key: ["rwa_id"],
    columns: [...["token_address", "decimals", "delegate_address", "accepted", "price_adapter", "whitelist_adapter"]],
  },
  lp_rwa_rate: { key: ["stablecoin_id", "rwa_id"], columns: ["discount_rate_wad", "redemption_fee_wad"] },
  lp_stablecoin_rate: {
    key: ["stablecoin_id", "token_address"],
    columns: ["acceptance_fee_wad", "redemption_fee_wad"],
  },
  protocol_settings: { key: [], columns: ["spread_protocol_take_rate_wad", "paused"] },
  issuer_admin: { key: ["delegate_address", "admin_address"], columns: ["active"], isOfDelegate: true },
  rate_start: { key: ["delegate_address"], columns: ["first_rate_day"], isOfDelegate: true },
  daily_rate: {
    key: ["delegate_address", "day_number"],
    columns: ["rate_wad", "poster", "posted_at", ...EVENT],
    blockColumn: "block_number",
    isOfDelegate: true,
  },
  daily_rate_correction: {
    key: ["delegate_address", "day_number", "block_number", "log_index"],
    columns: ["old_rate_wad", "new_rate_wad", "corrector", "corrected_at", ...EVENT],
    blockColumn: "block_number",
    isOfDelegate: true,
  },
  credited_account: {
    key: ["delegate_address", "account"],
    columns: [],
    totals: CREDIT_TOTALS,
    isList: true,
    isOfDelegate: true,
  },
  credit_entry: {
    key: ["delegate_address", "account", "second", "block_number", "log_index"],
    columns: ["kind", "credits", "yield_amount", "block_number"],
    totals: CREDIT_TOTALS,
    blockColumn: "block_number",
    isList: true,
    isOfDelegate: true,
  },
  price_adapter_change: {
    key: ["rwa_id", "second", "block_number", "log_index"],
    columns: ["adapter_address", ...EVENT],
    blockColumn: "block_number",
    isList: true,
  },
  nav_post: {
    key: ["adapter_address", "second", "block_number", "log_index"],
    columns: ["nav_wad", "poster", ...EVENT],
    blockColumn: "block_number",
    isList: true,
  },
} as const satisfies Record<string, CurrentTable>;

/** The name of one of these tables. */
export type CurrentTableName = keyof typeof CURRENT_TABLES;

/** Names of these tables. */
export const CURRENT_TABLE_NAMES = Object.keys(CURRENT_TABLES) as CurrentTableName[];

/** Returns a table by its name, with the same type for all tables. */
export function currentTable(name: CurrentTableName): CurrentTable {
  return CURRENT_TABLES[name];
}

/** Columns by name, as text. */
export type Columns = Readonly<Record<string, string | null>>;

/** A row that must exist because an event named it. */
export interface NamedRow {
  readonly table: CurrentTableName;
  readonly key: readonly string[];
  /** Columns about the event itself, if the table has them. Later events overwrite them. */
  readonly columns: Columns | null;
}

/** A row in messages and as the key of maps, such as `daily_rate 0x…/20500`. */
export function rowName(table: CurrentTableName, key: readonly string[]): string {
  return [table, ...(key.length === 0 ? [] : [key.join("/")])].join(" ");
}
