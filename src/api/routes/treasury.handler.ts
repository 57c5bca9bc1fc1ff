import type { RouteHandler } from "@hono/zod-openapi";
import type { ApiDependencies } from "../dependencies.ts";
import { formatTime, resolveRange } from "../formats/time.ts";
import { answer } from "../http/conditional.ts";
import { Unavailable } from "../http/errors.ts";
import { type ApiNetwork, apiNameOf, requireNetwork } from "../networks.ts";
import { coverageOf, type NetworkState, readStates } from "../queries/state.ts";
import { readTreasuryRates } from "../queries/treasuryRates.ts";
import { readYieldDelegates } from "../queries/yieldDelegates.ts";
import { cachedAccountReader } from "../treasury/accounts.ts";
import { withGrowth } from "../treasury/rates.ts";
import type { treasuryAccountsRoute, treasuryRatesRoute } from "./treasury.route.ts";
import type { TreasuryAccountsAnswer, TreasuryRatesAnswer } from "./treasury.schema.ts";

/** Answers `/v1/treasury/rates`: the days of a range with their rate, its corrections and the growth. */
export function treasuryRatesHandler({
  database,
  networks,
  now,
}: ApiDependencies): RouteHandler<typeof treasuryRatesRoute> {
  return async (c) => {
    const query = c.req.valid("query");
    const network = requireNetwork(networks, query.network);
    const range = resolveRange(query, now());
    const bounds = { from: formatTime(range.from), to: formatTime(range.to) };

    return answer<TreasuryRatesAnswer>(c, {
      key: ["/v1/treasury/rates", query.network, bounds, query.delegate],
      readState: () => readStates(database, [network]),
      read: async () => {
        const { state, delegates } = await readTreasuryRates(database, network, range, query.delegate);
        return {
          state: [state],
          body: {
            network: apiNameOf(network),
            chainId: network.chainId,
            ...bounds,
            delegates: delegates.map(withGrowth),
            coverage: coverageOf(network, state),
          },
        };
      },
    });
  };
}

/**
 * Answers `/v1/treasury/accounts/{wallet}`: the wallet's accounts, read from the node at the newest indexed block. A
 * node that fails is a 503.
 */
export function treasuryAccountsHandler({
  database,
  networks,
  nodeOf,
  logError,
}: ApiDependencies): RouteHandler<typeof treasuryAccountsRoute> {
  const readAccounts = cachedAccountReader();
  return async (c) => {
    const { wallet } = c.req.valid("param");
    const network = requireNetwork(networks, c.req.valid("query").network);
    const name = apiNameOf(network);

    return answer<TreasuryAccountsAnswer>(c, {
      key: ["/v1/treasury/accounts", name, wallet],
      readState: async () => (await readYieldDelegates(database, network)).state,
      read: async () => {
        const { state, delegates } = await readYieldDelegates(database, network);
        const blockNumber = newestIndexedBlock(network, state);
        const client = nodeOf(network);
        const request = { client, chainId: network.chainId, delegates, wallet, blockNumber, state };
        const reading = await readAccounts(request).catch((error: unknown) => {
          logError(`accounts of ${name} could not be read at block ${blockNumber}`, error);
          throw new Unavailable(`the node of ${name} does not answer, try again later`);
        });
        return { state, body: { network: name, chainId: network.chainId, wallet, ...reading } };
      },
    });
  };
}

/**
 * The newest block that the index vouches for: that of its newest event, or the last one that is final.
 * @throws Unavailable while nothing is indexed
 */
function newestIndexedBlock(network: ApiNetwork, state: NetworkState): bigint {
  const { indexedThroughBlock } = coverageOf(network, state).historicalBackfill;
  const blocks = [state.newest?.blockNumber, indexedThroughBlock].flatMap((block) => (block ? [BigInt(block)] : []));
  const newest = blocks.sort((a, b) => (a < b ? 1 : -1)).at(0);
  if (newest === undefined) throw new Unavailable(`nothing of ${apiNameOf(network)} is indexed yet`);
  return newest;
}
