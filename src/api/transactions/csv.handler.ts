import { isDeepStrictEqual } from "node:util";
import type { RouteHandler } from "@hono/zod-openapi";
import { conditional, questionOf } from "../http/answer.ts";
import { exchangeOf } from "../http/client.ts";
import { attachment, CSV_TYPE } from "../http/csv.ts";
import { perNetwork } from "../http/perNetwork.ts";
import { requireOrder } from "../http/range.ts";
import type { ClientOf } from "../http/rateLimit.ts";
import type { FeatureOptions } from "../http/route.ts";
import { type SlotLimits, slots } from "../http/slots.ts";
import { streamOf } from "../http/stream.ts";
import { coverageOf, isFinalBefore, type NetworkState, stateReader } from "../shared/state.ts";
import { CSV_HEADER, csvRowsOf } from "./csv.ts";
import { encodeCursor, isBefore, type Position } from "./cursor.ts";
import { firstBlockFinder } from "./firstBlock.ts";
import { type HistoryPage, historyReader, MAXIMUM_LIMIT } from "./query.ts";
import { MAXIMUM_CSV_TRANSACTIONS, type transactionsCsvRoute } from "./route.ts";
import { scopeOf, startOf } from "./scope.ts";

/**
 * Transactions per statement of a CSV file. The number equals the maximum of a JSON page, so that a file blocks the
 * event loop no longer than other answers do.
 */
const CSV_PAGE_LENGTH = MAXIMUM_LIMIT;

/** Two indexes can have different rows, because one was repaired. A file with rows of both would be wrong. */
const REPLACED = "another index replaced the one from which a CSV file was made";

/** A server that took over, or one of several, can lack rows that the file's headers promise. */
const BEHIND = "the database is behind the one that named the last final block of a CSV file";

/** A fast client receives the largest file in a few seconds. */
const CSV_RETRY_AFTER_SECONDS = 10;

/** Limits of files sent at once. Each file uses a separate connection and its own statements. */
export interface FileLimits extends SlotLimits {
  /** How long a client may stop reading a file before its connection is closed. */
  readonly stallTimeoutMs: number;
}

/**
 * Number of files sent at once. Each keeps one statement running, and on PGlite all share one thread with the indexer.
 * Four leave most of both to other answers. Two are enough for a client that loads both networks, and no single client
 * can use all four.
 */
export const FILE_LIMITS: FileLimits = {
  total: 4,
  perClient: 2,
  // A page is about 100 KB. A client slower than 4 KB a second would hold its slot for hours.
  stallTimeoutMs: 30_000,
};

/** What files need in addition to what every feature receives. */
export interface CsvOptions {
  readonly files: FileLimits;
  readonly clientOf: ClientOf;
  readonly logError: (message: string, error: unknown) => void;
}

/**
 * Answers `/v1/transactions.csv`: the final part of the history or of a range of it, page by page at the pace of the
 * client. If the database fails or falls behind, or another index replaces the one that is read, the answer is a 500
 * before the first page, and an aborted transfer after it. Only a few files are sent at once.
 */
export function csvHandler({
  database,
  networks,
  clientOf,
  files,
  logError,
}: Pick<FeatureOptions, "database" | "networks"> & CsvOptions): RouteHandler<typeof transactionsCsvRoute> {
  const takeSlot = slots("CSV files", files, CSV_RETRY_AFTER_SECONDS);
  const historyOf = perNetwork(networks, (network) => ({
    network,
    readState: stateReader(database, network),
    readPage: historyReader(database, network),
    findFirstBlock: firstBlockFinder(database, network),
  }));
  return async (c) => {
    const { network: networkName, cursor, from, to, ...filters } = c.req.valid("query");
    const { network, readState, readPage, findFirstBlock } = historyOf(networkName);
    if (from !== undefined && to !== undefined) requireOrder({ from, to });
    const scope = scopeOf(networkName, { ...filters, from, to });
    const start = startOf(scope, cursor);

    // The slot is taken before anything is read from the database, so that a refusal costs nothing.
    const release = takeSlot(clientOf(c));
    let isStreaming = false;
    try {
      const state = await readState();
      const { indexedThroughBlock } = coverageOf(network, state).historicalBackfill;

      // The final rows of an index never change, so the file depends only on the index and the newest final block.
      const { index } = state;
      const question = questionOf("/v1/transactions.csv", { ...Object.fromEntries(scope), cursor });
      const { isCurrent, headers } = conditional(c, question, { index, indexedThroughBlock }, CSV_TYPE);
      if (isCurrent) return c.body(null, 304, headers);
      const isFinal = to === undefined ? null : isFinalBefore(to, network, state);
      const fileHeaders = {
        ...headers,
        "Content-Disposition": attachment(
          `transactions-${networkName}`,
          { from, to },
          isFinal === false ? ["not-final"] : [],
        ),
        ...(indexedThroughBlock === null ? {} : { "Indexed-Through-Block": indexedThroughBlock }),
        ...(isFinal === null ? {} : { "Range-Final": String(isFinal) }),
      };
      if (c.req.method === "HEAD") return c.body(null, 200, fileHeaders);
      if (indexedThroughBlock === null) return c.body(CSV_HEADER, 200, fileHeaders);

      const firstUnfinal = BigInt(indexedThroughBlock) + 1n;
      const checked = <Reading extends { readonly state: NetworkState }>(reading: Reading): Reading => {
        if (!isDeepStrictEqual(reading.state.index, index)) throw new Error(REPLACED);
        const { nextBlock } = coverageOf(network, reading.state).historicalBackfill;
        if (BigInt(nextBlock) < firstUnfinal) throw new Error(BEHIND);
        return reading;
      };
      const firstBlockAt = async (second: bigint) => checked(await findFirstBlock(second, firstUnfinal)).block;
      const fromBlock = from === undefined ? 0n : await firstBlockAt(from);
      const end: Position = {
        blockNumber: to === undefined ? firstUnfinal : await firstBlockAt(to),
        transactionIndex: 0,
      };
      const texts = csvTexts({
        before: isBefore(start, end) ? start : end,
        readPage: async (before) => checked(await readPage(filters, { before, fromBlock, limit: CSV_PAGE_LENGTH })),
        cursorAfter: (position) => encodeCursor(scope, position),
      });
      const body = await streamOf(texts, {
        onFailure: (error) => logError("/v1/transactions.csv could not be completed", error),
        onEnd: release,
        exchange: exchangeOf(c),
        stallTimeoutMs: files.stallTimeoutMs,
      });
      isStreaming = true;
      return c.body(body, 200, fileHeaders);
    } finally {
      if (!isStreaming) release();
    }
  };
}

interface CsvSource {
  /** Start of the file. Every transaction in it is older. */
  readonly before: Position;
  /** Reads at most `CSV_PAGE_LENGTH` older transactions. */
  readPage(before: Position): Promise<Pick<HistoryPage, "transactions" | "next">>;
  cursorAfter(position: Position): string;
}

/**
 * Yields the text of a file, page by page. The last row has a cursor when the file ends at its limit and older
 * transactions match.
 */
async function* csvTexts({ before, readPage, cursorAfter }: CsvSource): AsyncGenerator<string, void> {
  // The header is sent with the first page, so that a failing database is noticed before anything is sent.
  let header = CSV_HEADER;
  let start = before;
  for (let count = 0; ; ) {
    const { transactions, next } = await readPage(start);
    count += transactions.length;
    const isLastPage = next === null || count + CSV_PAGE_LENGTH > MAXIMUM_CSV_TRANSACTIONS;
    const cursor = isLastPage && next !== null ? cursorAfter(next) : null;
    const last = transactions.at(-1);
    const rows = transactions.map((transaction) => csvRowsOf(transaction, transaction === last ? cursor : null));
    yield header + rows.join("");
    if (isLastPage) return;
    header = "";
    start = next;
  }
}
