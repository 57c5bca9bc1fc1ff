/** Events in the history of a network: new transactions, blocks that were rolled back, and another index. */
import { isDeepStrictEqual } from "node:util";
import { z } from "@hono/zod-openapi";
import { escapeIdentifier } from "pg";
import { Unavailable } from "../http/errors.ts";
import { bytes32Column, integerColumn } from "../shared/columns.ts";
import { type Database, prepared } from "../shared/database.ts";
import type { ApiNetwork } from "../shared/networks.ts";
import { coverageOf, type NetworkState, newestBlockOf, stateReader } from "../shared/state.ts";
import { isBefore, NEWEST, type Position } from "./cursor.ts";
import { type HistoryPage, historyReader, MAXIMUM_LIMIT } from "./query.ts";
import type { HistoryTransaction } from "./schema.ts";

/** Maximum number of transactions returned at once. A client reads more of them page by page. */
const MAXIMUM_TRANSACTIONS = 500;

/** The number of hex digits by which an ID names a block and an index. */
const ID_DIGITS = 16;

/** Starts the hash of no block. */
const NO_HASH = "0".repeat(ID_DIGITS);

const REPLACED = "another index replaced the one that was read; try again later";
const BEHIND = "the database is behind the one that was read before; try again later";

/** Databases that follow another one are behind it by a second or so. */
const RETRY_AFTER_SECONDS = 1;

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
   *
   * The reader throws `Unavailable` when the server that answers lacks some of these events, or has another index or
   * chain than that `readNew` has read: what it lacks would never be sent.
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
  /** Whether that read found all rows of the state. */
  let isComplete = false;
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

  const newestOf = (current: NetworkState) => newestBlockOf(network, current) ?? network.startBlock - 1n;

  /** Returns the state as of which a page was read: a server that is behind lacks rows of the state read before it. */
  const reachedBy = (page: HistoryPage, current: NetworkState) =>
    newestOf(page.state) < newestOf(current) ? page.state : current;

  /**
   * Reads a page. Each statement may be answered by another one of several servers.
   * @throws Unavailable when the server has another index, or lacks blocks before the end of the page
   */
  async function readPageOf(index: NetworkState["index"], before: Position, limit = MAXIMUM_LIMIT) {
    const page = await readPage({}, { before, limit });
    if (!isDeepStrictEqual(page.state.index, index)) {
      throw new Unavailable(REPLACED, RETRY_AFTER_SECONDS);
    }
    if (before !== NEWEST && newestOf(page.state) < lastBlockBefore(before)) {
      throw new Unavailable(BEHIND, RETRY_AFTER_SECONDS);
    }
    return page;
  }

  /**
   * Returns the transactions between two positions, oldest first, and the state that they reach. They are null when
   * there are too many, or calls so long that a page ended early.
   */
  async function transactionsBetween(after: Position, end: Position, current: NetworkState) {
    const found: HistoryTransaction[] = [];
    let reached = current;
    for (let before = end; found.length <= MAXIMUM_TRANSACTIONS; ) {
      const page = await readPageOf(current.index, before);
      if (before === NEWEST) reached = reachedBy(page, current);
      const { transactions, next } = page;
      const missing = transactions.filter((transaction) => isBefore(after, positionOf(transaction)));
      found.push(...missing);
      if (next === null || missing.length < transactions.length) {
        return { transactions: found.length > MAXIMUM_TRANSACTIONS ? null : found.reverse(), reached };
      }
      // Such a page has more bytes than may wait for a client.
      if (transactions.length < MAXIMUM_LIMIT) break;
      before = next;
    }
    return { transactions: null, reached };
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

  /** @throws Unavailable when the blocks read from one number through another are not those that `readNew` has found */
  function requireSameChain(blocks: ReadonlyMap<bigint, string>, from: bigint, through: bigint): void {
    for (const number of new Set([...blocks.keys(), ...unfinal.keys()])) {
      if (number < firstKept || number < from || number > through) continue;
      if (blocks.get(number) !== unfinal.get(number)) throw new Unavailable(BEHIND, RETRY_AFTER_SECONDS);
    }
  }

  const originOf = (current: NetworkState): Origin => ({
    index: current.index.id.replaceAll("-", "").slice(0, ID_DIGITS),
    firstUnfinal: firstUnfinalOf(current),
  });

  /**
   * Returns the state that was reached. Changes what is kept after its last read only, so that a failure leaves
   * everything to the next call.
   */
  async function skipToNewest(current: NetworkState): Promise<NetworkState> {
    const page = await readPageOf(current.index, NEWEST, 1);
    const reached = reachedBy(page, current);
    const [newest] = page.transactions;
    const newestEnd = newest === undefined ? beginningOf(network.startBlock) : eventIdOf(newest, originOf(reached));
    const first = firstKeptOf(reached);
    const blocks = await readBlocks(first, newestEnd.blockNumber);
    // A server that has the same newest block has the same ones before it.
    const isKept = newest !== undefined && newestEnd.blockNumber >= first;
    if (isKept && blocks.get(newestEnd.blockNumber) !== newest.inclusion.blockHash) {
      throw new Unavailable(BEHIND, RETRY_AFTER_SECONDS);
    }
    end = newestEnd;
    firstKept = first;
    unfinal = blocks;
    return reached;
  }

  return {
    async readNew() {
      // The state is read before the rows, so that the next call finds anything that arrives in between.
      const current = await readState();
      if (isComplete && isDeepStrictEqual(current, state)) return [];
      const events: HistoryEvent[] = [];
      let reached: NetworkState;
      if (state === null) {
        reached = await skipToNewest(current);
      } else if (!isDeepStrictEqual(current.index, state.index)) {
        // Another index took the place of this one. It may correct any row, also one of a final block.
        events.push({ type: "reset", fromBlock: network.startBlock });
        reached = await skipToNewest(current);
      } else {
        const rolledBack = await firstRolledBack();
        const start = rolledBack === null ? end : beginningOf(rolledBack);
        const found = await transactionsBetween(start, NEWEST, current);
        const { transactions } = found;
        reached = found.reached;
        // A block is written as a whole, so the one after that of a transaction is the first with something new.
        const fromBlock = rolledBack ?? (end.transactionIndex < 0 ? end.blockNumber : end.blockNumber + 1n);
        if (rolledBack !== null || transactions === null) events.push({ type: "reset", fromBlock });
        if (transactions === null) reached = await skipToNewest(current);
        else {
          const blocks = new Map([...unfinal].filter(([number]) => number < fromBlock));
          for (const transaction of transactions) addBlock(blocks, transaction);
          const origin = originOf(reached);
          for (const transaction of transactions) {
            events.push({ type: "transaction", id: eventIdOf(transaction, origin), transaction });
          }
          const newest = transactions.at(-1);
          end = newest === undefined ? start : eventIdOf(newest, origin);
          firstKept = firstKeptOf(reached);
          unfinal = new Map([...blocks].filter(([number]) => number >= firstKept));
        }
      }
      state = reached;
      isComplete = reached === current;
      return events;
    },

    since(seen) {
      if (state === null) throw new Error("nothing has been read yet");
      const read = state;
      const origin = originOf(read);
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
        const { transactions } = await transactionsBetween(seen, until, read);
        for (const transaction of transactions ?? []) addBlock(blocks, transaction);
        requireSameChain(blocks, seen.blockNumber, transactions === null ? seen.blockNumber : lastBlockBefore(until));
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

/** The last block that can have transactions before a position. */
function lastBlockBefore({ blockNumber, transactionIndex }: Position): bigint {
  return transactionIndex > 0 ? blockNumber : blockNumber - 1n;
}

/** The position right after another, as the exclusive end of a page. */
function nextOf(position: Position): Position {
  return { ...position, transactionIndex: position.transactionIndex + 1 };
}
