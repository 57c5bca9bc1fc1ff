/** Measures `ponder serve` under load, compared with a bare server. */
import type { Client } from "pg";
import { formatTime, type TimeRange } from "../../src/api/shared/time.ts";
import { encodeCursor, NEWEST, type Position } from "../../src/api/transactions/cursor.ts";
import { historyStatements } from "../../src/api/transactions/query.ts";
import { DEFAULT_LIMIT } from "../../src/api/transactions/route.ts";
import { withClient } from "../../test/support/postgres.ts";
import { capacityOf, compareThroughput, type Target, type Throughput } from "./closedLoop.ts";
import { SCHEMA } from "./dataset.ts";
import { type LatencyMs, openLoop } from "./openLoop.ts";
import { type Server, startApi, startBare } from "./servers.ts";
import type { BenchStack } from "./stack.ts";
import { type Distribution, distributionOf } from "./statistics.ts";
import { RANGE, volumeStatement } from "./volume.ts";

const CONNECTIONS = [1, 16];
const OPEN_LOOP_CONNECTIONS = 16;

/** Requested in turn. There are so many that none is still cached when its turn comes again. */
const VARIED_RANGES = 4_000;
const VARIED_PAGES = 2_000;

export interface RouteServing {
  readonly path: string;
  /** By number of connections: the API relative to a bare route with the same statement. */
  readonly againstBare: Readonly<Record<number, Throughput>>;
  /** The same over requests that all differ, so no answer is cached. */
  readonly variedAgainstBare: Readonly<Record<number, Throughput>>;
  /** By number of connections: 304 answers relative to full ones. */
  readonly notModified: Readonly<Record<number, Throughput>>;
  /** At half of the route's own capacity. */
  readonly openLoop: OpenLoopComparison;
}

interface OpenLoopComparison {
  readonly requestsPerSecond: number;
  readonly route: readonly LatencyMs[];
  readonly selectOneRequestsPerSecond: number;
  readonly selectOne: readonly LatencyMs[];
  /** p99 of the route relative to that of `SELECT 1`, for each pair of runs. */
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
  const firstPage = { before: NEWEST, limit: DEFAULT_LIMIT };
  const api = await startApi(databaseUrl, rpcUrl, deployed.deploymentsDirectory);
  const bare = await startBare(databaseUrl, {
    "/volume": volume.statement,
    "/transactions": historyStatements(network)({}, firstPage),
  });
  const positions = await withClient(databaseUrl, pagePositions);
  const serving: RouteServing[] = [];
  for (const questions of [volumeQuestions(), pageQuestions(positions)]) {
    serving.push(await measureRoute({ api, bare, questions, load }));
  }
  await api.stop();
  await bare.stop();
  return serving;
}

/** A request to the API, and one to the bare server that runs the same statement with the same values. */
interface Question {
  readonly path: string;
  readonly bare: string;
}

type Questions = readonly [Question, ...Question[]];

function volumeQuestions(): Questions {
  const question = ({ from, to }: TimeRange): Question => ({
    path: `/v1/volume?${new URLSearchParams({ network: "evm-mainnet", from: formatTime(from), to: formatTime(to) })}`,
    bare: `/volume?1=${from}&2=${to}`,
  });
  const earlier = Array.from({ length: VARIED_RANGES - 1 }, (_, index) => BigInt(index + 1));
  return [question(RANGE), ...earlier.map((by) => question({ from: RANGE.from - by, to: RANGE.to - by }))];
}

function pageQuestions(positions: readonly Position[]): Questions {
  const path = "/v1/transactions?network=evm-mainnet";
  const later = positions.map((position): Question => {
    const cursor = encodeCursor([["network", "evm-mainnet"]], position);
    return {
      path: `${path}&cursor=${cursor}`,
      bare: `/transactions?3=${position.blockNumber}&4=${position.transactionIndex}`,
    };
  });
  return [{ path, bare: "/transactions" }, ...later];
}

/** Start of the pages after the first one. */
async function pagePositions(client: Client): Promise<Position[]> {
  const { rows } = await client.query<{ block_number: number; transaction_index: number }>(
    `SELECT block_number, transaction_index FROM ${SCHEMA}.transaction
    ORDER BY block_number DESC, transaction_index DESC LIMIT $1`,
    [(VARIED_PAGES - 1) * DEFAULT_LIMIT],
  );
  return rows
    .filter((_, index) => (index + 1) % DEFAULT_LIMIT === 0)
    .map((row) => ({ blockNumber: BigInt(row.block_number), transactionIndex: row.transaction_index }));
}

interface Measured {
  readonly api: Server;
  readonly bare: Server;
  readonly questions: Questions;
  readonly load: ServingOptions["load"];
}

async function measureRoute({ api, bare, questions, load }: Measured): Promise<RouteServing> {
  const [{ path }] = questions;
  const etag = (await fetch(api.baseUrl + path)).headers.get("etag");
  if (etag === null) throw new Error(`${path} has no ETag`);
  const targetsOf = ([first, ...others]: Questions) => {
    const apiUrl = (question: Question) => api.baseUrl + question.path;
    const bareUrl = (question: Question) => bare.baseUrl + question.bare;
    return {
      api: { urls: [apiUrl(first), ...others.map(apiUrl)], status: 200 } satisfies Target,
      bare: { urls: [bareUrl(first), ...others.map(bareUrl)], status: 200 } satisfies Target,
    };
  };
  const repeated = targetsOf([questions[0]]);
  const varied = targetsOf(questions);
  const unchanged: Target = { ...repeated.api, status: 304, headers: { "If-None-Match": etag } };
  const againstBare: Record<number, Throughput> = {};
  const variedAgainstBare: Record<number, Throughput> = {};
  const notModified: Record<number, Throughput> = {};
  for (const connections of CONNECTIONS) {
    const compare = (targets: Parameters<typeof compareThroughput>[0]) =>
      compareThroughput(targets, { connections, ...load });
    againstBare[connections] = await compare([
      ["api", repeated.api],
      ["bare", repeated.bare],
    ]);
    variedAgainstBare[connections] = await compare([
      ["api", varied.api],
      ["bare", varied.bare],
    ]);
    notModified[connections] = await compare([
      ["304", unchanged],
      ["200", repeated.api],
    ]);
  }
  const selectOne: Target = { urls: [`${api.baseUrl}/select-1`], status: 200 };
  const openLoop = await compareOpenLoop(repeated.api, selectOne, load);
  return { path, againstBare, variedAgainstBare, notModified, openLoop };
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
    latencies.route.push(await openLoop(route.urls[0], { requestsPerSecond: rates.route, connections, seconds }));
    latencies.selectOne.push(
      await openLoop(selectOne.urls[0], { requestsPerSecond: rates.selectOne, connections, seconds }),
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
