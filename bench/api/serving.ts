/** `ponder serve` under load, beside a bare server. */

import { NEWEST } from "../../src/api/formats/cursor.ts";
import { formatTime } from "../../src/api/formats/time.ts";
import { historyStatement, MAXIMUM_LIMIT } from "../../src/api/queries/transactions.ts";
import { DEFAULT_LIMIT } from "../../src/api/routes/transactions.route.ts";
import { capacityOf, compareThroughput, type Target, type Throughput } from "./closedLoop.ts";
import { type LatencyMs, openLoop } from "./openLoop.ts";
import { startApi, startBare } from "./servers.ts";
import { type BenchStack, withClient } from "./stack.ts";
import { type Distribution, distributionOf } from "./statistics.ts";
import { RANGE, volumeStatement } from "./volume.ts";

const CONNECTIONS = [1, 16];
const OPEN_LOOP_CONNECTIONS = 16;

export interface RouteServing {
  readonly path: string;
  /** By number of connections: the API in terms of a bare route with the same statement. */
  readonly againstBare: Readonly<Record<number, Throughput>>;
  /** By number of connections: 304 answers in terms of full ones. */
  readonly notModified: Readonly<Record<number, Throughput>>;
  /** At half of the route's own capacity. */
  readonly openLoop: OpenLoopComparison;
}

interface OpenLoopComparison {
  readonly requestsPerSecond: number;
  readonly route: readonly LatencyMs[];
  readonly selectOneRequestsPerSecond: number;
  readonly selectOne: readonly LatencyMs[];
  /** p99 of the route in terms of that of `SELECT 1`, of each pair of runs. */
  readonly p99Ratio: Distribution;
}

interface ServingOptions {
  readonly databaseUrl: string;
  readonly stack: BenchStack;
  readonly load: { readonly seconds: number; readonly runs: number };
}

export async function measureServing({ databaseUrl, stack, load }: ServingOptions): Promise<RouteServing[]> {
  const { network, deployed, rpcUrl } = stack;
  const volume = await withClient(databaseUrl, (client) => volumeStatement(client, network));
  const firstPage = { before: NEWEST, limit: DEFAULT_LIMIT, plannedLimit: MAXIMUM_LIMIT };
  const api = await startApi(databaseUrl, rpcUrl, deployed.deploymentsDirectory);
  const bare = await startBare(databaseUrl, {
    "/volume": volume.statement,
    "/transactions": historyStatement(network, {}, firstPage),
  });
  const range = new URLSearchParams({ from: formatTime(RANGE.from), to: formatTime(RANGE.to) });
  const routes: Route[] = [
    { path: `/v1/volume?network=evm-mainnet&${range}`, bare: `${bare.baseUrl}/volume` },
    { path: "/v1/transactions?network=evm-mainnet", bare: `${bare.baseUrl}/transactions` },
  ];
  const serving: RouteServing[] = [];
  for (const route of routes) serving.push(await measureRoute(api.baseUrl, route, load));
  await api.stop();
  await bare.stop();
  return serving;
}

interface Route {
  readonly path: string;
  /** URL of the bare route that runs the same statement. */
  readonly bare: string;
}

async function measureRoute(baseUrl: string, route: Route, load: ServingOptions["load"]): Promise<RouteServing> {
  const url = baseUrl + route.path;
  const etag = (await fetch(url)).headers.get("etag");
  if (etag === null) throw new Error(`${url} has no ETag`);
  const full: Target = { url, status: 200 };
  const unchanged: Target = { url, status: 304, headers: { "If-None-Match": etag } };
  const againstBare: Record<number, Throughput> = {};
  const notModified: Record<number, Throughput> = {};
  for (const connections of CONNECTIONS) {
    const bare: Target = { url: route.bare, status: 200 };
    againstBare[connections] = await compareThroughput(
      [
        ["api", full],
        ["bare", bare],
      ],
      { connections, ...load },
    );
    notModified[connections] = await compareThroughput(
      [
        ["304", unchanged],
        ["200", full],
      ],
      { connections, ...load },
    );
  }
  const selectOne: Target = { url: `${baseUrl}/select-1`, status: 200 };
  return { path: route.path, againstBare, notModified, openLoop: await compareOpenLoop(full, selectOne, load) };
}

async function compareOpenLoop(
  route: Target,
  selectOne: Target,
  { seconds, runs }: ServingOptions["load"],
): Promise<OpenLoopComparison> {
  const connections = OPEN_LOOP_CONNECTIONS;
  const halfOf = async (target: Target) => (await capacityOf(target, { connections, seconds, runs: 3 })) / 2;
  const rates = { route: await halfOf(route), selectOne: await halfOf(selectOne) };
  const latencies = { route: [] as LatencyMs[], selectOne: [] as LatencyMs[] };
  for (let run = 0; run < runs; run++) {
    latencies.route.push(await openLoop(route.url, { requestsPerSecond: rates.route, connections, seconds }));
    latencies.selectOne.push(
      await openLoop(selectOne.url, { requestsPerSecond: rates.selectOne, connections, seconds }),
    );
  }
  return {
    requestsPerSecond: rates.route,
    selectOneRequestsPerSecond: rates.selectOne,
    ...latencies,
    p99Ratio: distributionOf(
      latencies.route.map(({ p99 }, run) => p99 / (latencies.selectOne[run]?.p99 ?? Number.NaN)),
    ),
  };
}
