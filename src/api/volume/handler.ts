import type { OpenAPIHono, RouteHandler } from "@hono/zod-openapi";
import { questionOf } from "../http/answer.ts";
import { attachment, CSV_TYPE } from "../http/csv.ts";
import { requestedBounds } from "../http/interval.ts";
import { perNetwork } from "../http/perNetwork.ts";
import { resolveRange } from "../http/range.ts";
import { type FeatureOptions, featureApp } from "../http/route.ts";
import { pricedStateReader, shownPrice } from "../shared/cachedPrices.ts";
import { apiNameOf } from "../shared/networks.ts";
import { coverageOf, isFinalBefore } from "../shared/state.ts";
import { formatTime, type TimeRange } from "../shared/time.ts";
import { volumeReader } from "../shared/volume/query.ts";
import { pricesUsedBy, valueVolume } from "../shared/volume/valuation.ts";
import { volumeCsv } from "./csv.ts";
import { type SeriesQuery, volumeRoute, volumeSeriesCsvRoute, volumeSeriesRoute } from "./route.ts";
import type { VolumeAnswer, VolumeSeriesAnswer } from "./schema.ts";
import { volumeSeriesReader } from "./series.query.ts";

/** Serves swap volume: `/v1/volume`, `/v1/volume/series` and `/v1/volume/series.csv`. */
export function volume(options: FeatureOptions): OpenAPIHono {
  return featureApp()
    .openapi(volumeRoute, volumeHandler(options))
    .openapi(volumeSeriesRoute, volumeSeriesHandler(options))
    .openapi(volumeSeriesCsvRoute, volumeSeriesCsvHandler(options));
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
function volumeSeriesHandler(options: FeatureOptions): RouteHandler<typeof volumeSeriesRoute> {
  const readerOf = seriesReader(options);
  return async (c) => {
    const query = c.req.valid("query");
    const { bounds, network, readState, read } = readerOf(query);
    return options.answer<VolumeSeriesAnswer>(c, {
      text: questionOf("/v1/volume/series", { ...query, ...bounds }),
      network,
      readsNode: false,
      readState,
      read,
    });
  };
}

/** Answers `/v1/volume/series.csv`: the same as a file, which says in its headers and its name what it lacks. */
function volumeSeriesCsvHandler(options: FeatureOptions): RouteHandler<typeof volumeSeriesCsvRoute> {
  const readerOf = seriesReader(options);
  return async (c) => {
    const query = c.req.valid("query");
    const { range, bounds, network, readState, read } = readerOf(query);
    return options.answer<SeriesFile>(c, {
      text: questionOf("/v1/volume/series.csv", { ...query, ...bounds }),
      format: { mediaType: CSV_TYPE, write: fileOf },
      network,
      readsNode: false,
      readState,
      read: async () => {
        const { state, body } = await read();
        return { state, body: { series: body, range, isFinal: isFinalBefore(range.to, network, state.state) } };
      },
    });
  };
}

interface SeriesFile {
  readonly series: VolumeSeriesAnswer;
  readonly range: TimeRange;
  /** Whether every block before the end of the range is final. */
  readonly isFinal: boolean;
}

function fileOf({ series: { network, interval, buckets, coverage }, range, isFinal }: SeriesFile) {
  const { indexedThroughBlock } = coverage.historicalBackfill;
  const isPriced = buckets.every(({ pricingComplete }) => pricingComplete);
  const marks = [...(isFinal ? [] : ["not-final"]), ...(isPriced ? [] : ["prices-missing"])];
  return {
    text: volumeCsv(buckets),
    headers: {
      "Content-Disposition": attachment(`volume-${network}-by-${interval}`, range, marks),
      ...(indexedThroughBlock === null ? {} : { "Indexed-Through-Block": indexedThroughBlock }),
      "Range-Final": String(isFinal),
      "Pricing-Complete": String(isPriced),
    },
  };
}

/** Makes the function that resolves the range of a query and returns the readers of its series. */
function seriesReader({ database, networks, now }: FeatureOptions) {
  const readersOf = perNetwork(networks, (network) => ({
    network,
    readState: pricedStateReader(database, network),
    readSeries: volumeSeriesReader(database, network),
  }));
  return (query: SeriesQuery) => {
    const { network, readState, readSeries } = readersOf(query.network);
    const { range, bounds } = resolveRange(query, now());
    const { interval } = query;
    const seconds = requestedBounds(range, interval);
    const read = async () => {
      const { buckets, prices, ...state } = await readSeries(seconds, query.lpAddress);
      const seriesByBucket = new Map(buckets.map(({ bucket, series }) => [bucket, series]));
      const times = seconds.map(formatTime);
      const allSeries = buckets.flatMap(({ series }) => series);
      const body: VolumeSeriesAnswer = {
        network: apiNameOf(network),
        chainId: network.chainId,
        ...bounds,
        interval,
        buckets: times.slice(0, -1).map((from, index) => ({
          from,
          to: times[index + 1] ?? bounds.to,
          ...valueVolume(seriesByBucket.get(index) ?? [], prices),
        })),
        usedPrices: pricesUsedBy(allSeries, prices).map(shownPrice),
        coverage: coverageOf(network, state.state),
      };
      return { state, body };
    };
    return { range, bounds, network, readState, read };
  };
}
