/**
 * Latency at a given rate: requests are due at even intervals, whether or not earlier ones have been answered, and are
 * timed from when they were due. A stalled server is therefore charged for every request that it kept waiting.
 */
import http from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { percentile } from "./statistics.ts";

export interface LatencyMs {
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  readonly requests: number;
}

interface OpenLoopOptions {
  readonly requestsPerSecond: number;
  readonly connections: number;
  readonly seconds: number;
}

/**
 * Requests the URLs in turn.
 * @throws Error when an answer is not 200
 */
export async function openLoop(
  urls: readonly string[],
  { requestsPerSecond, connections, seconds }: OpenLoopOptions,
): Promise<LatencyMs> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  const count = Math.max(1, Math.floor(requestsPerSecond * seconds));
  const latencies: number[] = [];
  const answers: Promise<void>[] = [];
  const start = performance.now();
  for (let index = 0; index < count; index++) {
    const due = start + (index * 1000) / requestsPerSecond;
    while (performance.now() < due) await sleep(Math.max(0, Math.floor(due - performance.now())));
    answers.push(
      get(urls[index % urls.length] ?? "", agent).then(() => {
        latencies.push(performance.now() - due);
      }),
    );
  }
  await Promise.all(answers);
  agent.destroy();
  const [p50, p99, p999] = [0.5, 0.99, 0.999].map((share) => percentile(latencies, share)) as [number, number, number];
  return { p50, p99, p999, requests: count };
}

function get(url: string, agent: http.Agent): Promise<void> {
  return new Promise((settle, fail) => {
    http
      .get(url, { agent }, (response) => {
        response.resume();
        response.once("end", () => {
          if (response.statusCode === 200) settle();
          else fail(new Error(`${url}: ${response.statusCode}`));
        });
        response.once("error", fail);
      })
      .once("error", fail);
  });
}
