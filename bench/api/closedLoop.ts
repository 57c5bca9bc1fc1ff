/** Throughput and CPU time: each connection sends its next request when it has the previous answer. */
import autocannon from "autocannon";
import { watchProcessTree } from "../indexing/processTree.ts";
import { type Distribution, distributionOf, median } from "./statistics.ts";

export interface Target {
  /** Requested in turn; each connection starts at a different one. */
  readonly urls: readonly [string, ...string[]];
  readonly headers?: Readonly<Record<string, string>>;
  /** The expected status of every answer. */
  readonly status: number;
  /** The server's process. */
  readonly pid: number;
}

/** Two targets under the same load. */
export interface Comparison {
  /** Requests a second, by target. */
  readonly rates: Readonly<Record<string, Distribution>>;
  /** Microseconds of the server's CPU time for each request, by target. */
  readonly cpuUs: Readonly<Record<string, Distribution>>;
  /** The first target's rate relative to the second's, for each pair of runs. */
  readonly rateRatio: Distribution;
  /** The same of their CPU time for each request. */
  readonly cpuRatio: Distribution;
}

interface Load {
  readonly rate: number;
  readonly cpuUs: number;
}

interface LoopOptions {
  readonly connections: number;
  readonly seconds: number;
  readonly runs: number;
  /** Least number of requests before anything is counted. */
  readonly warmUpRequests?: number;
}

/**
 * Warm-up of plans, caches and above all code: V8 keeps compiling for about ten thousand requests, however long those
 * take.
 */
const WARM_UP_REQUESTS = 10_000;
const WARM_UP_SECONDS = 10;

/** Loads two targets in turn, so that other load on the machine affects both. */
export async function compareLoad(
  targets: readonly [[name: string, Target], [name: string, Target]],
  options: LoopOptions,
): Promise<Comparison> {
  const [[firstName, first], [secondName, second]] = targets;
  for (const target of [first, second]) await warmUp(target, options);
  const ofFirst: Load[] = [];
  const ofSecond: Load[] = [];
  for (let run = 0; run < options.runs; run++) {
    const inTurn = [
      async () => ofFirst.push(await load(first, options)),
      async () => ofSecond.push(await load(second, options)),
    ];
    // The order changes, too.
    for (const next of run % 2 === 0 ? inTurn : inTurn.toReversed()) await next();
  }
  const compare = (figure: keyof Load) => ({
    figures: {
      [firstName]: distributionOf(ofFirst.map((each) => each[figure])),
      [secondName]: distributionOf(ofSecond.map((each) => each[figure])),
    },
    ratio: distributionOf(ofFirst.map((each, run) => each[figure] / (ofSecond[run]?.[figure] ?? Number.NaN))),
  });
  const rate = compare("rate");
  const cpu = compare("cpuUs");
  return { rates: rate.figures, cpuUs: cpu.figures, rateRatio: rate.ratio, cpuRatio: cpu.ratio };
}

/** At least ten seconds, or longer if needed. */
async function warmUp(target: Target, { connections, warmUpRequests = WARM_UP_REQUESTS }: LoopOptions): Promise<void> {
  let requests = 0;
  while (requests < warmUpRequests) {
    const { rate } = await load(target, { connections, seconds: WARM_UP_SECONDS });
    requests += WARM_UP_SECONDS * rate;
  }
}

/** Requests a second. */
export async function capacityOf(target: Target, options: LoopOptions): Promise<number> {
  const rates: number[] = [];
  for (let run = 0; run < options.runs; run++) rates.push((await load(target, options)).rate);
  return median(rates);
}

async function load(
  { urls, headers, status, pid }: Target,
  { connections, seconds }: Pick<LoopOptions, "connections" | "seconds">,
): Promise<Load> {
  const [url] = urls;
  const requests = urls.map((each) => ({ path: each.slice(new URL(each).origin.length) }));
  let connection = 0;
  const meter = watchProcessTree(pid);
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    ...(headers ? { headers } : {}),
    setupClient(client) {
      const start = Math.floor((connection++ * requests.length) / connections);
      client.setRequests([...requests.slice(start), ...requests.slice(0, start)]);
    },
  });
  const { cpuSeconds } = meter.stop();
  const wanted = result.statusCodeStats?.[`${status}`]?.count ?? 0;
  if (result.errors > 0 || result.timeouts > 0 || wanted === 0 || wanted !== result.requests.total) {
    throw new Error(
      `${url}: ${wanted} of ${result.requests.total} answers are ${status}, ${result.errors} errors, ${result.timeouts} time-outs`,
    );
  }
  const { requests: answered, duration } = result;
  return { rate: answered.total / duration, cpuUs: (cpuSeconds / answered.total) * 1e6 };
}
