import type { OpenAPIHono, RouteHandler } from "@hono/zod-openapi";
import { questionOf } from "../http/answer.ts";
import { requestedBounds } from "../http/interval.ts";
import { perNetwork } from "../http/networks.ts";
import { resolveRange } from "../http/range.ts";
import { type FeatureOptions, featureApp } from "../http/route.ts";
import { pricedStateReader, shownPrice } from "../shared/cachedPrices.ts";
import { apiNameOf } from "../shared/networks.ts";
import { coverageOf } from "../shared/state.ts";
import { formatTime } from "../shared/time.ts";
import { volumeReader } from "../shared/volume/query.ts";
import { pricesUsedBy, valueVolume } from "../shared/volume/valuation.ts";
import { volumeRoute, volumeSeriesRoute } from "./route.ts";
import type { VolumeAnswer, VolumeSeriesAnswer } from "./schema.ts";
import { volumeSeriesReader } from "./seriesQuery.ts";

/** Serves swap volume: `/v1/volume` and `/v1/volume/series`. */
export function volume(options: FeatureOptions): OpenAPIHono {
  return featureApp()
    .openapi(volumeRoute, volumeHandler(options))
    .openapi(volumeSeriesRoute, volumeSeriesHandler(options));
}

/** Answers `/v1/volume`: the volume of a range, in total and per LP. */
function volumeHandler({ database, networks, answer, now }: FeatureOptions): RouteHandler<typeof volumeRoute> {
  const volumeOf = perNetwork(networks, (network) => ({
    network,
    readState: pricedStateReader(database, network),
    readVolume: volumeReader(database, network),
  }));
  return async (c) => {
    const query = c.req.valid("query");
    const { network, readState, readVolume } = volumeOf(query.network);
    const { range, bounds } = resolveRange(query, now());

    return answer<VolumeAnswer>(c, {
      text: questionOf("/v1/volume", { ...query, ...bounds }),
      network,
      readsNode: false,
      readState,
      read: async () => {
        const { series, prices, ...state } = await readVolume(range, query.lpAddress);
        return {
          state,
          body: {
            network: apiNameOf(network),
            chainId: network.chainId,
            ...bounds,
            ...valueVolume(series, prices),
            usedPrices: pricesUsedBy(series, prices).map(shownPrice),
            coverage: coverageOf(network, state.state),
          },
        };
      },
    });
  };
}

/** Answers `/v1/volume/series`: the figures of `/v1/volume` for each bucket of a range. Too many buckets are a 400. */
function volumeSeriesHandler({
  database,
  networks,
  answer,
  now,
}: FeatureOptions): RouteHandler<typeof volumeSeriesRoute> {
  const volumeOf = perNetwork(networks, (network) => ({
    network,
    readState: pricedStateReader(database, network),
    readSeries: volumeSeriesReader(database, network),
  }));
  return async (c) => {
    const query = c.req.valid("query");
    const { network, readState, readSeries } = volumeOf(query.network);
    const { range, bounds } = resolveRange(query, now());
    const { interval } = query;
    const seconds = requestedBounds(range, interval);

    return answer<VolumeSeriesAnswer>(c, {
      text: questionOf("/v1/volume/series", { ...query, ...bounds }),
      network,
      readsNode: false,
      readState,
      read: async () => {
        const { buckets, prices, ...state } = await readSeries(seconds, query.lpAddress);
        const seriesOf = new Map(buckets.map(({ bucket, series }) => [bucket, series]));
        const times = seconds.map(formatTime);
        const allSeries = buckets.flatMap(({ series }) => series);
        return {
          state,
          body: {
            network: apiNameOf(network),
            chainId: network.chainId,
            ...bounds,
            interval,
            buckets: times.slice(0, -1).map((from, index) => ({
              from,
              to: times[index + 1] ?? bounds.to,
              ...valueVolume(seriesOf.get(index) ?? [], prices),
            })),
            usedPrices: pricesUsedBy(allSeries, prices).map(shownPrice),
            coverage: coverageOf(network, state.state),
          },
        };
      },
    });
  };
}
