/** What the views request from the API, and how often. */
import { type Query, queryOptions } from "@tanstack/react-query";
import { apiTime, startOf } from "../format/time.ts";
import { defined, stringifySearch } from "../search.ts";
import { api, dataOf, headersOfFile, type Schemas } from "./client.ts";

export type Network = Schemas["IndexingStatus"]["network"];
export type Interval = Schemas["VolumeSeries"]["interval"];

/** Interval for the state of the index, which changes with each block. */
const STATUS_MS = 4_000;
/** Interval for everything else. Changes of the history are requested as they happen, see `events.ts`. */
export const SLOW_MS = 30_000;

/** A range of time: the last seconds before the request, or fixed bounds as the API accepts them. */
export type Range = { readonly lastSeconds: number } | { readonly from: string; readonly to: string };

/** Bounds of a range at the time of the request, which the API uses for `to` when it is left out. */
function boundsOf(range: Range): { from: string; to?: string } {
  if ("from" in range) return { from: range.from, to: range.to };
  return { from: apiTime(startOf(range.lastSeconds, Math.floor(Date.now() / 1000))) };
}

/**
 * While another range or filter is loading, shows the previous answer, marked as such, but never one of another
 * network, nor of another wallet or asset, whose ID is the third part of the key.
 */
const previousAnswerOf =
  (network: Network, subject?: string) =>
  <Data>(before: Data | undefined, query: Query<Data> | undefined): Data | undefined =>
    query?.queryKey[1] === network && (subject === undefined || query.queryKey[2] === subject) ? before : undefined;

export const statusQuery = queryOptions({
  queryKey: ["status"],
  queryFn: () => dataOf(api.GET("/v1/status/indexing")),
  refetchInterval: STATUS_MS,
});

export const infoQuery = queryOptions({
  queryKey: ["info"],
  queryFn: () => dataOf(api.GET("/v1/info")),
  refetchInterval: SLOW_MS,
});

export const assetsQuery = (network: Network) =>
  queryOptions({
    queryKey: ["assets", network],
    queryFn: () => dataOf(api.GET("/v1/assets", { params: { query: { network } } })),
    refetchInterval: SLOW_MS,
  });

export const lpQuery = (network: Network, address: string) =>
  queryOptions({
    queryKey: ["lp", network, address],
    queryFn: () => dataOf(api.GET("/v1/lps/{address}", { params: { path: { address }, query: { network } } })),
    // Each answer costs the API requests to a node.
    refetchInterval: SLOW_MS,
  });

/** Filters of the history, as the API names them. */
export interface HistoryFilters {
  readonly wallet?: string;
  readonly outcome?: "success" | "revert";
  readonly activity?: "swap" | "allowlist";
  readonly entrypoint?: string;
  readonly transactionHash?: string;
}

interface PageQuery extends HistoryFilters {
  readonly network: Network;
  readonly cursor?: string;
  readonly limit?: number;
}

export const transactionsQuery = (query: PageQuery) =>
  queryOptions({
    queryKey: ["transactions", query.network, query],
    queryFn: () => dataOf(api.GET("/v1/transactions", { params: { query } })),
    refetchInterval: SLOW_MS,
    placeholderData: previousAnswerOf(query.network),
  });

/** Whether all blocks of a file's range are final. */
export const fileQuery = (network: Network, path: string) =>
  queryOptions({
    queryKey: ["file", network, path],
    queryFn: async () => ({ isFinal: (await headersOfFile(path)).get("range-final") === "true" }),
    refetchInterval: SLOW_MS,
  });

export const transactionQuery = (network: Network, transactionHash: string) =>
  queryOptions({
    queryKey: ["transaction", network, transactionHash],
    queryFn: async () => {
      const query = { network, transactionHash };
      const { transactions } = await dataOf(api.GET("/v1/transactions", { params: { query } }));
      return transactions[0] ?? null;
    },
    refetchInterval: SLOW_MS,
  });

export const revertQuery = (network: Network, transactionHash: string) =>
  queryOptions({
    queryKey: ["revert", network, transactionHash],
    queryFn: () =>
      dataOf(
        api.GET("/v1/transactions/{transactionHash}/revert", {
          params: { path: { transactionHash }, query: { network } },
        }),
      ),
    // Each answer costs the API requests to a node, and only a reorganization changes it.
    staleTime: SLOW_MS,
  });

export const navsQuery = (network: Network, rwaId: string, range: Range) =>
  queryOptions({
    queryKey: ["navs", network, rwaId, range],
    queryFn: () =>
      dataOf(
        api.GET("/v1/assets/{rwaId}/navs", { params: { path: { rwaId }, query: { network, ...boundsOf(range) } } }),
      ),
    refetchInterval: SLOW_MS,
    placeholderData: previousAnswerOf(network, rwaId),
  });

export const volumeQuery = (network: Network, range: Range, lpAddress?: string) =>
  queryOptions({
    queryKey: ["volume", network, range, lpAddress],
    queryFn: () => {
      const query = { network, ...boundsOf(range), ...defined({ lpAddress }) };
      return dataOf(api.GET("/v1/volume", { params: { query } }));
    },
    refetchInterval: SLOW_MS,
    placeholderData: previousAnswerOf(network),
  });

export const seriesQuery = (network: Network, range: Range, interval: Interval, lpAddress?: string) =>
  queryOptions({
    queryKey: ["series", network, range, interval, lpAddress],
    queryFn: () => {
      const query = { network, interval, ...boundsOf(range), ...defined({ lpAddress }) };
      return dataOf(api.GET("/v1/volume/series", { params: { query } }));
    },
    refetchInterval: SLOW_MS,
    placeholderData: previousAnswerOf(network),
  });

/** Path of the same series as a CSV file. */
export function seriesFilePath(network: Network, range: Range, interval: Interval, lpAddress?: string): string {
  return `/v1/volume/series.csv${stringifySearch({ network, interval, ...boundsOf(range), lpAddress })}`;
}

export const ratesQuery = (network: Network, range: Range) =>
  queryOptions({
    queryKey: ["rates", network, range],
    queryFn: () => dataOf(api.GET("/v1/treasury/rates", { params: { query: { network, ...boundsOf(range) } } })),
    refetchInterval: SLOW_MS,
    placeholderData: previousAnswerOf(network),
  });

export const summaryQuery = (network: Network) =>
  queryOptions({
    queryKey: ["summary", network],
    queryFn: () => dataOf(api.GET("/v1/treasury/summary", { params: { query: { network } } })),
    // Each answer costs the API requests to a node.
    refetchInterval: SLOW_MS,
  });

export const accountsQuery = (network: Network, wallet: string) =>
  queryOptions({
    queryKey: ["accounts", network, wallet],
    queryFn: () =>
      dataOf(api.GET("/v1/treasury/accounts/{wallet}", { params: { path: { wallet }, query: { network } } })),
    // Each answer costs the API a request to a node.
    refetchInterval: SLOW_MS,
  });

export const positionQuery = (network: Network, wallet: string, range: Range, interval: Interval) =>
  queryOptions({
    queryKey: ["position", network, wallet, range, interval],
    queryFn: () => {
      const query = { network, interval, ...boundsOf(range) };
      return dataOf(api.GET("/v1/treasury/accounts/{wallet}/history", { params: { path: { wallet }, query } }));
    },
    refetchInterval: SLOW_MS,
    placeholderData: previousAnswerOf(network, wallet),
  });
