import type { OpenAPIHono } from "@hono/zod-openapi";
import { questionOf } from "../http/answer.ts";
import { readAtIndexedBlock } from "../http/indexedBlock.ts";
import { perNetwork } from "../http/perNetwork.ts";
import { featureApp, type NodeOptions } from "../http/route.ts";
import { pricedStateReader, shownPrice } from "../shared/cachedPrices.ts";
import { coverageOf } from "../shared/state.ts";
import { pricesUsedBy, valueVolume } from "../shared/volume/valuation.ts";
import { readLiquidity } from "./liquidity.ts";
import { lpReader } from "./query.ts";
import { lpRoute } from "./route.ts";
import type { LpAnswer } from "./schema.ts";

/**
 * Serves `/v1/lps/{address}`: an LP according to the index and to its contracts, both as of the newest indexed block.
 */
export function lps({ database, networks, answer, nodeOf, logError }: NodeOptions): OpenAPIHono {
  const lpOf = perNetwork(networks, (network) => ({
    network,
    readState: pricedStateReader(database, network),
    readLp: lpReader(database, network),
  }));
  return featureApp().openapi(lpRoute, async (c) => {
    const { address: lpAddress } = c.req.valid("param");
    const query = c.req.valid("query");
    const { network, readState, readLp } = lpOf(query.network);
    return answer<LpAnswer>(c, {
      text: questionOf(`/v1/lps/${lpAddress}`, query),
      network,
      readsNode: true,
      readState,
      read: async () => {
        const { series, prices, lp, assets, ...state } = await readLp(lpAddress);
        const { lpVolumes: _, ...volume } = valueVolume(series, prices);
        const liquidity =
          lp &&
          (await readAtIndexedBlock(
            { nodeOf, network, state: state.state, what: "the liquidity of an LP", logError },
            (reading) => readLiquidity({ ...reading, coreSwap: network.coreSwap, lpAddress, lp, assets }),
          ));
        return {
          state,
          body: {
            network: query.network,
            chainId: network.chainId,
            lpAddress,
            volume,
            usedPrices: pricesUsedBy(series, prices).map(shownPrice),
            liquidity,
            coverage: coverageOf(network, state.state),
          },
        };
      },
    });
  });
}
