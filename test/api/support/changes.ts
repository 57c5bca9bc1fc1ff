/** Changes the history of an index as the indexer does. */
import { randomUUID } from "node:crypto";
import { INDEX_FORMAT } from "../../../src/api/shared/indexIdentity.ts";
import type { HistoryTransaction } from "../../../src/api/transactions/schema.ts";
import type { TestEngine } from "./engine.ts";
import { madeHistory } from "./history.ts";
import { insertHistory } from "./world.ts";

/** Oldest first, three in each block from block 100. */
const HISTORY = madeHistory(900).reverse();

/** Adds transactions as the indexer adds a block: with the rows and the state of the chain. */
export async function add(engine: TestEngine, transactions: readonly HistoryTransaction[]) {
  await insertHistory(engine, 1, transactions);
  const newest = transactions.at(-1)?.inclusion;
  if (newest === undefined) throw new Error("nothing to add");
  await engine.execute(`INSERT INTO "${engine.schema}".chain_state
    VALUES (1, ${newest.blockNumber}, '${newest.blockHash}', '${newest.transactionIndex}',
      ${newest.blockNumber}, '${newest.blockHash}', 0)
    ON CONFLICT (chain_id) DO UPDATE SET block_number = excluded.block_number,
      block_hash = excluded.block_hash, event_id = excluded.event_id,
      observed_block_number = excluded.observed_block_number, observed_block_hash = excluded.observed_block_hash`);
}

/** Rolls back blocks, as a reorganization does. */
export async function rollBack(engine: TestEngine, fromBlock: number) {
  await engine.execute(rollBackSql(engine, fromBlock));
}

/** The statements that remove all rows of blocks. */
export function rollBackSql({ schema }: Pick<TestEngine, "schema">, fromBlock: number): string {
  return ["transaction", "transaction_by_filter", "transaction_by_hash", "swap", "allowlist_change"]
    .map((table) => `DELETE FROM "${schema}".${table} WHERE block_number >= ${fromBlock}`)
    .join(";");
}

/** Makes the tables those of another index, at once, as readers of views see it. */
export async function showIndex(engine: TestEngine, name: string, changeSql = ""): Promise<void> {
  const identity = `SELECT '${name}'::text AS schema_name, ${INDEX_FORMAT} AS format, '${randomUUID()}'::text AS id,
    '{}'::jsonb AS contracts`;
  await engine.execute(`${changeSql}; CREATE OR REPLACE VIEW "${engine.schema}".coreswap_index AS ${identity}`);
}

export const inBlocks = (first: number, last: number) =>
  HISTORY.filter(({ inclusion }) => Number(inclusion.blockNumber) >= first && Number(inclusion.blockNumber) <= last);

/** The same transactions in blocks of another chain. The hashes of two forks differ in their first two digits. */
export const onFork = (transactions: readonly HistoryTransaction[], fork = "ff") =>
  transactions.map((transaction) => ({
    ...transaction,
    inclusion: {
      ...transaction.inclusion,
      blockHash: `0x${fork}${transaction.inclusion.blockHash.slice(4)}` as const,
    },
  }));

export function firstOf(transactions: readonly HistoryTransaction[]): HistoryTransaction {
  const [first] = transactions;
  if (first === undefined) throw new Error("there is no transaction");
  return first;
}
