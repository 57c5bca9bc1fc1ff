import type { RouteHandler } from "@hono/zod-openapi";
import { questionOf } from "../http/answer.ts";
import { requestedBounds } from "../http/interval.ts";
import { perNetwork } from "../http/perNetwork.ts";
import { resolveRange } from "../http/range.ts";
import type { FeatureOptions } from "../http/route.ts";
import { coverageOf, stateReader } from "../shared/state.ts";
import { positionsReader } from "./position.query.ts";
import type { treasuryHistoryRoute } from "./position.route.ts";
import type { TreasuryHistoryAnswer } from "./position.schema.ts";
import { bucketsOf, positionOf } from "./position.ts";

/** Answers `/v1/treasury/accounts/{wallet}/history` from the index. Too many buckets are a 400. */
export function positionHandler({
  database,
  networks,
  answer,
  now,
}: FeatureOptions): RouteHandler<typeof treasuryHistoryRoute> {
  const historyOf = perNetwork(networks, (network) => ({
    network,
    readState: stateReader(database, network),
    readPositions: positionsReader(database, network),
  }));
  return async (c) => {
    const { wallet } = c.req.valid("param");
    const query = c.req.valid("query");
    const { network, readState, readPositions } = historyOf(query.network);
    const { range, bounds } = resolveRange(query, now());
    const { interval } = query;
    const seconds = requestedBounds(range, interval);

    return answer<TreasuryHistoryAnswer>(c, {
      text: questionOf(`/v1/treasury/accounts/${wallet}/history`, { ...query, ...bounds }),
      network,
      readsNode: false,
      readState,
      read: async () => {
        const { state, accounts } = await readPositions(wallet, seconds);
        return {
          state,
          body: {
            network: query.network,
            chainId: network.chainId,
            wallet,
            ...bounds,
            interval,
            accounts: accounts.map(({ totals, ...delegate }) => ({
              ...delegate,
              atStart: positionOf(totals[0] ?? null),
              buckets: bucketsOf(seconds, totals),
            })),
            coverage: coverageOf(network, state),
          },
        };
      },
    });
  };
}
