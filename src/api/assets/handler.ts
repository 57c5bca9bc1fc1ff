import type { OpenAPIHono, RouteHandler } from "@hono/zod-openapi";
import { questionOf } from "../http/answer.ts";
import { perNetwork } from "../http/perNetwork.ts";
import { type FeatureOptions, featureApp } from "../http/route.ts";
import { pricedStateReader, shownPrice } from "../shared/cachedPrices.ts";
import { apiNameOf } from "../shared/networks.ts";
import { coverageOf } from "../shared/state.ts";
import { formatTime } from "../shared/time.ts";
import { navsHandler } from "./navs.handler.ts";
import { navsRoute } from "./navs.route.ts";
import { assetsReader } from "./query.ts";
import { assetsRoute } from "./route.ts";
import type { AssetsAnswer } from "./schema.ts";

/** Assets with prices and rates: `/v1/assets`, and the NAVs of an RWA: `/v1/assets/{rwaId}/navs`. */
export function assets(options: FeatureOptions): OpenAPIHono {
  return featureApp().openapi(assetsRoute, assetsHandler(options)).openapi(navsRoute, navsHandler(options));
}

function assetsHandler({ database, networks, answer }: FeatureOptions): RouteHandler<typeof assetsRoute> {
  const assetsOf = perNetwork(networks, (network) => ({
    network,
    readState: pricedStateReader(database, network),
    readAssets: assetsReader(database, network),
  }));
  return async (c) => {
    const query = c.req.valid("query");
    const { network, readState, readAssets } = assetsOf(query.network);
    return answer<AssetsAnswer>(c, {
      text: questionOf("/v1/assets", query),
      network,
      readsNode: false,
      readState,
      read: async () => {
        const { settings, stablecoins, rwas, prices, ...state } = await readAssets();
        const priceOf = new Map(prices.map((price) => [price.assetId, shownPrice(price)]));
        return {
          state,
          body: {
            network: apiNameOf(network),
            chainId: network.chainId,
            ...settings,
            stablecoins: stablecoins.map(({ usdValueSetAt, ...stablecoin }) => ({
              ...stablecoin,
              usdValueSetAt: usdValueSetAt === null ? null : formatTime(usdValueSetAt),
            })),
            rwas: rwas.map(({ nav, ...rwa }) => ({
              ...rwa,
              price: priceOf.get(rwa.rwaId) ?? null,
              nav: nav && { ...nav, postedAt: formatTime(nav.postedAt) },
            })),
            coverage: coverageOf(network, state.state),
          },
        };
      },
    });
  };
}
