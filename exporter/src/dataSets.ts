/**
 * What is exported: the data sets, their columns, and how their rows are read. Every row of them is written once, by
 * one block, and never changed afterwards: a final row stays as it is.
 */
import { escapeIdentifier } from "pg";
import type { Hex } from "viem";
import { z } from "zod";
import { addressColumn, bytes32Column, digitsColumn, integerColumn } from "../../src/api/shared/columns.ts";
import type { ApiNetwork } from "../../src/api/shared/networks.ts";
import { formatTime } from "../../src/api/shared/time.ts";
import { legFees, legValue } from "../../src/indexing/legValue.ts";
import type { RegisteredAsset } from "../../src/indexing/registry.ts";

/** A row as it is written; integers that a double may not hold are text, absent values null. */
export type Row = Readonly<Record<string, string | number | null>>;

/**
 * How a column is written: `integer` as a number, `time` as `YYYY-MM-DDTHH:MM:SSZ` or a timestamp in UTC, and `text`
 * as it is: hex, names, and every amount in decimal digits.
 */
export type ColumnType = "integer" | "text" | "time";

/** A part of the final rows: those of the times `[from, to)`, seconds since 1970. */
export interface Slice {
  /** Blocks `[fromBlock, toBlock)` have the transactions of these times. Rates can be in blocks after them. */
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  readonly finalBlock: bigint;
  readonly from: bigint;
  readonly to: bigint;
}

const PAGE_LENGTH = 5_000;
/** A decoded call can have a third of a megabyte. */
const TRANSACTIONS_PAGE_LENGTH = 250;

/** One data set: a folder of files. */
export interface DataSet {
  readonly name: "transactions" | "swap_legs" | "allowlist_changes" | "daily_rates" | "rate_corrections";
  /** In the order of the files. */
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** Rows per statement: some megabytes. */
  readonly pageLength: number;
  /** Whether the sums of its rows have to be those of the volume series. */
  readonly isOfLegs: boolean;
  /** Columns of amounts whose exact sums the manifest has. */
  readonly sums: readonly string[];
  /** Order of the rows, which no two share. */
  readonly key: readonly string[];
  /** Statement of the next rows after a key, at most `$1`. The bounds of a slice follow, and the key. */
  sql(network: ApiNetwork): string;
  bounds(slice: Slice): readonly string[];
  /** A key before every row of a slice. */
  start(slice: Slice): readonly (string | number)[];
  /**
   * Makes a row from one that the statement returned.
   * @throws Error when it lacks something that every row has
   */
  finish(row: unknown): Row;
}

const time = (column: string) => `${column}::text AS block_second`;
const second = integerColumn.transform(formatTime);

/** Bounds of `historyPage`; the key at which it starts is the lower one. */
const historyBounds = ({ toBlock }: Slice) => [toBlock.toString()];

/** Part of a statement that all tables of the history share. */
const historyPage = (network: ApiNetwork, table: string, key: readonly string[]) => `
WITH page AS MATERIALIZED (
  SELECT * FROM ${escapeIdentifier(network.schema)}.${table}
  WHERE chain_id = ${network.chainId}
    AND block_number < $2::bigint
    AND (${key.join(", ")}) > (${key.map((_, index) => `$${index + 3}::bigint`).join(", ")})
  ORDER BY ${key.join(", ")}
  LIMIT $1::integer
)`;

/** The transaction of each row of a page, by its key: a plain join could be planned as a hash over the whole table. */
const ownTransaction = (network: ApiNetwork) => `
LEFT JOIN LATERAL (
  SELECT hash AS transaction_hash, block_hash, timestamp FROM ${escapeIdentifier(network.schema)}.transaction AS entry
  WHERE entry.chain_id = ${network.chainId}
    AND entry.block_number = page.block_number AND entry.transaction_index = page.transaction_index
  LIMIT 1
) AS entry ON true`;

const TRANSACTION_KEY = ["block_number", "transaction_index"];
const EVENT_KEY = [...TRANSACTION_KEY, "log_index"];

const place = { chain_id: "integer", block_number: "integer", block_time: "time" } as const;
const placeInTransaction = {
  ...place,
  block_hash: "text",
  transaction_hash: "text",
  transaction_index: "integer",
} as const;

const transactionRow = z.object({
  chain_id: z.int(),
  block_number: z.int(),
  block_second: second,
  block_hash: bytes32Column,
  hash: bytes32Column,
  transaction_index: z.int(),
  sender: addressColumn,
  recipient: addressColumn.nullable(),
  nonce: digitsColumn,
  value: digitsColumn,
  selector: z.string().nullable(),
  outcome: z.enum(["success", "revert"]),
  gas_used: digitsColumn,
  effective_gas_price: digitsColumn,
  entrypoint: z.string().nullable(),
  direct_call: z.string().nullable(),
});

const transactions: DataSet = {
  name: "transactions",
  pageLength: TRANSACTIONS_PAGE_LENGTH,
  isOfLegs: false,
  columns: {
    ...placeInTransaction,
    sender: "text",
    recipient: "text",
    nonce: "text",
    value_wei: "text",
    selector: "text",
    outcome: "text",
    gas_used: "text",
    effective_gas_price_wei: "text",
    entrypoint: "text",
    direct_call: "text",
  },
  sums: ["value_wei", "gas_used"],
  key: TRANSACTION_KEY,
  sql: (network) => `${historyPage(network, "transaction", TRANSACTION_KEY)}
SELECT page.*, ${time("timestamp")}, direct_call::json->>'entrypoint' AS entrypoint
FROM page ORDER BY ${TRANSACTION_KEY.join(", ")}`,
  bounds: historyBounds,
  start: ({ fromBlock }) => [fromBlock.toString(), -1],
  finish(row) {
    const { hash, block_second, value, effective_gas_price, ...rest } = transactionRow.parse(row);
    return {
      ...rest,
      block_time: block_second,
      transaction_hash: hash,
      value_wei: value,
      effective_gas_price_wei: effective_gas_price,
    };
  },
};

const eventRow = z.object({
  chain_id: z.int(),
  block_number: z.int(),
  block_second: second,
  block_hash: bytes32Column,
  transaction_hash: bytes32Column,
  transaction_index: z.int(),
  log_index: z.int(),
  contract: addressColumn,
});

/** An asset as legs need it: the parts of `stablecoin` and `rwa` that no event changes once it has legs. */
const asset = z.object({
  id: bytes32Column,
  kind: z.enum(["stablecoin", "rwa"]),
  decimals: z.int(),
  yieldBearing: z.boolean(),
});

const legRow = eventRow.extend({
  user: addressColumn,
  operator: addressColumn,
  receiver: addressColumn,
  route_id: digitsColumn,
  asset_in: asset,
  asset_out: asset,
  settling: asset.extend({ kind: z.literal("stablecoin") }),
  lp_address: addressColumn,
  amount_in: digitsColumn,
  amount_out: digitsColumn,
  issuer_fee: digitsColumn,
  spread_fee: digitsColumn,
  lp_fee: digitsColumn,
});

/** As the indexer finds an asset: a registered stablecoin, else an RWA. */
const assetSql = ({ schema, chainId }: ApiNetwork, id: string) => `coalesce(
    (
      SELECT json_build_object('id', stablecoin_id, 'kind', 'stablecoin', 'decimals', decimals, 'yieldBearing', yield_bearing)
      FROM ${escapeIdentifier(schema)}.stablecoin
      WHERE chain_id = ${chainId} AND stablecoin_id = ${id} AND delegate_address IS NOT NULL AND decimals IS NOT NULL
    ),
    (
      SELECT json_build_object('id', rwa_id, 'kind', 'rwa', 'decimals', decimals, 'yieldBearing', false)
      FROM ${escapeIdentifier(schema)}.rwa WHERE chain_id = ${chainId} AND rwa_id = ${id}
    )
  )`;

/** Deposits mint the treasury token, redemptions burn it; a leg between two such tokens is neither. */
function typeOf(assetIn: z.output<typeof asset>, assetOut: z.output<typeof asset>): "swap" | "deposit" | "redemption" {
  if (assetIn.yieldBearing === assetOut.yieldBearing) return "swap";
  return assetOut.yieldBearing ? "deposit" : "redemption";
}

function registered({ kind, id, decimals }: z.output<typeof asset>, delegateAddress: Hex): RegisteredAsset {
  return kind === "rwa" ? { kind, id, decimals } : { kind, id, decimals, delegateAddress };
}

const swapLegs: DataSet = {
  name: "swap_legs",
  pageLength: PAGE_LENGTH,
  isOfLegs: true,
  columns: {
    ...placeInTransaction,
    log_index: "integer",
    contract: "text",
    type: "text",
    user: "text",
    operator: "text",
    receiver: "text",
    route_id: "text",
    asset_in_id: "text",
    asset_out_id: "text",
    stablecoin_delegate_id: "text",
    lp_address: "text",
    asset_in_decimals: "integer",
    asset_out_decimals: "integer",
    fee_decimals: "integer",
    amount_in: "text",
    amount_out: "text",
    issuer_fee: "text",
    spread_fee: "text",
    lp_fee: "text",
    issuer_fee_wad: "text",
    spread_fee_wad: "text",
    lp_fee_wad: "text",
    value_asset_id: "text",
    value_decimals: "integer",
    value_amount: "text",
  },
  sums: ["issuer_fee_wad", "spread_fee_wad", "lp_fee_wad"],
  key: EVENT_KEY,
  sql: (network) => `${historyPage(network, "swap", EVENT_KEY)}
SELECT page.*, entry.transaction_hash, entry.block_hash, ${time("entry.timestamp")},
  ${assetSql(network, "page.asset_in_id")} AS asset_in,
  ${assetSql(network, "page.asset_out_id")} AS asset_out,
  ${assetSql(network, "page.stablecoin_delegate_id")} AS settling
FROM page${ownTransaction(network)}
ORDER BY ${EVENT_KEY.map((column) => `page.${column}`).join(", ")}`,
  bounds: historyBounds,
  start: ({ fromBlock }) => [fromBlock.toString(), -1, -1],
  finish(row) {
    const { block_second, asset_in, asset_out, settling, ...leg } = legRow.parse(row);
    const [issuerFeeAmt, spreadFeeAmt, lpFeeAmt] = [BigInt(leg.issuer_fee), BigInt(leg.spread_fee), BigInt(leg.lp_fee)];
    const fees = legFees(settling, { issuerFeeAmt, spreadFeeAmt, lpFeeAmt });
    const value = legValue(registered(asset_in, leg.lp_address), registered(asset_out, leg.lp_address), {
      amountIn: BigInt(leg.amount_in),
      amountOut: BigInt(leg.amount_out),
      fees: issuerFeeAmt + spreadFeeAmt + lpFeeAmt,
    });
    return {
      ...leg,
      block_time: block_second,
      type: typeOf(asset_in, asset_out),
      asset_in_id: asset_in.id,
      asset_out_id: asset_out.id,
      stablecoin_delegate_id: settling.id,
      asset_in_decimals: asset_in.decimals,
      asset_out_decimals: asset_out.decimals,
      fee_decimals: settling.decimals,
      issuer_fee_wad: fees.issuerFeeWad.toString(),
      spread_fee_wad: fees.spreadFeeWad.toString(),
      lp_fee_wad: fees.lpFeeWad.toString(),
      value_asset_id: value.assetId || null,
      value_decimals: value.decimals,
      value_amount: value.amount.toString(),
    };
  },
};

const allowlistRow = eventRow.extend({ action: z.enum(["added", "removed"]), wallet: addressColumn });

const allowlistChanges: DataSet = {
  name: "allowlist_changes",
  pageLength: PAGE_LENGTH,
  isOfLegs: false,
  columns: { ...placeInTransaction, log_index: "integer", contract: "text", action: "text", wallet: "text" },
  sums: [],
  key: EVENT_KEY,
  sql: (network) => `${historyPage(network, "allowlist_change", EVENT_KEY)}
SELECT page.*, entry.transaction_hash, entry.block_hash, ${time("entry.timestamp")}
FROM page${ownTransaction(network)}
ORDER BY ${EVENT_KEY.map((column) => `page.${column}`).join(", ")}`,
  bounds: historyBounds,
  start: ({ fromBlock }) => [fromBlock.toString(), -1, -1],
  finish(row) {
    const { block_second, ...change } = allowlistRow.parse(row);
    return { ...change, block_time: block_second };
  },
};

/**
 * Rows of a table of rates, which has no key by block. They are few: one per day and delegate. Any contract can emit
 * the events, and the tables hold them all: a delegate may post rates before it is registered. Their transactions are
 * not in the history, so a month can end with rates in blocks after its last transaction.
 */
const ratesPage = ({ schema, chainId }: ApiNetwork, table: string, key: readonly string[], postedAt: string) => `
SELECT *, ${time(postedAt)} FROM ${escapeIdentifier(schema)}.${table}
WHERE chain_id = ${chainId}
  AND block_number <= $2::bigint AND ${postedAt} >= $3::bigint AND ${postedAt} < $4::bigint
  AND (${key.join(", ")}) > ($5::text, ${key
    .slice(1)
    .map((_, index) => `$${index + 6}::numeric`)
    .join(", ")})
ORDER BY ${key.join(", ")}
LIMIT $1::integer`;

const rateBounds = ({ from, to, finalBlock }: Slice) => [finalBlock.toString(), from.toString(), to.toString()];

const rateRow = z.object({
  chain_id: z.int(),
  block_number: z.int(),
  block_second: second,
  transaction_hash: bytes32Column,
  delegate_address: addressColumn,
  day_number: digitsColumn,
});
const rateColumns = { ...place, transaction_hash: "text", delegate_address: "text", day_number: "text" } as const;
const RATE_KEY = ["delegate_address", "day_number"];
const CORRECTION_KEY = [...RATE_KEY, "block_number", "log_index"];

const postedRow = rateRow.extend({ rate_wad: digitsColumn, poster: addressColumn });

const dailyRates: DataSet = {
  name: "daily_rates",
  pageLength: PAGE_LENGTH,
  isOfLegs: false,
  columns: { ...rateColumns, rate_wad: "text", poster: "text" },
  sums: ["rate_wad"],
  key: RATE_KEY,
  sql: (network) => ratesPage(network, "daily_rate", RATE_KEY, "posted_at"),
  bounds: rateBounds,
  start: () => ["", -1],
  finish(row) {
    const { block_second, ...rate } = postedRow.parse(row);
    return { ...rate, block_time: block_second };
  },
};

const correctionRow = rateRow.extend({
  log_index: z.int(),
  old_rate_wad: digitsColumn,
  new_rate_wad: digitsColumn,
  corrector: addressColumn,
});

const rateCorrections: DataSet = {
  name: "rate_corrections",
  pageLength: PAGE_LENGTH,
  isOfLegs: false,
  columns: { ...rateColumns, log_index: "integer", old_rate_wad: "text", new_rate_wad: "text", corrector: "text" },
  sums: ["old_rate_wad", "new_rate_wad"],
  key: CORRECTION_KEY,
  sql: (network) => ratesPage(network, "daily_rate_correction", CORRECTION_KEY, "corrected_at"),
  bounds: rateBounds,
  start: () => ["", -1, -1, -1],
  finish(row) {
    const { block_second, ...correction } = correctionRow.parse(row);
    return { ...correction, block_time: block_second };
  },
};

/** Every data set, in the order in which a month is written. */
export const DATA_SETS = [transactions, swapLegs, allowlistChanges, dailyRates, rateCorrections] as const;
