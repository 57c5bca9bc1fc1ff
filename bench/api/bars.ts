/** The bars that the figures must meet. */
import { MAXIMUM_LIMIT } from "../../src/api/transactions/query.ts";
import { DEFAULT_LIMIT } from "../../src/api/transactions/route.ts";
import type { Comparison } from "./closedLoop.ts";
import { type LiveLatencies, POLLING_INTERVAL_MS } from "./live.ts";
import { CLASS_COUNT } from "./pages.ts";
import type { SizePlans } from "./plans.ts";
import { type Bar, format, formatCount, tableOf } from "./report.ts";
import type { RouteServing } from "./serving.ts";
import { type Distribution, median } from "./statistics.ts";

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
  const size = `${formatCount(legs)} legs`;
  const barsOf = (
    comparisons: RouteServing["againstBare"],
    what: string,
    pick: (comparison: Comparison) => Distribution,
    bar: Bar["bar"],
  ): Bar[] =>
    Object.entries(comparisons).map(([connections, comparison]) => ({
      what,
      where: `${size}, ${connections} connection${connections === "1" ? "" : "s"}`,
      measured: pick(comparison).median,
      bar,
      unit: "",
      runs: pick(comparison),
    }));
  return serving.flatMap(({ path, againstBare, repeatedAgainstBare, notModified, openLoop }) => {
    const [route] = path.split("?");
    const rate = ({ rateRatio }: Comparison) => rateRatio;
    const cpu = ({ cpuRatio }: Comparison) => cpuRatio;
    const overBare = "in terms of the bare route's";
    return [
      ...barsOf(againstBare, `${route}, all different: CPU time ${overBare}`, cpu, { atMost: 2 }),
      ...barsOf(repeatedAgainstBare, `${route}, repeated: throughput ${overBare}`, rate, { atLeast: 0.75 }),
      ...barsOf(notModified, `${route}: 304 answers in terms of full ones`, rate, { atLeast: 3 }),
      {
        what: `${route}, all different: p99 in terms of that of SELECT 1 at the same rate, open loop`,
        where: `${size}, ${formatCount(Math.round(openLoop.requestsPerSecond))} requests/s, half of the route's capacity`,
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
  const routeOf = (path: string) => path.split("?")[0] ?? path;
  const closed = serving.flatMap(({ path, againstBare, repeatedAgainstBare, notModified }) =>
    Object.entries(againstBare).flatMap(([connections, different]) => {
      const repeated = repeatedAgainstBare[Number(connections)];
      const rowOf = (requests: string, { rates, cpuUs, cpuRatio }: Comparison) => [
        routeOf(path),
        requests,
        connections,
        ...[rates.api, rates.bare, cpuUs.api, cpuUs.bare].map((figure) => format(figure?.median ?? Number.NaN)),
        `${format(cpuRatio.median)} (${format(cpuRatio.min)} … ${format(cpuRatio.max)})`,
        format(notModified[Number(connections)]?.rates["304"]?.median ?? Number.NaN),
      ];
      return [rowOf("all different", different), ...(repeated ? [rowOf("repeated", repeated)] : [])];
    }),
  );
  const open = serving.flatMap(({ path, openLoop }) =>
    (["route", "selectOne", "constant"] as const).map((kind) => [
      { route: `${routeOf(path)}, all different`, selectOne: "SELECT 1", constant: "constant answer" }[kind],
      format(openLoop.requestsPerSecond),
      ...(["p50", "p99", "p999"] as const).map((share) => format(median(openLoop[kind].map((run) => run[share])))),
    ]),
  );
  return [
    tableOf(
      ["route", "requests", "connections", "API/s", "bare/s", "API, µs of CPU", "bare, µs", "API / bare", "304/s"],
      closed,
    ),
    tableOf(["open loop", "requests/s", "p50, ms", "p99, ms", "p99.9, ms"], open),
  ].join("\n\n");
}
