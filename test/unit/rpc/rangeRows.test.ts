import { expect, it } from "vitest";
import { collectRows, type RowStore } from "../../../config/rpc/backfill/rangeRows.ts";

it("the rows of all blocks of a range are written at once", async () => {
  const rows = collectRows(1);
  for (const block of [1, 2]) {
    await rows.insertBlocks({ blocks: [`block ${block}`], chainId: 1 });
    await rows.insertTransactions({ transactions: [`transaction of ${block}`], chainId: 1 });
    await rows.insertTransactionReceipts({ transactionReceipts: [`receipt of ${block}`], chainId: 1 });
    await rows.insertTraces({ traces: [], chainId: 1 });
    await rows.insertLogs({ logs: [`log of ${block}`, `second log of ${block}`], chainId: 1 });
  }
  expect(rows.count()).toBe(10);
  const written: unknown[] = [];
  const write = async (kind: unknown) => void written.push(kind);
  const store: RowStore = {
    ...{ insertBlocks: write, insertTransactions: write, insertTransactionReceipts: write },
    ...{ insertTraces: write, insertLogs: write },
  };
  await rows.writeTo(store);
  expect(written).toEqual([
    { blocks: ["block 1", "block 2"], chainId: 1 },
    { transactions: ["transaction of 1", "transaction of 2"], chainId: 1 },
    { transactionReceipts: ["receipt of 1", "receipt of 2"], chainId: 1 },
    { traces: [], chainId: 1 },
    { logs: ["log of 1", "second log of 1", "log of 2", "second log of 2"], chainId: 1 },
  ]);
});
