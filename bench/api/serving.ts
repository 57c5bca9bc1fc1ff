/** Measures `ponder serve` under load, compared with a bare server. */
import type { Client } from "pg";
import { formatTime, type TimeRange } from "../../src/api/shared/time.ts";
import { encodeCursor, NEWEST, type Position } from "../../src/api/transactions/cursor.ts";
import { historyStatements } from "../../src/api/transactions/query.ts";
import { DEFAULT_LIMIT } from "../../src/api/transactions/route.ts";
import { withClient } from "../../test/support/postgres.ts";
import { type Comparison, capacityOf, compareLoad, type Target } from "./closedLoop.ts";
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
  /** By number of connections: the API relative to a bare route with the same statement, over requests that all differ. */
  readonly againstBare: Readonly<Record<number, Comparison>>;
  /** The same over one request, whose answer the API keeps. */
  readonly repeatedAgainstBare: Readonly<Record<number, Comparison>>;
  /** By number of connections: 304 answers relative to full ones. */
  readonly notModified: Readonly<Record<number, Comparison>>;
  /** Latencies at half of the route's capacity. */
  readonly openLoop: OpenLoopComparison;
}

/** Latencies at one rate, for each run. */
interface OpenLoopComparison {
  readonly requestsPerSecond: number;
  /** Over requests that all differ. */
  readonly route: readonly LatencyMs[];
  readonly selectOne: readonly LatencyMs[];
  /** Of a path that does nothing, so that it shows what the sender adds. */
  readonly constant: readonly LatencyMs[];
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

export function volumeQuestions(): Questions {
  const question = ({ from, to }: TimeRange): Question => ({
    path: `/v1/volume?${new URLSearchParams({ network: "evm-mainnet", from: formatTime(from), to: formatTime(to) })}`,
    bare: `/volume?1=${from}&2=${to}`,
  });
  const earlier = Array.from({ length: VARIED_RANGES - 1 }, (_, index) => BigInt(index + 1));
  return [question(RANGE), ...earlier.map((by) => question({ from: RANGE.from - by, to: RANGE.to - by }))];
}

export function pageQuestions(positions: readonly Position[]): Questions {
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

/** Starts of pages after the first one, each so many transactions after the one before. */
export async function pagePositions(client: Client, step = DEFAULT_LIMIT): Promise<Position[]> {
  const { rows } = await client.query<{ block_number: number; transaction_index: number }>(
    `SELECT block_number, transaction_index FROM ${SCHEMA}.transaction
    ORDER BY block_number DESC, transaction_index DESC LIMIT $1`,
    [(VARIED_PAGES - 1) * step],
  );
  return rows
    .filter((_, index) => (index + 1) % step === 0)
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
      api: { urls: [apiUrl(first), ...others.map(apiUrl)], status: 200, pid: api.pid } satisfies Target,
      bare: { urls: [bareUrl(first), ...others.map(bareUrl)], status: 200, pid: bare.pid } satisfies Target,
    };
  };
  const repeated = targetsOf([questions[0]]);
  const varied = targetsOf(questions);
  const unchanged: Target = { ...repeated.api, status: 304, headers: { "If-None-Match": etag } };
  const againstBare: Record<number, Comparison> = {};
  const repeatedAgainstBare: Record<number, Comparison> = {};
  const notModified: Record<number, Comparison> = {};
  for (const connections of CONNECTIONS) {
    const compare = (targets: Parameters<typeof compareLoad>[0]) => compareLoad(targets, { connections, ...load });
    againstBare[connections] = await compare([
      ["api", varied.api],
      ["bare", varied.bare],
    ]);
    repeatedAgainstBare[connections] = await compare([
      ["api", repeated.api],
      ["bare", repeated.bare],
    ]);
    notModified[connections] = await compare([
      ["304", unchanged],
      ["200", repeated.api],
    ]);
  }
  const openLoop = await compareOpenLoop(varied.api, api.baseUrl, load);
  return { path, againstBare, repeatedAgainstBare, notModified, openLoop };
}

async function compareOpenLoop(
  route: Target,
  baseUrl: string,
  { seconds, runs }: ServingOptions["load"],
): Promise<OpenLoopComparison> {
  const connections = OPEN_LOOP_CONNECTIONS;
  const requestsPerSecond = (await capacityOf(route, { connections, seconds, runs: 3 })) / 2;
  const measure = (urls: readonly string[]) => openLoop(urls, { requestsPerSecond, connections, seconds });
  const latencies = { route: [] as LatencyMs[], selectOne: [] as LatencyMs[], constant: [] as LatencyMs[] };
  for (let run = 0; run < runs; run++) {
    latencies.route.push(await measure(route.urls));
    latencies.selectOne.push(await measure([`${baseUrl}/select-1`]));
    latencies.constant.push(await measure([`${baseUrl}/constant`]));
  }
  return {
    requestsPerSecond,
    ...latencies,
    p99Ratio: distributionOf(
      latencies.route.map(({ p99 }, run) => p99 / (latencies.selectOne[run]?.p99 ?? Number.NaN)),
    ),
  };
}
