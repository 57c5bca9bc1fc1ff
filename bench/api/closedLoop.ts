/** Throughput: each connection sends its next request when it has the previous answer. */
import autocannon from "autocannon";
import { type Distribution, distributionOf, median } from "./statistics.ts";

export interface Target {
  /** Requested in turn; each connection starts at a different one. */
  readonly urls: readonly [string, ...string[]];
  readonly headers?: Readonly<Record<string, string>>;
  /** The expected status of every answer. */
  readonly status: number;
}

export interface Throughput {
  /** Requests a second. */
  readonly rates: Readonly<Record<string, Distribution>>;
  /** The first target's rate relative to the second's, for each pair of runs. */
  readonly ratio: Distribution;
}

interface LoopOptions {
  readonly connections: number;
  readonly seconds: number;
  readonly runs: number;
}

/**
 * Warm-up of plans, caches and above all code: V8 keeps compiling for about ten thousand requests, however long those
 * take.
 */
const WARM_UP_REQUESTS = 10_000;
const WARM_UP_SECONDS = 10;

/** Loads two targets in turn, so that other load on the machine affects both. */
export async function compareThroughput(
  targets: readonly [name: string, Target][],
  options: LoopOptions,
): Promise<Throughput> {
  const rates = targets.map((): number[] => []);
  for (const [, target] of targets) await warmUp(target, options.connections);
  for (let run = 0; run < options.runs; run++) {
    // The order changes, too.
    const order = run % 2 === 0 ? targets.keys() : [...targets.keys()].reverse();
    for (const index of order) rates[index]?.push(await load((targets[index] as (typeof targets)[number])[1], options));
  }
  const [first = [], second = []] = rates;
  return {
    rates: Object.fromEntries(targets.map(([name], index) => [name, distributionOf(rates[index] ?? [])])),
    ratio: distributionOf(first.map((rate, run) => rate / (second[run] ?? Number.NaN))),
  };
}

/** At least ten seconds, or longer if needed. */
async function warmUp(target: Target, connections: number): Promise<void> {
  let requests = 0;
  while (requests < WARM_UP_REQUESTS) {
    requests += WARM_UP_SECONDS * (await load(target, { connections, seconds: WARM_UP_SECONDS }));
  }
}

/** Requests a second. */
export async function capacityOf(target: Target, options: LoopOptions): Promise<number> {
  const rates: number[] = [];
  for (let run = 0; run < options.runs; run++) rates.push(await load(target, options));
  return median(rates);
}

async function load(
  { urls, headers, status }: Target,
  { connections, seconds }: Pick<LoopOptions, "connections" | "seconds">,
): Promise<number> {
  const [url] = urls;
  const requests = urls.map((each) => ({ path: each.slice(new URL(each).origin.length) }));
  let connection = 0;
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
  const wanted = result.statusCodeStats?.[`${status}`]?.count ?? 0;
  if (result.errors > 0 || result.timeouts > 0 || wanted === 0 || wanted !== result.requests.total) {
    throw new Error(
      `${url}: ${wanted} of ${result.requests.total} answers are ${status}, ${result.errors} errors, ${result.timeouts} time-outs`,
    );
  }
  return result.requests.total / result.duration;
}
