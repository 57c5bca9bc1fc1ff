import type { RouteHandler } from "@hono/zod-openapi";
import type { ApiDependencies } from "../dependencies.ts";
import { bucketBounds } from "../formats/interval.ts";
import { formatTime, resolveRange } from "../formats/time.ts";
import { answer, answerRendered, render } from "../http/conditional.ts";
import { BadRequest } from "../http/errors.ts";
import { recentByNetwork } from "../http/recent.ts";
import { remembered } from "../http/remembered.ts";
import { apiNameOf, requireNetwork } from "../networks.ts";
import { coverageOf } from "../queries/state.ts";
import { type CachedPrice, parseVolume, readVolumeState, readVolumeText } from "../queries/volume.ts";
import { readVolumeSeries } from "../queries/volumeSeries.ts";
import { pricesUsedBy, valueVolume } from "../valuation.ts";
import { MAXIMUM_BUCKETS, type volumeRoute, type volumeSeriesRoute } from "./volume.route.ts";
import type { VolumeAnswer, VolumeSeriesAnswer } from "./volume.schema.ts";

/** Some thousand answers of a few kilobytes each. */
const REMEMBERED_BYTES = 8 * 1024 * 1024;

/**
 * Answers `/v1/volume`: the volume of a range, in total and per LP. What was made of an unchanged reading is sent
 * again.
 */
export function volumeHandler({ database, networks, prices, now }: ApiDependencies): RouteHandler<typeof volumeRoute> {
  const readRecentState = recentStates({ database, networks, prices });
  const renderingOf = remembered(REMEMBERED_BYTES);
  return async (c) => {
    const query = c.req.valid("query");
    const network = requireNetwork(networks, query.network);
    const { range, bounds } = rangeOf(query, now());
    const key = ["/v1/volume", query.network, bounds, query.lpAddress];

    return answerRendered(c, {
      key,
      readState: () => readRecentState(network),
      read: async () => {
        const text = await readVolumeText(database, network, prices, range, query.lpAddress);
        return renderingOf(JSON.stringify(key), [text], () => {
          const reading = parseVolume(text);
          return render<VolumeAnswer>(key, {
            state: stateOf(reading),
            body: {
              network: apiNameOf(network),
              chainId: network.chainId,
              ...bounds,
              ...valueVolume(reading.series, reading.prices),
              usedPrices: pricesUsedBy(reading.series, reading.prices).map(shown),
              coverage: coverageOf(network, reading.state),
            },
          });
        });
      },
    });
  };
}

/** Answers `/v1/volume/series`: the figures of `/v1/volume` for each bucket of a range. Too many buckets are a 400. */
export function volumeSeriesHandler({
  database,
  networks,
  prices,
  now,
}: ApiDependencies): RouteHandler<typeof volumeSeriesRoute> {
  const readRecentState = recentStates({ database, networks, prices });
  return async (c) => {
    const { interval, ...query } = c.req.valid("query");
    const network = requireNetwork(networks, query.network);
    const { range, bounds } = rangeOf(query, now());
    const seconds = bucketBounds(range, interval);
    const bucketCount = seconds.length - 1;
    if (bucketCount > MAXIMUM_BUCKETS) {
      throw new BadRequest(
        `interval: accepts one that cuts the range into at most ${MAXIMUM_BUCKETS} buckets, ` +
          `${interval} makes ${bucketCount}`,
      );
    }

    return answer<VolumeSeriesAnswer>(c, {
      key: ["/v1/volume/series", query.network, bounds, query.lpAddress, interval],
      readState: () => readRecentState(network),
      read: async () => {
        const reading = await readVolumeSeries(database, network, prices, seconds, query.lpAddress);
        const seriesOf = new Map(reading.buckets.map(({ bucket, series }) => [bucket, series]));
        const times = seconds.map(formatTime);
        const allSeries = reading.buckets.flatMap(({ series }) => series);
        return {
          state: stateOf(reading),
          body: {
            network: apiNameOf(network),
            chainId: network.chainId,
            ...bounds,
            interval,
            buckets: times.slice(0, -1).map((from, index) => ({
              from,
              to: times[index + 1] ?? bounds.to,
              ...valueVolume(seriesOf.get(index) ?? [], reading.prices),
            })),
            usedPrices: pricesUsedBy(allSeries, reading.prices).map(shown),
            coverage: coverageOf(network, reading.state),
          },
        };
      },
    });
  };
}

/** The range asked for, in seconds and as answers show it. */
function rangeOf(query: Parameters<typeof resolveRange>[0], now: bigint) {
  const range = resolveRange(query, now);
  return { range, bounds: { from: formatTime(range.from), to: formatTime(range.to) } };
}

function recentStates({ database, networks, prices }: Pick<ApiDependencies, "database" | "networks" | "prices">) {
  return recentByNetwork(networks, async (network) => stateOf(await readVolumeState(database, network, prices)));
}

function stateOf({ state, priceVersion }: Awaited<ReturnType<typeof readVolumeState>>) {
  return [state, priceVersion];
}

/** A price as answers show it. */
function shown(price: CachedPrice) {
  return { ...price, priceUsdWad: price.priceUsdWad.toString(), fetchedAt: formatTime(price.fetchedAt) };
}
