/** The bars that the figures must meet. */
import { MAXIMUM_LIMIT } from "../../src/api/transactions/query.ts";
import { DEFAULT_LIMIT } from "../../src/api/transactions/route.ts";
import { type LiveLatencies, POLLING_INTERVAL_MS } from "./live.ts";
import { CLASS_COUNT } from "./pages.ts";
import type { SizePlans } from "./plans.ts";
import { type Bar, format, formatCount, tableOf } from "./report.ts";
import type { RouteServing } from "./serving.ts";
import { distributionOf, median } from "./statistics.ts";

export function planBars(plans: readonly SizePlans[]): Bar[] {
  const smallest = plans[0];
  const largest = plans.at(-1);
  if (smallest === undefined || largest === undefined) return [];
  const at = `${formatCount(largest.legs)} legs`;
  const between = `${formatCount(largest.legs)} against ${formatCount(smallest.legs)} legs`;
  const ratioOf = (pick: (plans: SizePlans) => number) => pick(largest) / pick(smallest);
  return [
    {
      what: "volume: plain sum's time in terms of the statement's",
      where: at,
      measured: largest.plainSum.executionMs.median / largest.volume.executionMs.median,
      bar: { atLeast: 500 },
      unit: "times",
    },
    {
      what: "volume: execution time",
      where: between,
      measured: ratioOf(({ volume }) => volume.executionMs.median),
      bar: { atMost: 1.3 },
      unit: "times",
    },
    {
      what: "volume: difference of buffers read",
      where: between,
      measured: Math.abs(ratioOf(({ volume }) => volume.buffers) - 1),
      bar: { atMost: 0.2 },
      unit: "",
    },
    ...plans.flatMap(({ legs, pages }): Bar[] => {
      const where = `${formatCount(legs)} legs, ${formatCount(pages.plans)} plans`;
      return [
        ...[DEFAULT_LIMIT, MAXIMUM_LIMIT].map((limit) => ({
          what: `transactions: most buffers read, limit ${limit}`,
          where,
          measured: pages.mostBuffers[limit]?.buffers ?? Number.NaN,
          bar: { atMost: 600 },
          unit: "pages",
        })),
        {
          what: "transactions: plans with a sequential scan",
          where,
          measured: pages.sequentialScans.length,
          bar: { atMost: 0 },
          unit: "",
        },
        {
          what: "transactions: largest sort, in terms of limit + 1",
          where,
          measured: pages.largestSort,
          bar: { atMost: CLASS_COUNT },
          unit: "",
        },
      ];
    }),
  ];
}

export function servingBars(serving: readonly RouteServing[], legs: number): Bar[] {
  const ratioBars = (what: string, comparisons: RouteServing["againstBare"], atLeast: number): Bar[] =>
    Object.entries(comparisons).map(([connections, { ratio }]) => ({
      what,
      where: `${formatCount(legs)} legs, ${connections} connection${connections === "1" ? "" : "s"}`,
      measured: ratio.median,
      bar: { atLeast },
      unit: "",
      runs: ratio,
    }));
  return serving.flatMap(({ path, againstBare, notModified, openLoop }) => {
    const [route] = path.split("?");
    return [
      ...ratioBars(`${route}: throughput in terms of the bare route's`, againstBare, 0.75),
      ...ratioBars(`${route}: 304 answers in terms of full ones`, notModified, 3),
      {
        what: `${route}: p99 in terms of that of SELECT 1, open loop at half of capacity`,
        where: `${formatCount(legs)} legs, 16 connections`,
        measured: openLoop.p99Ratio.median,
        bar: { atMost: 3 },
        unit: "",
        runs: openLoop.p99Ratio,
      },
    ];
  });
}

export function liveBars({ polled, announced }: LiveLatencies): Bar[] {
  const what = "from a mined block to its rows in an answer";
  const where = `${polled.blocks} blocks, polled every ${formatCount(POLLING_INTERVAL_MS)} ms`;
  const ofMedian = { what: `${what}, median`, unit: "ms" };
  return [
    { ...ofMedian, where, measured: polled.median, bar: { atMost: POLLING_INTERVAL_MS / 2 + 150 } },
    { what: `${what}, p99`, unit: "ms", where, measured: polled.p99, bar: { atMost: POLLING_INTERVAL_MS + 400 } },
    {
      ...ofMedian,
      where: `${announced.blocks} blocks, announced by WebSocket, answered by a replica`,
      measured: announced.median,
      bar: { atMost: 150 },
    },
  ];
}

export function planTables(plans: readonly SizePlans[]): string {
  return tableOf(
    ["legs", "volume, ms (min … max)", "buffers", "plain sum, ms", "buffers", "most buffers of a page", "of 100 rows"],
    plans.map(({ legs, volume, plainSum, pages }) => [
      formatCount(legs),
      `${format(volume.executionMs.median)} (${format(volume.executionMs.min)} … ${format(volume.executionMs.max)})`,
      formatCount(volume.buffers),
      format(plainSum.executionMs.median),
      formatCount(plainSum.buffers),
      pages.mostBuffers[DEFAULT_LIMIT]?.buffers ?? "",
      pages.mostBuffers[MAXIMUM_LIMIT]?.buffers ?? "",
    ]),
  );
}

/** Absolute figures, which depend on the machine as much as on the server. */
export function servingTables(serving: readonly RouteServing[]): string {
  const closed = serving.flatMap(({ path, againstBare, notModified }) =>
    Object.entries(againstBare).map(([connections, { rates }]) => [
      path.split("?")[0] ?? path,
      connections,
      format(rates.api?.median ?? Number.NaN),
      format(rates.bare?.median ?? Number.NaN),
      format(notModified[Number(connections)]?.rates["304"]?.median ?? Number.NaN),
    ]),
  );
  const varied = serving.flatMap(({ path, variedAgainstBare }) =>
    Object.entries(variedAgainstBare).map(([connections, { rates, ratio }]) => [
      path.split("?")[0] ?? path,
      connections,
      format(rates.api?.median ?? Number.NaN),
      format(rates.bare?.median ?? Number.NaN),
      `${format(ratio.median)} (${format(ratio.min)} … ${format(ratio.max)})`,
    ]),
  );
  const open = serving.map(({ path, openLoop }) => [
    path.split("?")[0] ?? path,
    format(openLoop.requestsPerSecond),
    format(distributionOf(openLoop.route.map(({ p50 }) => p50)).median),
    format(median(openLoop.route.map(({ p99 }) => p99))),
    format(openLoop.selectOneRequestsPerSecond),
    format(median(openLoop.selectOne.map(({ p99 }) => p99))),
  ]);
  return [
    tableOf(["route", "connections", "API, requests/s", "bare, requests/s", "304, requests/s"], closed),
    tableOf(["route, all different", "connections", "API, requests/s", "bare, requests/s", "API / bare"], varied),
    tableOf(["route", "requests/s", "p50, ms", "p99, ms", "SELECT 1, requests/s", "p99, ms"], open),
  ].join("\n\n");
}
