/** Writes the history as CSV. */
import { csvRow } from "../http/csv.ts";
import type { HistoryTransaction } from "./schema.ts";

const TRANSACTION_COLUMNS = [
  "blockNumber",
  "blockHash",
  "transactionIndex",
  "timestamp",
  "transactionHash",
  "sender",
  "recipient",
  "nonce",
  "value",
  "selector",
  "outcome",
  "gasUsed",
  "effectiveGasPrice",
  "entrypoint",
] as const;

const ACTIVITY_COLUMNS = [
  "type",
  "logIndex",
  "contract",
  "user",
  "operator",
  "receiver",
  "routeId",
  "assetInId",
  "assetOutId",
  "stablecoinDelegateId",
  "lpAddress",
  "amountIn",
  "amountOut",
  "issuerFee",
  "spreadFee",
  "lpFee",
  "action",
  "wallet",
] as const;

/** Columns in the order of the file: those of the transaction, those of the activity, and the cursor. */
export const CSV_COLUMNS = [...TRANSACTION_COLUMNS, ...ACTIVITY_COLUMNS, "nextCursor"] as const;

type Row = Readonly<Partial<Record<(typeof CSV_COLUMNS)[number], string | null>>>;

/** The header row. */
export const CSV_HEADER = csvRow(CSV_COLUMNS);

/**
 * Returns the rows of a transaction: one per activity, or a single row if it has none. The last one contains the
 * cursor, if there is one.
 */
export function csvRowsOf(transaction: HistoryTransaction, nextCursor: string | null): string {
  const { inclusion, receipt, directCall, activities, ...envelope } = transaction;
  const own: Row = { ...inclusion, ...envelope, ...receipt, entrypoint: directCall?.entrypoint ?? null };
  const rows: Row[] = activities.length > 0 ? activities.map((activity) => ({ ...own, ...activity })) : [own];
  return rows
    .map((row, index) => (index === rows.length - 1 ? { ...row, nextCursor } : row))
    .map((row: Row) => csvRow(CSV_COLUMNS.map((column) => row[column])))
    .join("");
}
