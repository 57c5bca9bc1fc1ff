/** Events in the history of a network: new transactions, and blocks that were rolled back. */
import { isDeepStrictEqual } from "node:util";
import { z } from "@hono/zod-openapi";
import { bytes32Column, integerColumn } from "../shared/columns.ts";
import { type Database, prepared, quoteIdentifier } from "../shared/database.ts";
import type { ApiNetwork } from "../shared/networks.ts";
import { coverageOf, type NetworkState, stateReader } from "../shared/state.ts";
import { isBefore, NEWEST, type Position } from "./cursor.ts";
import { historyReader, MAXIMUM_LIMIT } from "./query.ts";
import type { HistoryTransaction } from "./schema.ts";

/** Maximum number of transactions returned at once. A client reads more of them page by page. */
const MAXIMUM_TRANSACTIONS = 500;

/** Position of a transaction, with the start of its block's hash, which identifies the chain. */
export interface EventId extends Position {
  /** The first 16 hex digits. */
  readonly blockHashStart: string;
}

/** One event. */
export type HistoryEvent =
  | { readonly type: "transaction"; readonly transaction: HistoryTransaction }
  /** The history from this block on has changed, or has more events than are returned, so it must be read again. */
  | { readonly type: "reset"; readonly fromBlock: bigint };

/** Follows the history of one network. Calls must not overlap. */
export interface Feed {
  /** Reads the events since the last call, oldest first. The first call returns none. */
  readNew(): Promise<readonly HistoryEvent[]>;
  /** Reads the events between one that a client has seen and the last `readNew`, oldest first. */
  readSince(seen: EventId): Promise<readonly HistoryEvent[]>;
}

const blockRow = z.object({ blockNumber: integerColumn, blockHash: bytes32Column });

/** Makes the feed of a network. It starts after the newest transaction at its first read. */
export function historyFeed(database: Database, network: ApiNetwork): Feed {
  const readState = stateReader(database, network);
  const readPage = historyReader(database, network);
  const readBlocks = blocksReader(database, network);
  /** The state at the last read. */
  let state: NetworkState | null = null;
  /** The first block whose hash is kept to detect a rollback. */
  let firstKept = network.startBlock;
  /** The newest transaction so far. */
  let end: Position = beginningOf(network.startBlock);
  /** Hashes, by number, of the blocks up to that transaction that have transactions and are not final. */
  let unfinal = new Map<bigint, string>();

  const firstUnfinalOf = (current: NetworkState) => BigInt(coverageOf(network, current).historicalBackfill.nextBlock);

  const firstKeptOf = (current: NetworkState) => {
    const { newest, observation } = current;
    // Before anything was streamed live, only final blocks are indexed. They are too many to keep.
    if (observation === null && newest !== null) return BigInt(newest.blockNumber) + 1n;
    return firstUnfinalOf(current);
  };

  /** Returns the transactions between two positions, oldest first, or null when there are too many. */
  async function transactionsBetween(after: Position, end: Position): Promise<HistoryTransaction[] | null> {
    const found: HistoryTransaction[] = [];
    for (let before = end; found.length <= MAXIMUM_TRANSACTIONS; ) {
      const { transactions } = await readPage({}, { before, limit: MAXIMUM_LIMIT });
      const missing = transactions.filter((transaction) => isBefore(after, positionOf(transaction)));
      found.push(...missing);
      const oldest = missing.at(-1);
      if (oldest === undefined || missing.length < MAXIMUM_LIMIT) return found.reverse();
      before = positionOf(oldest);
    }
    return null;
  }

  /**
   * Returns the first block from which the history may differ from what was returned, or null when nothing was rolled
   * back.
   */
  async function firstRolledBack(): Promise<bigint | null> {
    const numbers = [...unfinal.keys()].sort((a, b) => (a < b ? -1 : 1));
    const blocks = await readBlocks(firstKept, end.blockNumber);
    const place = numbers.findIndex((number) => blocks.get(number) !== unfinal.get(number));
    if (place === -1) return null;
    // Earlier blocks that had no transactions may have some now.
    const standing = numbers[place - 1];
    return standing === undefined ? firstKept : standing + 1n;
  }

  async function skipToNewest(): Promise<void> {
    unfinal = await readBlocks(firstKept);
    const [newest] = (await readPage({}, { before: NEWEST, limit: 1 })).transactions;
    end = newest === undefined ? beginningOf(network.startBlock) : positionOf(newest);
  }

  return {
    async readNew() {
      // The state is read before the rows, so that the next call finds anything that arrives in between.
      const current = await readState();
      if (isDeepStrictEqual(current, state)) return [];
      const events: HistoryEvent[] = [];
      if (state === null) {
        firstKept = firstKeptOf(current);
        await skipToNewest();
      } else {
        const rolledBack = await firstRolledBack();
        const start = rolledBack === null ? end : beginningOf(rolledBack);
        const transactions = await transactionsBetween(start, NEWEST);
        // A block is written as a whole, so the next block is the first with something new.
        const fromBlock = rolledBack ?? end.blockNumber + 1n;
        if (rolledBack !== null || transactions === null) events.push({ type: "reset", fromBlock });
        unfinal = new Map([...unfinal].filter(([number]) => number < fromBlock));
        end = start;
        for (const transaction of transactions ?? []) {
          events.push({ type: "transaction", transaction });
          end = positionOf(transaction);
          unfinal.set(end.blockNumber, transaction.inclusion.blockHash);
        }
        firstKept = firstKeptOf(current);
        if (transactions === null) await skipToNewest();
        unfinal = new Map([...unfinal].filter(([number]) => number >= firstKept));
      }
      state = current;
      return events;
    },

    async readSince(seen) {
      const blocks = await readBlocks(seen.blockNumber, seen.blockNumber);
      if (!blocks.get(seen.blockNumber)?.startsWith(`0x${seen.blockHashStart}`)) {
        // It is unknown which earlier blocks the client has from another chain. Final blocks stay.
        const firstUnfinal = state === null ? network.startBlock : firstUnfinalOf(state);
        const isUnfinal = seen.blockNumber >= firstUnfinal;
        return [{ type: "reset", fromBlock: isUnfinal ? firstUnfinal : seen.blockNumber }];
      }
      const transactions = await transactionsBetween(seen, nextOf(end));
      if (transactions === null) return [{ type: "reset", fromBlock: seen.blockNumber }];
      return transactions.map((transaction) => ({ type: "transaction", transaction }));
    },
  };
}

/** Makes the reader of the blocks with transactions, from a number or up to a number. */
function blocksReader(database: Database, { schema, chainId, name }: ApiNetwork) {
  const statement = prepared(
    `api_events_blocks_${name}`,
    `SELECT block_number::text AS "blockNumber", block_hash AS "blockHash"
     FROM ${quoteIdentifier(schema)}.transaction
     WHERE chain_id = ${chainId} AND block_number >= $1::bigint AND block_number <= $2::bigint
     GROUP BY block_number, block_hash`,
  );
  return async (from: bigint, to: bigint = NEWEST.blockNumber): Promise<Map<bigint, string>> => {
    const rows = await database.query({ ...statement, values: [from.toString(), to.toString()] });
    return new Map(rows.map((row) => blockRow.parse(row)).map((row) => [row.blockNumber, row.blockHash]));
  };
}

function positionOf({ inclusion }: HistoryTransaction): Position {
  return {
    blockNumber: BigInt(inclusion.blockNumber),
    transactionIndex: Number(inclusion.transactionIndex),
  };
}

/** The position before every transaction of a block. */
function beginningOf(blockNumber: bigint): Position {
  return { blockNumber, transactionIndex: -1 };
}

/** The position right after another, as the exclusive end of a page. */
function nextOf(position: Position): Position {
  return { ...position, transactionIndex: position.transactionIndex + 1 };
}
