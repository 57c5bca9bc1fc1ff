/** A client that spreads its requests over replicas, as a load balancer does, and knows the right answers. */
import { request as httpRequest } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const TIMEOUT_MS = 15_000;
const PAUSE_MS = 10;

/** Answers by path, without the progress of the index. */
export type RightAnswers = ReadonlyMap<string, string>;

interface Failure {
  readonly baseUrl: string;
  readonly text: string;
  readonly startedAt: number;
  readonly failedAt: number;
}

/** The period in which requests may fail, in milliseconds of `performance.now()`. */
export interface Excuse {
  /** The replica that may fail; every replica when absent. */
  readonly baseUrl?: string;
  readonly from: number;
  readonly to: number;
}

export interface BalancerReport {
  readonly requests: number;
  readonly failed: readonly string[];
  readonly excused: number;
  readonly wrong: readonly string[];
}

/** Sends requests without a pause, several at once, until it is stopped. Each request uses a new connection. */
export class Balancer {
  readonly #baseUrls: readonly string[];
  readonly #answers: RightAnswers;
  readonly #stopping = new AbortController();
  readonly #failures: Failure[] = [];
  /** The first difference of each wrong answer, by path. */
  readonly #wrong = new Map<string, string>();
  readonly #done: Promise<unknown>;
  #requests = 0;

  constructor(baseUrls: readonly string[], answers: RightAnswers, clients: number) {
    this.#baseUrls = baseUrls;
    this.#answers = answers;
    this.#done = Promise.all(Array.from({ length: clients }, (_, index) => this.#run(index)));
  }

  async stop(excuses: readonly Excuse[] = []): Promise<BalancerReport> {
    this.#stopping.abort();
    await this.#done;
    const isExcused = ({ baseUrl, startedAt, failedAt }: Failure) =>
      excuses.some(
        (excuse) =>
          (excuse.baseUrl === undefined || excuse.baseUrl === baseUrl) &&
          startedAt <= excuse.to &&
          failedAt >= excuse.from,
      );
    const failed = this.#failures.filter((failure) => !isExcused(failure)).map(({ text }) => text);
    return {
      requests: this.#requests,
      failed,
      excused: this.#failures.length - failed.length,
      wrong: [...this.#wrong.values()],
    };
  }

  async #run(client: number): Promise<void> {
    const paths = [...this.#answers.keys()];
    for (let turn = client; !this.#stopping.signal.aborted; turn += 1) {
      const path = paths[turn % paths.length] ?? "/";
      await this.#ask(path, turn);
      await sleep(PAUSE_MS);
    }
  }

  /** Sends a request to the replica whose turn it is, or to the next one if nothing listens there. */
  async #ask(path: string, turn: number): Promise<void> {
    this.#requests += 1;
    const startedAt = performance.now();
    for (let attempt = 0; attempt < this.#baseUrls.length; attempt += 1) {
      const baseUrl = this.#baseUrls[(turn + attempt) % this.#baseUrls.length] ?? "";
      try {
        const { status, text } = await get(baseUrl + path);
        if (status !== 200) this.#fail(baseUrl, `${path}: ${status} ${text.slice(0, 200)}`, startedAt);
        else {
          const difference = differenceOf(this.#answers.get(path) ?? "", withoutProgress(text));
          if (difference !== null && !this.#wrong.has(path)) this.#wrong.set(path, `${path}: ${difference}`);
        }
        return;
      } catch (error) {
        const isRefused = error instanceof Error && "code" in error && error.code === "ECONNREFUSED";
        if (isRefused && attempt + 1 < this.#baseUrls.length) continue;
        this.#fail(baseUrl, `${path}: ${error}`, startedAt);
        return;
      }
    }
  }

  #fail(baseUrl: string, text: string, startedAt: number): void {
    this.#failures.push({ baseUrl, text, startedAt, failedAt: performance.now() });
  }
}

/** The answers of one server to the paths, for comparison with others. */
export async function rightAnswersOf(baseUrl: string, paths: readonly string[]): Promise<RightAnswers> {
  const answers = new Map<string, string>();
  for (const path of paths) {
    const { status, text } = await get(baseUrl + path);
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
    answers.set(path, withoutProgress(text));
  }
  return answers;
}

function get(url: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { agent: false, timeout: TIMEOUT_MS }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
      response.on("error", reject);
    });
    request.on("timeout", () => request.destroy(new Error(`no answer within ${TIMEOUT_MS / 1000} s`)));
    request.on("error", reject);
    request.end();
  });
}

/** Returns where two texts first differ, with what each has there, or null when they are equal. */
function differenceOf(expected: string, found: string): string | null {
  if (expected === found) return null;
  let place = 0;
  while (expected[place] === found[place]) place += 1;
  const around = (text: string) => text.slice(Math.max(0, place - 60), place + 60);
  return `${around(found)}, expected ${around(expected)}`;
}

/**
 * Removes the progress of an index and the times of price reads, which differ between two indexes with the same
 * content.
 */
function withoutProgress(text: string): string {
  return text
    .replace(/"coverage":\{"historicalBackfill":\{[^}]*\},"lastMatchingStreamObservation":(null|\{[^}]*\})\}/, "")
    .replaceAll(/"fetchedAt":"[^"]*","observation":\{[^}]*\}/g, "");
}
