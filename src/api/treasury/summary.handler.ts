import { readSolvencyInputsAt } from "@coreswap/sdk";
import type { RouteHandler } from "@hono/zod-openapi";
import { treasuryDelegateAbi } from "../../../abis/index.ts";
import { questionOf } from "../http/answer.ts";
import { type BlockReading, blockFieldsOf, IndexDisagreement, readAtIndexedBlock } from "../http/indexedBlock.ts";
import { perNetwork } from "../http/perNetwork.ts";
import type { NodeOptions } from "../http/route.ts";
import { type ApiNetwork, apiNameOf } from "../shared/networks.ts";
import { coverageOf, stateReader } from "../shared/state.ts";
import { type SummaryReading, summaryReader } from "./summary.query.ts";
import type { treasurySummaryRoute } from "./summary.route.ts";
import type { TreasurySummaryAnswer } from "./summary.schema.ts";
import { summaryOf } from "./summary.ts";

/**
 * Answers `/v1/treasury/summary` from the index and the contracts, both as of the newest indexed block. A node that
 * fails, replaces the block or contradicts the index leads to a 503 that says which of these happened.
 */
export function summaryHandler({
  database,
  networks,
  answer,
  nodeOf,
  logError,
}: NodeOptions): RouteHandler<typeof treasurySummaryRoute> {
  const summaryFor = perNetwork(networks, (network) => ({
    network,
    readState: stateReader(database, network),
    readIndex: summaryReader(database, network),
  }));
  return async (c) => {
    const query = c.req.valid("query");
    const { network, readState, readIndex } = summaryFor(query.network);
    return answer<TreasurySummaryAnswer>(c, {
      text: questionOf("/v1/treasury/summary", query),
      network,
      readsNode: true,
      readState,
      read: async () => {
        const index = await readIndex();
        const { state } = index;
        const reading = await readAtIndexedBlock(
          { nodeOf, network, state, what: "the treasury", logError },
          async (reading) => ({ block: reading.block, delegates: await readDelegates(reading, network, index) }),
        );
        return {
          state,
          body: {
            network: apiNameOf(network),
            chainId: network.chainId,
            block: blockFieldsOf(reading.block),
            delegates: reading.delegates.map(({ indexed, read }) => summaryOf(indexed, read)),
            coverage: coverageOf(network, state),
          },
        };
      },
    });
  };
}

async function readDelegates({ client, block, at }: BlockReading, network: ApiNetwork, index: SummaryReading) {
  return Promise.all(
    index.delegates.map(async (indexed) => {
      const { delegateAddress } = indexed;
      const lastPostedDay = await client.readContract({
        address: delegateAddress,
        abi: treasuryDelegateAbi,
        functionName: "lastRatePostingDay",
        ...at,
      });
      const lastIndexedDay = indexed.rates.at(-1)?.dayNumber ?? 0n;
      if (lastPostedDay !== lastIndexedDay) {
        throw new IndexDisagreement(
          `the contract's newest posted day is ${lastPostedDay}, the index has ${lastIndexedDay}`,
        );
      }
      const inputs = await readSolvencyInputsAt({
        client,
        at,
        coreSwap: network.coreSwap,
        delegateAddress,
        assets: index.assets,
        otherDelegates: index.allDelegates.filter((delegate) => delegate !== delegateAddress),
        accounts: indexed.accounts,
      });
      return { indexed, read: { block, ...inputs } };
    }),
  );
}
