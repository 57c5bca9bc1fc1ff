import type { RouteHandler } from "@hono/zod-openapi";
import type { ApiDependencies } from "../dependencies.ts";
import { type CursorScope, decodeCursor, encodeCursor, NEWEST, type Position } from "../formats/cursor.ts";
import { answer } from "../http/conditional.ts";
import { BadRequest } from "../http/errors.ts";
import { apiNameOf, requireNetwork } from "../networks.ts";
import { coverageOf, readStates } from "../queries/state.ts";
import { type HistoryFilters, readHistoryPage } from "../queries/transactions.ts";
import { DEFAULT_LIMIT, type transactionsRoute } from "./transactions.route.ts";
import type { HistoryAnswer, HistoryTransaction } from "./transactions.schema.ts";

export function transactionsHandler({ database, networks }: ApiDependencies): RouteHandler<typeof transactionsRoute> {
  return async (c) => {
    const { network: networkName, limit = DEFAULT_LIMIT, cursor, ...filters } = c.req.valid("query");
    const network = requireNetwork(networks, networkName);
    const scope = scopeOf(networkName, filters);
    const before = cursor === undefined ? NEWEST : decodeCursor(scope, cursor);
    if (before === null) {
      throw new BadRequest("cursor: accepts nextCursor of the page before, with the same network and filters");
    }

    return answer<HistoryAnswer>(c, {
      key: ["/v1/transactions", scope, limit, cursor],
      readState: () => readStates(database, [network]),
      read: async () => {
        const { state, transactions, hasMore } = await readHistoryPage(database, network, filters, before, limit);
        const last = transactions.at(-1);
        return {
          state: [state],
          body: {
            network: apiNameOf(network),
            chainId: network.chainId,
            transactions: [...transactions],
            nextCursor: hasMore && last !== undefined ? encodeCursor(scope, positionOf(last)) : null,
            coverage: coverageOf(network, state),
          },
        };
      },
    });
  };
}

function scopeOf(network: string, filters: HistoryFilters): CursorScope {
  const { wallet, outcome, activity, entrypoint, transactionHash } = filters;
  return Object.entries({ network, wallet, outcome, activity, entrypoint, transactionHash }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
}

function positionOf({ inclusion }: HistoryTransaction): Position {
  return { blockNumber: BigInt(inclusion.blockNumber), transactionIndex: Number(inclusion.transactionIndex) };
}
