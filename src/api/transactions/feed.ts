/** Events in the history of a network: new transactions, blocks that were rolled back, and another index. */
import { isDeepStrictEqual } from "node:util";
import { z } from "@hono/zod-openapi";
import { escapeIdentifier } from "pg";
import { bytes32Column, integerColumn } from "../shared/columns.ts";
import { type Database, prepared } from "../shared/database.ts";
import type { ApiNetwork } from "../shared/networks.ts";
import { coverageOf, type NetworkState, stateReader } from "../shared/state.ts";
import { isBefore, NEWEST, type Position } from "./cursor.ts";
import { historyReader, MAXIMUM_LIMIT } from "./query.ts";
import type { HistoryTransaction } from "./schema.ts";

/** Maximum number of transactions returned at once. A client reads more of them page by page. */
const MAXIMUM_TRANSACTIONS = 500;

/** The number of hex digits by which an ID names a block and an index. */
const ID_DIGITS = 16;

/** Starts the hash of no block. */
const NO_HASH = "0".repeat(ID_DIGITS);

/** The state of the index from which an event was sent. */
interface Origin {
  /** Identifies the index: 16 hex digits. */
  readonly index: string;
  /** The first block that was not final. No reorganization can replace earlier blocks. */
  readonly firstUnfinal: bigint;
}

/** Position of a transaction, with the start of its block's hash, which identifies the chain. */
export interface EventId extends Position {
  /** The first 16 hex digits. */
  readonly blockHashStart: string;
  /** Null in an ID that a client made from a transaction. */
  readonly origin: Origin | null;
}

/** One event. */
export type HistoryEvent =
  | { readonly type: "transaction"; readonly id: EventId; readonly transaction: HistoryTransaction }
  /** The history from this block on has changed, or has more events than are returned, so it must be read again. */
  | { readonly type: "reset"; readonly fromBlock: bigint };

/** Follows the history of one network. */
export interface Feed {
  /** Reads the events since the last call, oldest first. The first call returns none. Calls must not overlap. */
  readNew(): Promise<readonly HistoryEvent[]>;
  /**
   * Makes the reader of the events between one that a client has seen and the last `readNew`, oldest first. It may run
   * later, and while `readNew` runs: blocks that are rolled back meanwhile are a reset of the next `readNew`.
   *
   * Rows of a block are not necessarily those that the client has, even if the block is the same: another index may
   * correct any row, so an event of another index leads to a reset of all blocks.
   */
  since(seen: EventId): () => Promise<readonly HistoryEvent[]>;
  /**
   * Returns the ID of the newest transaction at the last `readNew`. While that is not known, returns an ID of no block,
   * after which `since` leads to a reset.
   */
  position(): EventId;
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
  let end: Position | EventId = beginningOf(network.startBlock);
  /** Hashes, by number, of the blocks up to that transaction that have transactions and are not final. */
  let unfinal = new Map<bigint, string>();

  const firstUnfinalOf = (current: NetworkState) => BigInt(coverageOf(network, current).historicalBackfill.nextBlock);

  const firstKeptOf = (current: NetworkState) => {
    const { newest, observation } = current;
    // Before anything was streamed live, only final blocks are indexed. They are too many to keep.
    if (observation === null && newest !== null) return BigInt(newest.blockNumber) + 1n;
    return firstUnfinalOf(current);
  };

  /**
   * Returns the transactions between two positions, oldest first, or null when there are too many, or calls so long that
   * a page ended early.
   */
  async function transactionsBetween(after: Position, end: Position): Promise<HistoryTransaction[] | null> {
    const found: HistoryTransaction[] = [];
    for (let before = end; found.length <= MAXIMUM_TRANSACTIONS; ) {
      const { transactions, next } = await readPage({}, { before, limit: MAXIMUM_LIMIT });
      const missing = transactions.filter((transaction) => isBefore(after, positionOf(transaction)));
      found.push(...missing);
      if (next === null || missing.length < transactions.length) {
        return found.length > MAXIMUM_TRANSACTIONS ? null : found.reverse();
      }
      // Such a page has more bytes than may wait for a client.
      if (transactions.length < MAXIMUM_LIMIT) return null;
      before = next;
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

  const originOf = (current: NetworkState): Origin => ({
    index: current.index.id.replaceAll("-", "").slice(0, ID_DIGITS),
    firstUnfinal: firstUnfinalOf(current),
  });

  /** Changes what is kept after its last read only, so that a failure leaves everything to the next call. */
  async function skipToNewest(current: NetworkState): Promise<void> {
    const first = firstKeptOf(current);
    const blocks = await readBlocks(first);
    const [newest] = (await readPage({}, { before: NEWEST, limit: 1 })).transactions;
    end = newest === undefined ? beginningOf(network.startBlock) : eventIdOf(newest, originOf(current));
    // The newest block may be younger than the others here. Its hash stands for theirs.
    if (newest !== undefined && end.blockNumber >= first) blocks.set(end.blockNumber, newest.inclusion.blockHash);
    firstKept = first;
    unfinal = blocks;
  }

  return {
    async readNew() {
      // The state is read before the rows, so that the next call finds anything that arrives in between.
      const current = await readState();
      if (isDeepStrictEqual(current, state)) return [];
      const events: HistoryEvent[] = [];
      if (state === null) {
        await skipToNewest(current);
      } else if (!isDeepStrictEqual(current.index, state.index)) {
        // Another index took the place of this one. It may correct any row, also one of a final block.
        events.push({ type: "reset", fromBlock: network.startBlock });
        await skipToNewest(current);
      } else {
        const rolledBack = await firstRolledBack();
        const start = rolledBack === null ? end : beginningOf(rolledBack);
        const transactions = await transactionsBetween(start, NEWEST);
        // A block is written as a whole, so the one after that of a transaction is the first with something new.
        const fromBlock = rolledBack ?? (end.transactionIndex < 0 ? end.blockNumber : end.blockNumber + 1n);
        if (rolledBack !== null || transactions === null) events.push({ type: "reset", fromBlock });
        if (transactions === null) await skipToNewest(current);
        else {
          const blocks = new Map([...unfinal].filter(([number]) => number < fromBlock));
          for (const transaction of transactions) addBlock(blocks, transaction);
          const origin = originOf(current);
          for (const transaction of transactions) {
            events.push({ type: "transaction", id: eventIdOf(transaction, origin), transaction });
          }
          const newest = transactions.at(-1);
          end = newest === undefined ? start : eventIdOf(newest, origin);
          firstKept = firstKeptOf(current);
          unfinal = new Map([...blocks].filter(([number]) => number >= firstKept));
        }
      }
      state = current;
      return events;
    },

    since(seen) {
      if (state === null) throw new Error("nothing has been read yet");
      const origin = originOf(state);
      const until = nextOf(end);
      return async () => {
        const isOtherIndex = seen.origin !== null && seen.origin.index !== origin.index;
        if (isOtherIndex) return [{ type: "reset", fromBlock: network.startBlock }];
        const blocks = await readBlocks(seen.blockNumber, seen.blockNumber);
        if (!blocks.get(seen.blockNumber)?.startsWith(`0x${seen.blockHashStart}`)) {
          // The client may have earlier blocks of another chain, too, unless they were final when it received this one.
          // Those that are final now do not count: they can have been replaced before.
          const wasUnfinal = seen.origin !== null && seen.origin.firstUnfinal <= seen.blockNumber;
          return [{ type: "reset", fromBlock: wasUnfinal ? seen.origin.firstUnfinal : network.startBlock }];
        }
        const transactions = await transactionsBetween(seen, until);
        if (transactions === null) return [{ type: "reset", fromBlock: seen.blockNumber }];
        return transactions.map((transaction) => ({
          type: "transaction",
          id: eventIdOf(transaction, origin),
          transaction,
        }));
      };
    },

    position() {
      if (state === null) throw new Error("nothing has been read yet");
      if ("origin" in end) return end;
      return { blockNumber: end.blockNumber, blockHashStart: NO_HASH, transactionIndex: 0, origin: originOf(state) };
    },
  };
}

/** Makes the reader of the blocks with transactions, from a number or up to a number. */
function blocksReader(database: Database, { schema, chainId, name }: ApiNetwork) {
  const statement = prepared(
    `api_events_blocks_${name}`,
    `SELECT block_number::text AS "blockNumber", block_hash AS "blockHash"
     FROM ${escapeIdentifier(schema)}.transaction
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

/**
 * Notes the block of a transaction.
 * @throws Error when the block is known by another hash. It was replaced between two statements, and the transactions
 * that were read are of both chains.
 */
function addBlock(blocks: Map<bigint, string>, { inclusion }: HistoryTransaction): void {
  const number = BigInt(inclusion.blockNumber);
  const known = blocks.get(number);
  if (known !== undefined && known !== inclusion.blockHash) {
    throw new Error(`block ${number} was replaced while its transactions were read`);
  }
  blocks.set(number, inclusion.blockHash);
}

function eventIdOf(transaction: HistoryTransaction, origin: Origin): EventId {
  const blockHashStart = transaction.inclusion.blockHash.slice(2, 2 + ID_DIGITS);
  return { ...positionOf(transaction), blockHashStart, origin };
}

/** The position before every transaction of a block. */
function beginningOf(blockNumber: bigint): Position {
  return { blockNumber, transactionIndex: -1 };
}

/** The position right after another, as the exclusive end of a page. */
function nextOf(position: Position): Position {
  return { ...position, transactionIndex: position.transactionIndex + 1 };
}
