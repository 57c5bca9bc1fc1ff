/** Keeps an indexer or a replica running, like a service manager: a process that ends is restarted on the same port. */
import { setTimeout as sleep } from "node:timers/promises";
import { type Indexer, startIndexer } from "../../../localnet/indexer.ts";
import { freePort } from "../../../localnet/ports.ts";
import { ApiClient } from "./api.ts";
import { PATIENCE_MS } from "./poll.ts";

/** Options of `ponder start` or `ponder serve`. */
type IndexerOptions = Parameters<typeof startIndexer>[0];

/** Delay before a process that has ended is restarted. */
const RESTART_PAUSE_MS = 500;

export interface Supervised {
  /** Name in messages. */
  readonly name: string;
  readonly options: Omit<IndexerOptions, "port">;
}

export class Supervisor {
  readonly api: ApiClient;
  readonly #options: IndexerOptions;
  readonly #name: string;
  /** How each process ended that was not told to end, oldest first. */
  readonly ends: string[] = [];
  readonly #stopping = new AbortController();
  #current: Indexer | undefined;
  #isKilling = false;
  #watching: Promise<void> = Promise.resolve();

  private constructor({ name, options }: Supervised, port: number) {
    this.#name = name;
    this.#options = { ...options, port };
    this.api = new ApiClient(`http://127.0.0.1:${port}`);
  }

  /**
   * Starts the process, and does not wait until it answers.
   * @param port a free port when absent
   */
  static async start(supervised: Supervised, port?: number): Promise<Supervisor> {
    const supervisor = new Supervisor(supervised, port ?? (await freePort()));
    supervisor.#current = await startIndexer(supervisor.#options);
    supervisor.#watching = supervisor.#watch();
    return supervisor;
  }

  /** Process ID of the indexer, or 0 between two processes. */
  get pid(): number {
    return this.#current?.pid ?? 0;
  }

  /** Number of times that the process ended unexpectedly. */
  get restarts(): number {
    return this.ends.length;
  }

  /** Kills the process, as a crash would. The process is restarted. */
  async kill(): Promise<void> {
    this.#isKilling = this.#current !== undefined;
    await this.#current?.kill();
  }

  /** Ends the process gracefully. The process is restarted. */
  async terminate(): Promise<void> {
    this.#isKilling = this.#current !== undefined;
    await this.#current?.stop();
  }

  /**
   * Waits until `/ready` answers 200, across any number of restarts.
   * @throws Error that says how the process last ended, when the time runs out
   */
  async ready(timeoutMs = PATIENCE_MS): Promise<void> {
    await this.#answers("/ready", timeoutMs);
  }

  /** Waits until `/health` answers 200. */
  async alive(timeoutMs = PATIENCE_MS): Promise<void> {
    await this.#answers("/health", timeoutMs);
  }

  /** Ends the process for good. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#current?.stop();
    await this.#watching;
    // A process that was just being started is stopped too.
    await this.#current?.stop();
  }

  async #answers(path: string, timeoutMs: number): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      const status = await this.api.request(path).then(
        (answer) => `${answer.status}`,
        (error: unknown) => String(error),
      );
      if (status === "200") return;
      if (performance.now() > deadline) {
        const last = this.ends.at(-1) ?? "it never ended";
        throw new Error(`${this.#name}: ${path} is ${status} after ${timeoutMs / 1000} s, ${last}`);
      }
      await sleep(200);
    }
  }

  async #watch(): Promise<void> {
    while (this.#current) {
      const end = await this.#current.ended;
      this.#current = undefined;
      if (this.#stopping.signal.aborted) return;
      if (!this.#isKilling) this.ends.push(end);
      this.#isKilling = false;
      await sleep(RESTART_PAUSE_MS, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
      if (this.#stopping.signal.aborted) return;
      try {
        this.#current = await startIndexer(this.#options);
      } catch (error) {
        // Either everything is being stopped, or the machine cannot start another process.
        this.ends.push(String(error));
        return;
      }
    }
  }
}
