/** An endless history, for tests that could not insert enough rows in time. */
import { randomUUID } from "node:crypto";
import type { Database } from "../../../src/api/shared/database.ts";
import { INDEX_FORMAT } from "../../../src/api/shared/indexIdentity.ts";
import type { HistoryTransaction } from "../../../src/api/transactions/schema.ts";

const NEWEST_BLOCK = 1_000_000;

/**
 * A database whose final history has a transaction like the example in every block. It counts the pages that are read.
 */
export function endlessHistory(example: HistoryTransaction) {
  let pages = 0;
  const state = {
    index: { schema: "endless", format: INDEX_FORMAT, id: randomUUID(), isOfDeployment: true },
    safeCheckpoint: "0".repeat(26) + String(NEWEST_BLOCK).padStart(16, "0") + "9".repeat(33),
    newest: null,
    observation: null,
  };
  const database: Database = {
    query: async ({ name, values }) => {
      if (name.includes("state")) return [{ states: [state] }];
      pages += 1;
      const before = Number(values[2]);
      const transactions = Array.from({ length: Number(values[4]) }, (_, index) => ({
        ...example,
        inclusion: { ...example.inclusion, blockNumber: String(before - 1 - index), transactionIndex: "0" },
      }));
      const next = { blockNumber: String(before - transactions.length), transactionIndex: 0 };
      return [{ state, transactions, contradiction: null, next }];
    },
  };
  return { database, pagesRead: () => pages };
}
