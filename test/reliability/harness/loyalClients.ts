/** Clients that a balancer tells apart, each of which asks again and again for the newest transaction. */
import { setTimeout as sleep } from "node:timers/promises";
import type { HistoryAnswer } from "../../e2e/harness/api.ts";

const PAUSE_MS = 100;
const TIMEOUT_MS = 15_000;

export interface LoyalReport {
  readonly requests: number;
  readonly failed: readonly string[];
  /** Answers whose newest block was before that of the client's previous answer. */
  readonly stepsBack: readonly string[];
}

export class LoyalClients {
  readonly #stopping = new AbortController();
  readonly #newest: bigint[];
  readonly #failed: string[] = [];
  readonly #stepsBack: string[] = [];
  readonly #done: Promise<unknown>;
  #requests = 0;

  /** @param url of a page of transactions, newest first */
  constructor(url: string, count: number) {
    this.#newest = Array.from({ length: count }, () => 0n);
    this.#done = Promise.all(this.#newest.map((_, index) => this.#run(url, index)));
  }

  /** The newest block of each client's last answer. */
  get newestBlocks(): readonly bigint[] {
    return this.#newest;
  }

  async stop(): Promise<LoyalReport> {
    this.#stopping.abort();
    await this.#done;
    return { requests: this.#requests, failed: this.#failed, stepsBack: this.#stepsBack };
  }

  async #run(url: string, client: number): Promise<void> {
    const headers = { "X-Forwarded-For": `192.0.2.${client + 1}` };
    while (!this.#stopping.signal.aborted) {
      this.#requests += 1;
      try {
        const response = await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
        const text = await response.text();
        if (response.status === 200) this.#note(client, JSON.parse(text) as HistoryAnswer);
        else this.#failed.push(`${response.status} ${text.slice(0, 200)}`);
      } catch (error) {
        this.#failed.push(String(error));
      }
      await sleep(PAUSE_MS);
    }
  }

  #note(client: number, { transactions }: HistoryAnswer): void {
    const block = BigInt(transactions[0]?.inclusion.blockNumber ?? 0);
    const before = this.#newest[client] ?? 0n;
    if (block < before) this.#stepsBack.push(`client ${client + 1} saw block ${block} after ${before}`);
    this.#newest[client] = block;
  }
}
