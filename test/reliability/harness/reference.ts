/** An index that reads the nodes directly, so that no fault affects it. */

import { rmSync } from "node:fs";
import { join } from "node:path";
import { CHAIN_IDS } from "../../../config/networks.ts";
import { assertSame } from "../../e2e/harness/compare.ts";
import type { Stack } from "../../e2e/harness/stack.ts";
import { Supervisor } from "../../e2e/harness/supervisor.ts";
import { type Answers, NETWORKS, type Oracles, takeAnswers } from "./answers.ts";
import { waitUntilCaughtUp } from "./settle.ts";

/** Long, because a reference that is late on a busy machine says nothing about the index that is compared with it. */
const DEADLINE_MS = 900_000;
let count = 0;

export class Reference {
  readonly #supervisor: Supervisor;
  #last: { readonly oracles: Oracles; readonly answers: Answers } | undefined;

  private constructor(supervisor: Supervisor) {
    this.#supervisor = supervisor;
  }

  /** Starts a reference from scratch. */
  static async start(stack: Stack): Promise<Reference> {
    count += 1;
    const name = `reference-${count}`;
    const pgliteDirectory = join(stack.directory, `${name}.pglite`);
    rmSync(pgliteDirectory, { recursive: true, force: true });
    const options = {
      deploymentsDirectory: stack.deploymentsDirectory,
      rpcUrls: Object.fromEntries(NETWORKS.map((network) => [CHAIN_IDS[network], stack.deployed(network).rpcUrl])),
      database: { pgliteDirectory },
      logFile: join(stack.directory, `${name}.log`),
    };
    const supervisor = await Supervisor.start({ name, options });
    stack.endWithStack(() => supervisor.stop());
    return new Reference(supervisor);
  }

  /**
   * Returns the answers about the current chains.
   * @throws Error when the index does not catch up, or when its history differs from that of the chains
   */
  async answers(oracles: Oracles): Promise<Answers> {
    if (this.#last?.oracles === oracles) return this.#last.answers;
    const { api, ends } = this.#supervisor;
    await waitUntilCaughtUp(api, oracles, DEADLINE_MS);
    if (ends[0] !== undefined) throw new Error(`the reference itself ended: ${ends[0]}`);
    const answers = await takeAnswers(api, oracles);
    for (const network of NETWORKS) {
      const { transactions } = oracles[network];
      assertSame(`the history of ${network} in the reference`, transactions, answers.histories.get(network));
    }
    this.#last = { oracles, answers };
    return answers;
  }

  stop(): Promise<void> {
    return this.#supervisor.stop();
  }
}
