import type { OpenAPIHono, RouteHandler } from "@hono/zod-openapi";
import { questionOf } from "../http/answer.ts";
import { blockFieldsOf, readAtIndexedBlock } from "../http/indexedBlock.ts";
import { perNetwork } from "../http/perNetwork.ts";
import { resolveRange } from "../http/range.ts";
import { type FeatureOptions, featureApp, type NodeOptions } from "../http/route.ts";
import { apiNameOf } from "../shared/networks.ts";
import { coverageOf, stateReader } from "../shared/state.ts";
import { readAccounts } from "./accounts.ts";
import { positionHandler } from "./position.handler.ts";
import { accountsReader } from "./position.query.ts";
import { treasuryHistoryRoute } from "./position.route.ts";
import { ratesReader } from "./rates.query.ts";
import { withGrowth } from "./rates.ts";
import { treasuryAccountsRoute, treasuryRatesRoute } from "./route.ts";
import type { TreasuryAccountsAnswer, TreasuryRatesAnswer } from "./schema.ts";
import { summaryHandler } from "./summary.handler.ts";
import { treasurySummaryRoute } from "./summary.route.ts";

/**
 * Serves the treasury token: `/v1/treasury/summary`, `/v1/treasury/rates`, `/v1/treasury/accounts/{wallet}` and its
 * history.
 */
export function treasury(options: NodeOptions): OpenAPIHono {
  return featureApp()
    .openapi(treasurySummaryRoute, summaryHandler(options))
    .openapi(treasuryRatesRoute, ratesHandler(options))
    .openapi(treasuryAccountsRoute, accountsHandler(options))
    .openapi(treasuryHistoryRoute, positionHandler(options));
}

/** Answers `/v1/treasury/rates`: the days of a range with their rate, its corrections and the growth. */
function ratesHandler({ database, networks, answer, now }: FeatureOptions): RouteHandler<typeof treasuryRatesRoute> {
  const ratesOf = perNetwork(networks, (network) => ({
    network,
    readState: stateReader(database, network),
    readRates: ratesReader(database, network),
  }));
  return async (c) => {
    const query = c.req.valid("query");
    const { network, readState, readRates } = ratesOf(query.network);
    const { range, bounds } = resolveRange(query, now());

    return answer<TreasuryRatesAnswer>(c, {
      text: questionOf("/v1/treasury/rates", { ...query, ...bounds }),
      network,
      readsNode: false,
      readState,
      read: async () => {
        const { state, delegates } = await readRates(range, query.delegate);
        return {
          state,
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
 * node that fails, replaces the block or contradicts the index leads to a 503 that says which of these happened.
 */
function accountsHandler({
  database,
  networks,
  answer,
  nodeOf,
  logError,
}: NodeOptions): RouteHandler<typeof treasuryAccountsRoute> {
  const accountsOf = perNetwork(networks, (network) => ({
    network,
    readState: stateReader(database, network),
    readIndex: accountsReader(database, network),
  }));
  return async (c) => {
    const { wallet } = c.req.valid("param");
    const { network: name } = c.req.valid("query");
    const { network, readState, readIndex } = accountsOf(name);

    return answer<TreasuryAccountsAnswer>(c, {
      text: questionOf(`/v1/treasury/accounts/${wallet}`, { network: name }),
      network,
      readsNode: true,
      readState,
      read: async () => {
        const { state, accounts: indexed } = await readIndex(wallet);
        const reading = await readAtIndexedBlock(
          { nodeOf, network, state, what: "the accounts", logError },
          async (reading) => ({
            block: blockFieldsOf(reading.block),
            accounts: await readAccounts({ ...reading, indexed, wallet }),
          }),
        );
        return { state, body: { network: name, chainId: network.chainId, wallet, ...reading } };
      },
    });
  };
}
