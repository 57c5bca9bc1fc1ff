import type { RouteHandler } from "@hono/zod-openapi";
import type { ApiDependencies } from "../dependencies.ts";
import { formatTime, resolveRange } from "../formats/time.ts";
import { answer } from "../http/conditional.ts";
import { apiNameOf, requireNetwork } from "../networks.ts";
import { coverageOf } from "../queries/state.ts";
import { readVolume, readVolumeState } from "../queries/volume.ts";
import { valueVolume } from "../volume.ts";
import type { volumeRoute } from "./volume.route.ts";
import type { VolumeAnswer } from "./volume.schema.ts";

export function volumeHandler({ database, networks, prices, now }: ApiDependencies): RouteHandler<typeof volumeRoute> {
  return async (c) => {
    const query = c.req.valid("query");
    const network = requireNetwork(networks, query.network);
    const range = resolveRange(query, now());
    const bounds = { from: formatTime(range.from), to: formatTime(range.to) };

    return answer<VolumeAnswer>(c, {
      key: ["/v1/volume", query.network, bounds, query.lpAddress],
      readState: async () => {
        const { state, priceVersion } = await readVolumeState(database, network, prices);
        return [state, priceVersion];
      },
      read: async () => {
        const reading = await readVolume(database, network, prices, range, query.lpAddress);
        const { total, lpVolumes, usedPrices } = valueVolume(reading.series, reading.prices);
        return {
          state: [reading.state, reading.priceVersion],
          body: {
            network: apiNameOf(network),
            chainId: network.chainId,
            ...bounds,
            ...total,
            lpVolumes: [...lpVolumes],
            usedPrices: usedPrices.map((price) => ({
              ...price,
              priceUsdWad: price.priceUsdWad.toString(),
              fetchedAt: formatTime(price.fetchedAt),
            })),
            coverage: coverageOf(network, reading.state),
          },
        };
      },
    });
  };
}
