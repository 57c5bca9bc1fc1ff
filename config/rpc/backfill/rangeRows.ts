/**
 * Collects the raw rows of a range of blocks. Ponder hands them over block by block, as to the store of its database. They
 * are written together: a statement for each kind of row and block costs more than the rows do.
 */

/** The methods of Ponder's store of raw data that write the rows of a block. */
export interface RowStore {
  insertBlocks(rows: { readonly blocks: readonly unknown[]; readonly chainId: number }): Promise<void>;
  insertTransactions(rows: { readonly transactions: readonly unknown[]; readonly chainId: number }): Promise<void>;
  insertTransactionReceipts(rows: {
    readonly transactionReceipts: readonly unknown[];
    readonly chainId: number;
  }): Promise<void>;
  insertTraces(rows: { readonly traces: readonly unknown[]; readonly chainId: number }): Promise<void>;
  insertLogs(rows: { readonly logs: readonly unknown[]; readonly chainId: number }): Promise<void>;
}

export interface RangeRows extends RowStore {
  count(): number;
  writeTo(store: RowStore): Promise<void>;
}

export function collectRows(chainId: number): RangeRows {
  const blocks: unknown[] = [];
  const transactions: unknown[] = [];
  const transactionReceipts: unknown[] = [];
  const traces: unknown[] = [];
  const logs: unknown[] = [];
  return {
    insertBlocks: async (rows) => append(blocks, rows.blocks),
    insertTransactions: async (rows) => append(transactions, rows.transactions),
    insertTransactionReceipts: async (rows) => append(transactionReceipts, rows.transactionReceipts),
    insertTraces: async (rows) => append(traces, rows.traces),
    insertLogs: async (rows) => append(logs, rows.logs),
    count: () => blocks.length + transactions.length + transactionReceipts.length + traces.length + logs.length,
    async writeTo(store) {
      await store.insertBlocks({ blocks, chainId });
      await store.insertTransactions({ transactions, chainId });
      await store.insertTransactionReceipts({ transactionReceipts, chainId });
      await store.insertTraces({ traces, chainId });
      await store.insertLogs({ logs, chainId });
    },
  };
}

/** Unlike `push(...)`, takes any number of rows. */
function append(rows: unknown[], more: readonly unknown[]): void {
  for (const row of more) rows.push(row);
}
