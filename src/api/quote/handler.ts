import type { OpenAPIHono } from "@hono/zod-openapi";
import { questionOf } from "../http/answer.ts";
import { BadRequest } from "../http/errors.ts";
import { blockFieldsOf, readAtIndexedBlock } from "../http/indexedBlock.ts";
import { perNetwork } from "../http/perNetwork.ts";
import { featureApp, type NodeOptions } from "../http/route.ts";
import { stateReader } from "../shared/state.ts";
import { readQuote } from "./read.ts";
import { type QuoteQuery, quoteRoute } from "./route.ts";
import type { QuoteAnswer } from "./schema.ts";

/** Serves `/v1/quote`: what the swap contract would settle, read from the node at the newest indexed block. */
export function quote({ database, networks, answer, nodeOf, logError }: NodeOptions): OpenAPIHono {
  const quoteOf = perNetwork(networks, (network) => ({ network, readState: stateReader(database, network) }));
  return featureApp().openapi(quoteRoute, async (c) => {
    const query = c.req.valid("query");
    const { network, readState } = quoteOf(query.network);
    const { user, routeId, assetInId, assetOutId, stablecoinDelegateId } = query;
    const amounts = exactAmountOf(query);
    const leg = {
      routeId: BigInt(routeId),
      assetInID: assetInId,
      assetOutID: assetOutId,
      stablecoinDelegateID: stablecoinDelegateId,
      ...amounts,
    };
    return answer<QuoteAnswer>(c, {
      text: questionOf("/v1/quote", query),
      network,
      readsNode: true,
      readState,
      read: async () => {
        const state = await readState();
        const reading = await readAtIndexedBlock(
          { nodeOf, network, state, what: "the quote", logError },
          async ({ client, block, at }) => ({
            block: blockFieldsOf(block),
            ...(await readQuote({ client, coreSwap: network.coreSwap, user, leg, at })),
          }),
        );
        const { network: name } = query;
        return {
          state,
          body: {
            network: name,
            chainId: network.chainId,
            user,
            routeId,
            assetInId,
            assetOutId,
            stablecoinDelegateId,
            ...reading,
          },
        };
      },
    });
  });
}

/** Returns the amount that the route takes as exact. The other one is 0, because quotes ignore the bound. */
function exactAmountOf({ routeId, amountIn, amountOut }: QuoteQuery) {
  const isExactIn = Number(routeId) % 2 === 1;
  const [exact, other] = isExactIn ? ["amountIn", "amountOut"] : ["amountOut", "amountIn"];
  const [given, superfluous] = isExactIn ? [amountIn, amountOut] : [amountOut, amountIn];
  if (given === undefined) throw new BadRequest(`${exact}: required by route ${routeId}`);
  if (superfluous !== undefined) throw new BadRequest(`${other}: route ${routeId} takes ${exact} alone`);
  return { assetInAmt: isExactIn ? given : 0n, assetOutAmt: isExactIn ? 0n : given };
}
