/** Two local chains with a history, traffic on them, and an index of them that no fault affects. */
import type { NetworkName } from "../../../config/networks.ts";
import { startTraffic, type Traffic } from "../../../localnet/demo/traffic.ts";
import { buildContracts } from "../../../localnet/deployment.ts";
import { randomOf } from "../../../localnet/plan.ts";
import { sendOne } from "../../../localnet/sendOne.ts";
import { Stack } from "../../e2e/harness/stack.ts";
import { consultOracle } from "../../e2e/oracle/network.ts";
import { type Answers, NETWORKS, type Oracles } from "./answers.ts";
import { Reference } from "./reference.ts";

export interface WorldOptions {
  /** Name of the directory of the world. Must be unique among the running worlds. */
  readonly name: string;
  readonly seed: number;
  /** Number of transactions per network, at least 100. */
  readonly transactionCount?: number;
  /** Empty blocks after the history, which make it final. */
  readonly emptyBlocks?: number;
}

const TRANSACTION_COUNT = 100;

export class World {
  readonly stack: Stack;
  readonly seed: number;
  readonly #traffic: Traffic[] = [];
  readonly #trafficErrors: Error[] = [];
  #traffics = 0;
  #reference: Promise<Reference> | undefined;

  private constructor(stack: Stack, seed: number) {
    this.stack = stack;
    this.seed = seed;
  }

  static async build({ name, seed, transactionCount = TRANSACTION_COUNT, emptyBlocks = 0 }: WorldOptions) {
    await buildContracts(`.demo/reliability-${name}-build.log`);
    const stack = await Stack.build({ name: `reliability-${name}`, seed, transactionCount, emptyBlocks });
    return new World(stack, seed);
  }

  /** Starts to send economic transactions on every network, one after the other with pauses. */
  startTraffic(intervalMs: number): void {
    this.#traffics += 1;
    for (const network of NETWORKS) {
      this.#traffic.push(
        startTraffic({
          deployed: this.stack.deployed(network),
          seed: this.seed + this.#traffics,
          intervalMs,
          onError: (error) => this.#trafficErrors.push(error),
        }),
      );
    }
  }

  /**
   * Stops the traffic.
   * @throws Error when a transaction could not be sent or had an unexpected result
   */
  async stopTraffic(): Promise<void> {
    for (const traffic of this.#traffic.splice(0)) await traffic.stop();
    const [error] = this.#trafficErrors.splice(0);
    if (error) throw error;
  }

  /** Sends one more transaction on a network, alone in its block. */
  async sendOne(network: NetworkName): Promise<void> {
    const deployed = this.stack.deployed(network);
    this.#traffics += 1;
    await sendOne({ deployed, random: randomOf(this.seed + this.#traffics, deployed.chainId) });
  }

  /**
   * Stops the traffic and ends each chain with a transaction, so that an index that shows it has caught up with the
   * chain. Returns the contents of the chains.
   */
  async still(): Promise<Oracles> {
    await this.stopTraffic();
    for (const network of NETWORKS) await this.sendOne(network);
    const [mainnet, sepolia] = await Promise.all([
      consultOracle(this.stack.source("mainnet")),
      consultOracle(this.stack.source("sepolia")),
    ]);
    return { mainnet, sepolia };
  }

  /** The answers of an undisturbed index. From its first use, it follows the chains in parallel with the others. */
  async expected(oracles: Oracles): Promise<Answers> {
    this.#reference ??= Reference.start(this.stack);
    return (await this.#reference).answers(oracles);
  }

  /** The answers of a new index that is built from scratch. */
  async expectedAnew(oracles: Oracles): Promise<Answers> {
    await this.renewReference();
    return this.expected(oracles);
  }

  /** Starts the undisturbed index from scratch. It builds in the background. */
  async renewReference(): Promise<void> {
    await (await this.#reference)?.stop();
    this.#reference = Reference.start(this.stack);
    await this.#reference;
  }

  async stop(): Promise<void> {
    for (const traffic of this.#traffic.splice(0)) await traffic.stop();
    await this.stack.stop();
  }
}
