import type { RouteHandler } from "@hono/zod-openapi";
import type { ApiDependencies } from "../dependencies.ts";
import { type CursorScope, decodeCursor, encodeCursor, isBefore, NEWEST, type Position } from "../formats/cursor.ts";
import { answer, conditional } from "../http/conditional.ts";
import { BadRequest } from "../http/errors.ts";
import { type JsonOf, JsonText } from "../http/json.ts";
import { recentByNetwork } from "../http/recent.ts";
import { apiNameOf, requireNetwork } from "../networks.ts";
import { coverageOf, readState, readStates } from "../queries/state.ts";
import { type HistoryFilters, MAXIMUM_LIMIT, readHistoryPage } from "../queries/transactions.ts";
import { CSV_HEADER, csvRowsOf } from "./transactions.csv.ts";
import {
  DEFAULT_LIMIT,
  MAXIMUM_CSV_TRANSACTIONS,
  type transactionsCsvRoute,
  type transactionsRoute,
} from "./transactions.route.ts";
import type { HistoryAnswer, HistoryTransaction } from "./transactions.schema.ts";

/** Transactions a statement of a CSV file. */
const CSV_PAGE_LENGTH = 1_000;

export function transactionsHandler({ database, networks }: ApiDependencies): RouteHandler<typeof transactionsRoute> {
  const readRecentState = recentByNetwork(networks, (network) => readStates(database, [network]));
  return async (c) => {
    const { network: networkName, limit = DEFAULT_LIMIT, cursor, ...filters } = c.req.valid("query");
    const network = requireNetwork(networks, networkName);
    const scope = scopeOf(networkName, filters);
    const before = startOf(scope, cursor);

    return answer<JsonOf<HistoryAnswer, "transactions">>(c, {
      key: ["/v1/transactions", scope, limit, cursor],
      readState: () => readRecentState(network),
      read: async () => {
        const page = await readHistoryPage(database, network, filters, { before, limit, plannedLimit: MAXIMUM_LIMIT });
        const { state, transactionsJson, next } = page;
        return {
          state: [state],
          body: {
            network: apiNameOf(network),
            chainId: network.chainId,
            transactions: new JsonText(transactionsJson),
            nextCursor: next === null ? null : encodeCursor(scope, next),
            coverage: coverageOf(network, state),
          },
        };
      },
    });
  };
}

export function transactionsCsvHandler({
  database,
  networks,
  logError,
}: ApiDependencies): RouteHandler<typeof transactionsCsvRoute> {
  return async (c) => {
    const { network: networkName, cursor, ...filters } = c.req.valid("query");
    const network = requireNetwork(networks, networkName);
    const scope = scopeOf(networkName, filters);
    const start = startOf(scope, cursor);
    const { indexedThroughBlock } = coverageOf(network, await readState(database, network)).historicalBackfill;

    // What is final stays: the file needs no more of the state than how far that goes.
    const { isCurrent, headers } = conditional(c, ["/v1/transactions.csv", scope, cursor], indexedThroughBlock);
    if (isCurrent) return c.body(null, 304, headers);
    const fileHeaders = {
      ...headers,
      "Content-Type": "text/csv; charset=utf-8; header=present",
      "Content-Disposition": `attachment; filename="transactions-${networkName}.csv"`,
      ...(indexedThroughBlock === null ? {} : { "Indexed-Through-Block": indexedThroughBlock }),
    };
    if (indexedThroughBlock === null) return c.body(CSV_HEADER, 200, fileHeaders);

    const firstUnfinal: Position = { blockNumber: BigInt(indexedThroughBlock) + 1n, transactionIndex: 0 };
    const chunks = csvChunks(isBefore(start, firstUnfinal) ? start : firstUnfinal);
    // Before the status is sent, so that a failing database is a 500.
    const first = await chunks.next();
    return c.body(streamOf(first, chunks), 200, fileHeaders);

    async function* csvChunks(before: Position): AsyncGenerator<string, void> {
      let text = CSV_HEADER;
      for (let length = 0; ; length += CSV_PAGE_LENGTH) {
        const limits = { before, limit: CSV_PAGE_LENGTH, plannedLimit: CSV_PAGE_LENGTH };
        const { transactionsJson, next } = await readHistoryPage(database, network, filters, limits);
        const transactions: readonly HistoryTransaction[] = JSON.parse(transactionsJson);
        const isBound = length + CSV_PAGE_LENGTH >= MAXIMUM_CSV_TRANSACTIONS;
        const last = transactions.at(-1);
        for (const transaction of transactions) {
          const continues = next !== null && isBound && transaction === last;
          text += csvRowsOf(transaction, continues ? encodeCursor(scope, next) : null);
        }
        yield text;
        if (next === null || isBound) return;
        text = "";
        before = next;
      }
    }

    /** Reads on only as the client takes what was read; ends in an error, which breaks the transfer off, when reading fails. */
    function streamOf(first: IteratorResult<string, void>, rest: AsyncGenerator<string, void>): ReadableStream {
      let next: IteratorResult<string, void> | undefined = first;
      const encoder = new TextEncoder();
      return new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            try {
              const chunk = next ?? (await rest.next());
              next = undefined;
              if (chunk.done) controller.close();
              else controller.enqueue(encoder.encode(chunk.value));
            } catch (error) {
              logError("/v1/transactions.csv broke off", error);
              controller.error(error);
            }
          },
          async cancel() {
            await rest.return();
          },
        },
        // Nothing is read ahead of the client.
        { highWaterMark: 0 },
      );
    }
  };
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
