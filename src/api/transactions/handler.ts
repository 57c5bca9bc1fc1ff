import type { OpenAPIHono, RouteHandler } from "@hono/zod-openapi";
import { questionOf } from "../http/answer.ts";
import { perNetwork } from "../http/perNetwork.ts";
import { type FeatureOptions, featureApp, type NodeOptions } from "../http/route.ts";
import { apiNameOf } from "../shared/networks.ts";
import { coverageOf, stateReader } from "../shared/state.ts";
import { type CsvOptions, csvHandler } from "./csv.handler.ts";
import { encodeCursor } from "./cursor.ts";
import { type EventsOptions, eventsHandler } from "./events.handler.ts";
import { eventsRoute } from "./events.route.ts";
import { historyReader } from "./query.ts";
import { revertHandler } from "./revert.handler.ts";
import { revertRoute } from "./revert.route.ts";
import { DEFAULT_LIMIT, transactionsCsvRoute, transactionsRoute } from "./route.ts";
import type { HistoryAnswer } from "./schema.ts";
import { scopeOf, startOf } from "./scope.ts";

/** Serves the transaction history: `/v1/transactions`, its CSV file, the reasons of failures, and `/v1/events`. */
export function transactions(options: NodeOptions & CsvOptions & EventsOptions): OpenAPIHono {
  return featureApp()
    .openapi(transactionsRoute, transactionsHandler(options))
    .openapi(transactionsCsvRoute, csvHandler(options))
    .openapi(revertRoute, revertHandler(options))
    .openapi(eventsRoute, eventsHandler(options));
}

/**
 * Answers `/v1/transactions`: a page of the transactions that satisfy all filters. A cursor that does not belong to the
 * network and filters is a 400.
 */
function transactionsHandler({ database, networks, answer }: FeatureOptions): RouteHandler<typeof transactionsRoute> {
  const historyOf = perNetwork(networks, (network) => ({
    network,
    readState: stateReader(database, network),
    readPage: historyReader(database, network),
  }));
  return async (c) => {
    const { network: networkName, limit = DEFAULT_LIMIT, cursor, ...filters } = c.req.valid("query");
    const { network, readState, readPage } = historyOf(networkName);
    const scope = scopeOf(networkName, filters);
    const before = startOf(scope, cursor);

    return answer<HistoryAnswer>(c, {
      text: questionOf("/v1/transactions", { ...Object.fromEntries(scope), limit, cursor }),
      network,
      readsNode: false,
      readState,
      read: async () => {
        const { state, transactions, next } = await readPage(filters, { before, limit });
        return {
          state,
          body: {
            network: apiNameOf(network),
            chainId: network.chainId,
            transactions,
            nextCursor: next === null ? null : encodeCursor(scope, next),
            coverage: coverageOf(network, state),
          },
        };
      },
    });
  };
}
