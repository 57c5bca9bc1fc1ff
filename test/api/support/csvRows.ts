/** The rows of a CSV file that transactions of the JSON history must have. */
import { expect } from "vitest";
import type { HistoryTransaction } from "../../../src/api/transactions/schema.ts";
import type { CsvRow } from "../../support/csv.ts";

/** The rows that a transaction must have, derived from the transaction in the JSON history. */
function rowsOf({ inclusion, receipt, directCall, activities, ...rest }: HistoryTransaction): CsvRow[] {
  const text = (value: object) =>
    Object.fromEntries(Object.entries(value).map(([name, field]) => [name, field === null ? "" : String(field)]));
  const own = { ...text(inclusion), ...text(rest), ...text(receipt), entrypoint: directCall?.entrypoint ?? "" };
  return activities.length === 0 ? [own] : activities.map((activity) => ({ ...own, ...text(activity) }));
}

/** Checks that rows are those of these transactions, in this order. */
export function expectRows(rows: readonly CsvRow[], history: readonly HistoryTransaction[]) {
  const expected = history.flatMap(rowsOf);
  expect(rows.length).toBe(expected.length);
  for (const [index, row] of rows.entries()) {
    const filled = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== ""));
    const wanted = Object.fromEntries(Object.entries(expected[index] ?? {}).filter(([, value]) => value !== ""));
    expect(filled).toEqual(wanted);
  }
}
