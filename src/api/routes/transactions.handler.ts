import { type RouteHandler, z } from "@hono/zod-openapi";
import type { ApiDependencies } from "../dependencies.ts";
import { type CursorScope, decodeCursor, encodeCursor, isBefore, NEWEST, type Position } from "../formats/cursor.ts";
import { exchangeOf } from "../http/client.ts";
import { answerRendered, conditional, render } from "../http/conditional.ts";
import { BadRequest } from "../http/errors.ts";
import { type JsonOf, JsonText } from "../http/json.ts";
import { recentByNetwork } from "../http/recent.ts";
import { remembered } from "../http/remembered.ts";
import { slots } from "../http/slots.ts";
import { streamOf } from "../http/stream.ts";
import { apiNameOf, requireNetwork } from "../networks.ts";
import { coverageOf, readState, readStates } from "../queries/state.ts";
import {
  checkTransactions,
  type HistoryFilters,
  type HistoryPage,
  MAXIMUM_LIMIT,
  readHistoryPage,
} from "../queries/transactions.ts";
import { CSV_HEADER, csvRowsOf } from "./transactions.csv.ts";
import {
  DEFAULT_LIMIT,
  MAXIMUM_CSV_TRANSACTIONS,
  type transactionsCsvRoute,
  type transactionsRoute,
} from "./transactions.route.ts";
import { type HistoryAnswer, historyTransaction } from "./transactions.schema.ts";

/** Some hundred pages of fifty transactions: what they were made of, and what is sent. */
const REMEMBERED_BYTES = 32 * 1024 * 1024;

const CSV_TYPE = "text/csv; charset=utf-8; header=present";

/**
 * Transactions of a CSV file per statement: as many as a page of the JSON history may have, so that a file takes no
 * longer turns of the event loop than other answers do.
 */
const CSV_PAGE_LENGTH = MAXIMUM_LIMIT;
const CSV_PAGE_LIMITS = { limit: CSV_PAGE_LENGTH, plannedLimit: CSV_PAGE_LENGTH };

/** A file of the largest size is sent in some seconds to a quick client. */
const CSV_RETRY_AFTER_SECONDS = 10;

const historyTransactions = z.array(historyTransaction);

/**
 * Answers `/v1/transactions`: a page of the transactions that satisfy all filters. A cursor that does not go with
 * network and filters is a 400. What was made of an unchanged reading is sent again.
 */
export function transactionsHandler({ database, networks }: ApiDependencies): RouteHandler<typeof transactionsRoute> {
  const readRecentState = recentByNetwork(networks, (network) => readStates(database, [network]));
  const renderingOf = remembered(REMEMBERED_BYTES);
  return async (c) => {
    const { network: networkName, limit = DEFAULT_LIMIT, cursor, ...filters } = c.req.valid("query");
    const network = requireNetwork(networks, networkName);
    const scope = scopeOf(networkName, filters);
    const before = startOf(scope, cursor);
    const key = ["/v1/transactions", scope, limit, cursor];

    return answerRendered(c, {
      key,
      readState: () => readRecentState(network),
      read: async () => {
        const page = await readHistoryPage(database, network, filters, { before, limit, plannedLimit: MAXIMUM_LIMIT });
        const { state, transactionsJson, next } = page;
        const place = JSON.stringify([state, next && [next.blockNumber.toString(), next.transactionIndex]]);
        return renderingOf(JSON.stringify(key), [place, transactionsJson], () =>
          render<JsonOf<HistoryAnswer, "transactions">>(key, {
            state: [state],
            body: {
              network: apiNameOf(network),
              chainId: network.chainId,
              transactions: new JsonText(checkTransactions(page)),
              nextCursor: next === null ? null : encodeCursor(scope, next),
              coverage: coverageOf(network, state),
            },
          }),
        );
      },
    });
  };
}

/**
 * Answers `/v1/transactions.csv`: the final part of the history, page by page as the client takes it. A database that
 * fails is a 500 before the first page, and breaks the transfer off after it. Few files are sent at once.
 */
export function transactionsCsvHandler({
  database,
  networks,
  limits: { clientOf },
  files,
  logError,
}: ApiDependencies): RouteHandler<typeof transactionsCsvRoute> {
  const takeSlot = slots("CSV files", files, CSV_RETRY_AFTER_SECONDS);
  return async (c) => {
    const { network: networkName, cursor, ...filters } = c.req.valid("query");
    const network = requireNetwork(networks, networkName);
    const scope = scopeOf(networkName, filters);
    const start = startOf(scope, cursor);

    // Before anything is asked of the database: what is refused costs nothing.
    const release = takeSlot(clientOf(c));
    let isStreaming = false;
    try {
      const { indexedThroughBlock } = coverageOf(network, await readState(database, network)).historicalBackfill;

      // What is final stays: the file needs no more of the state than how far that goes.
      const key = ["/v1/transactions.csv", scope, cursor];
      const { isCurrent, headers } = conditional(c, key, indexedThroughBlock, CSV_TYPE);
      if (isCurrent) return c.body(null, 304, headers);
      const fileHeaders = {
        ...headers,
        "Content-Disposition": `attachment; filename="transactions-${networkName}.csv"`,
        ...(indexedThroughBlock === null ? {} : { "Indexed-Through-Block": indexedThroughBlock }),
      };
      if (c.req.method === "HEAD") return c.body(null, 200, fileHeaders);
      if (indexedThroughBlock === null) return c.body(CSV_HEADER, 200, fileHeaders);

      const firstUnfinal: Position = { blockNumber: BigInt(indexedThroughBlock) + 1n, transactionIndex: 0 };
      const texts = csvTexts({
        before: isBefore(start, firstUnfinal) ? start : firstUnfinal,
        readPage: (before) => readHistoryPage(database, network, filters, { before, ...CSV_PAGE_LIMITS }),
        cursorAfter: (position) => encodeCursor(scope, position),
      });
      const body = await streamOf(texts, {
        onFailure: (error) => logError("/v1/transactions.csv broke off", error),
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
  /** Where the file starts: every transaction is older. */
  readonly before: Position;
  /** At most `CSV_PAGE_LENGTH` transactions that are older. */
  readPage(before: Position): Promise<Pick<HistoryPage, "transactionsJson" | "next">>;
  cursorAfter(position: Position): string;
}

/** The text of a file, page by page. Its last row has a cursor when the file ends at its bound and older ones match. */
async function* csvTexts({ before, readPage, cursorAfter }: CsvSource): AsyncGenerator<string, void> {
  // The header goes with the first page, so that a failing database is noticed before anything is sent.
  let header = CSV_HEADER;
  let start = before;
  for (let count = CSV_PAGE_LENGTH; ; count += CSV_PAGE_LENGTH) {
    const { transactionsJson, next } = await readPage(start);
    const transactions = historyTransactions.parse(JSON.parse(transactionsJson));
    const isLastPage = next === null || count >= MAXIMUM_CSV_TRANSACTIONS;
    const cursor = isLastPage && next !== null ? cursorAfter(next) : null;
    const last = transactions.at(-1);
    const rows = transactions.map((transaction) => csvRowsOf(transaction, transaction === last ? cursor : null));
    yield header + rows.join("");
    if (isLastPage) return;
    header = "";
    start = next;
  }
}

/** @throws BadRequest unless the cursor goes with the scope */
function startOf(scope: CursorScope, cursor: string | undefined): Position {
  const start = cursor === undefined ? NEWEST : decodeCursor(scope, cursor);
  if (start !== null) return start;
  throw new BadRequest("cursor: accepts nextCursor of the page before, with the same network and filters");
}

function scopeOf(network: string, filters: HistoryFilters): CursorScope {
  const { wallet, outcome, activity, entrypoint, transactionHash } = filters;
  return Object.entries({ network, wallet, outcome, activity, entrypoint, transactionHash }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
}
