/**
 * A client that reads pages, sums and files without a pause. It checks that no answer fails, repeats a row, or loses a
 * row that it has shown and that is still in the chain.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { NetworkName } from "../../../config/networks.ts";
import { createChainClient } from "../../../localnet/chain.ts";
import { type ApiClient, apiNetwork, type HistoryAnswer } from "../../e2e/harness/api.ts";
import type { HistoryTransaction } from "../../e2e/oracle/history.ts";
import { parseCsv } from "../../support/csv.ts";
import { NETWORKS } from "./answers.ts";
import type { Tally } from "./figures.ts";
import type { World } from "./world.ts";

export interface ObserverOptions {
  readonly api: ApiClient;
  readonly world: World;
  /** Number of rows of a page. */
  readonly limit: number;
  /** Number of pages of a walk. Default: the whole history. */
  readonly pages?: number;
  readonly pauseMs?: number;
  /** Whether the observer reads files, too. */
  readonly readsFiles?: boolean;
}

export interface Observed {
  readonly requests: number;
  /** Of the requests that did not fail, files included. */
  readonly latenciesMs: readonly number[];
  /** Requests that failed, with the reason. */
  readonly failed: readonly string[];
  /** Rows that were shown, are missing in a later walk, and were in the chain the whole time. */
  readonly lost: readonly string[];
  /** Rows that were repeated in a walk or out of order, and answers that contradict the document. */
  readonly wrong: readonly string[];
}

type Row = Pick<HistoryTransaction, "transactionHash" | "inclusion">;

export class Observer {
  readonly #options: ObserverOptions;
  readonly #stopping = new AbortController();
  readonly #seen: Record<NetworkName, Map<string, Row>> = { mainnet: new Map(), sepolia: new Map() };
  readonly #latenciesMs: number[] = [];
  readonly #failed: string[] = [];
  readonly #lost = new Set<string>();
  readonly #wrong = new Set<string>();
  #requests = 0;
  readonly #done: Promise<void>;

  private constructor(options: ObserverOptions) {
    this.#options = options;
    this.#done = this.#run();
  }

  static start(options: ObserverOptions): Observer {
    return new Observer(options);
  }

  async stop(): Promise<Observed> {
    this.#stopping.abort();
    await this.#done;
    return {
      requests: this.#requests,
      latenciesMs: this.#latenciesMs,
      failed: this.#failed,
      lost: [...this.#lost],
      wrong: [...this.#wrong],
    };
  }

  /** Stops like `stop`, and adds the findings to a tally. */
  async report(tally: Tally): Promise<Observed> {
    const observed = await this.stop();
    const { failed, lost, wrong, requests } = observed;
    tally.failed(failed.length);
    tally.compared({ lost, wrong, first: lost[0] ?? wrong[0] ?? null }, 0);
    if (failed.length > 0) tally.remark(`${failed.length} of ${requests} requests failed: ${failed[0]}`);
    if (requests === 0) tally.remark("no request was made meanwhile");
    return observed;
  }

  async #run(): Promise<void> {
    const { pauseMs = 20 } = this.#options;
    while (!this.#stopping.signal.aborted) {
      for (const network of NETWORKS) {
        try {
          await this.#walk(network);
          await this.#ask(`/v1/volume?network=${apiNetwork(network)}&${THIS_YEAR}`);
          if (this.#options.readsFiles) await this.#readFile(network);
        } catch (error) {
          if (!(error instanceof FailedRequest)) this.#wrong.add(String(error));
        }
        await sleep(pauseMs);
      }
    }
  }

  /** Follows the cursor, and compares with the previous walk. */
  async #walk(network: NetworkName): Promise<void> {
    const { limit, pages = Number.POSITIVE_INFINITY } = this.#options;
    const rows: Row[] = [];
    let cursor: string | null = null;
    let page = 0;
    do {
      const query: string = `network=${apiNetwork(network)}&limit=${limit}${cursor ? `&cursor=${cursor}` : ""}`;
      const answer = JSON.parse(await this.#ask(`/v1/transactions?${query}`)) as HistoryAnswer;
      rows.push(...answer.transactions);
      cursor = answer.nextCursor;
      page += 1;
    } while (cursor !== null && page < pages);
    const walked = new Map(rows.map((row) => [keyOf(row), row]));
    if (walked.size < rows.length) this.#wrong.add(`${network}: a walk repeated ${rows.length - walked.size} rows`);
    for (const [index, row] of rows.entries()) {
      const before = rows[index - 1];
      if (before && !isOlder(row, before)) this.#wrong.add(`${network}: ${keyOf(row)} follows ${keyOf(before)}`);
    }
    // A walk that was cut short says nothing about rows older than its last one.
    const oldest = cursor === null ? undefined : rows.at(-1);
    const missing = [...this.#seen[network].values()].filter(
      (row) => !walked.has(keyOf(row)) && (oldest === undefined || isOlder(oldest, row)),
    );
    for (const row of missing) if (await this.#isInChain(network, row)) this.#lost.add(`${network} ${keyOf(row)}`);
    this.#seen[network] = walked;
  }

  async #readFile(network: NetworkName): Promise<void> {
    const { rows } = parseCsv(await this.#ask(`/v1/transactions.csv?network=${apiNetwork(network)}`));
    const keys = rows.map(
      ({ blockHash, transactionIndex, logIndex }) => `${blockHash} ${transactionIndex} ${logIndex}`,
    );
    if (new Set(keys).size < keys.length) this.#wrong.add(`${network}: the file repeats a row`);
  }

  async #ask(path: string): Promise<string> {
    this.#requests += 1;
    const start = performance.now();
    const answer = await this.#options.api.request(path).catch((error: unknown) => {
      // An answer that differs from the document is wrong. A missing answer has failed.
      if (error instanceof TypeError || (error instanceof Error && error.name === "TimeoutError")) {
        return this.#fail(`${path}: ${error.message}`);
      }
      throw error;
    });
    if (answer.status !== 200) this.#fail(`${path}: ${answer.status} ${answer.text}`);
    this.#latenciesMs.push(performance.now() - start);
    return answer.text;
  }

  #fail(text: string): never {
    this.#failed.push(text);
    throw new FailedRequest(text);
  }

  /**
   * Returns whether the block of a row is in the chain now. If so, it always was, because a removed block never comes
   * back.
   */
  async #isInChain(network: NetworkName, { inclusion }: Row): Promise<boolean> {
    const { rpcUrl } = this.#options.world.stack.deployed(network);
    const block = await createChainClient(rpcUrl)
      .getBlock({ blockNumber: BigInt(inclusion.blockNumber) })
      .catch(() => null);
    return block?.hash === inclusion.blockHash;
  }
}

class FailedRequest extends Error {}

/** A range of 365 days that contains the histories of the suite. */
const THIS_YEAR = (() => {
  const to = new Date(Date.now() + 30 * 86_400_000);
  const from = new Date(to.getTime() - 365 * 86_400_000);
  const text = (date: Date) => date.toISOString().replace(/\.\d+Z$/, "Z");
  return new URLSearchParams({ from: text(from), to: text(to) }).toString();
})();

function keyOf({ transactionHash, inclusion }: Row): string {
  return `${inclusion.blockHash} ${transactionHash}`;
}

function isOlder({ inclusion: one }: Row, { inclusion: other }: Row): boolean {
  if (one.blockNumber !== other.blockNumber) return BigInt(one.blockNumber) < BigInt(other.blockNumber);
  return Number(one.transactionIndex) < Number(other.transactionIndex);
}
