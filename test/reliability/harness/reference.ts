/** An index over the nodes themselves, which no fault touches. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { assertSame } from "../../e2e/harness/compare.ts";
import type { RunningIndexer, Stack } from "../../e2e/harness/stack.ts";
import { type Answers, NETWORKS, type Oracles, takeAnswers } from "./answers.ts";
import { waitUntilCaughtUp } from "./settle.ts";

const DEADLINE_MS = 240_000;
let count = 0;

export class Reference {
  readonly #indexer: RunningIndexer;
  #last: { readonly oracles: Oracles; readonly answers: Answers } | undefined;

  private constructor(indexer: RunningIndexer) {
    this.#indexer = indexer;
  }

  /** Starts one from nothing. */
  static async start(stack: Stack): Promise<Reference> {
    count += 1;
    const name = `reference-${count}`;
    rmSync(join(stack.directory, `${name}.pglite`), { recursive: true, force: true });
    return new Reference(await stack.startIndexer({ name }));
  }

  /**
   * Its answers about the chains as they stand.
   * @throws Error when it does not catch up, or when its history is not that of the chains
   */
  async answers(oracles: Oracles): Promise<Answers> {
    if (this.#last?.oracles === oracles) return this.#last.answers;
    await waitUntilCaughtUp(this.#indexer.api, oracles, DEADLINE_MS);
    const answers = await takeAnswers(this.#indexer.api, oracles);
    for (const network of NETWORKS) {
      const { transactions } = oracles[network];
      assertSame(`the history of ${network} in the reference`, transactions, answers.histories.get(network));
    }
    this.#last = { oracles, answers };
    return answers;
  }

  stop(): Promise<void> {
    return this.#indexer.process.stop();
  }
}
