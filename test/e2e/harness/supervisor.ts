/** Keeps an indexer or a replica running, as a service manager does: what ends is started again, on the same port. */
import { setTimeout as sleep } from "node:timers/promises";
import { type Indexer, startIndexer } from "../../../localnet/indexer.ts";
import { freePort } from "../../../localnet/ports.ts";
import { ApiClient } from "./api.ts";

/** Of `ponder start` or `ponder serve`. */
type IndexerOptions = Parameters<typeof startIndexer>[0];

/** Before a process that has ended is started again. */
const RESTART_PAUSE_MS = 500;

export interface Supervised {
  /** Shown in messages. */
  readonly name: string;
  readonly options: Omit<IndexerOptions, "port">;
}

export class Supervisor {
  readonly api: ApiClient;
  readonly #options: IndexerOptions;
  readonly #name: string;
  /** How each process ended that nobody had asked to, oldest first. */
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
   * Starts the process; does not wait for it to answer.
   * @param port a free one when absent
   */
  static async start(supervised: Supervised, port?: number): Promise<Supervisor> {
    const supervisor = new Supervisor(supervised, port ?? (await freePort()));
    supervisor.#current = await startIndexer(supervisor.#options);
    supervisor.#watching = supervisor.#watch();
    return supervisor;
  }

  /** Process id of the indexer; 0 in the moment between two. */
  get pid(): number {
    return this.#current?.pid ?? 0;
  }

  /** How often it ended by itself. */
  get restarts(): number {
    return this.ends.length;
  }

  /** Kills the process as a crash would. It is started again. */
  async kill(): Promise<void> {
    this.#isKilling = true;
    await this.#current?.kill();
  }

  /** Ends the process in good order. It is started again. */
  async terminate(): Promise<void> {
    this.#isKilling = true;
    await this.#current?.stop();
  }

  /**
   * Waits until `/ready` answers 200, over as many restarts as it takes.
   * @throws Error with how it ended last, when the time is over
   */
  async ready(timeoutMs: number): Promise<void> {
    await this.#answers("/ready", timeoutMs);
  }

  /** Waits until `/health` answers 200. */
  async alive(timeoutMs: number): Promise<void> {
    await this.#answers("/health", timeoutMs);
  }

  /** Ends it for good. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#current?.stop();
    await this.#watching;
    // One that was being started just then.
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
      if (this.#stopping.signal.aborted) return;
      if (!this.#isKilling) this.ends.push(end);
      this.#isKilling = false;
      await sleep(RESTART_PAUSE_MS, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
      if (this.#stopping.signal.aborted) return;
      try {
        this.#current = await startIndexer(this.#options);
      } catch (error) {
        // Everything is being stopped, or the machine has no process left to give.
        this.ends.push(String(error));
        return;
      }
    }
  }
}
