/** Plays transactions on a local chain and on the model, and compares their effects and the views. */
import type { Address, Hex } from "viem";
import type { Call, Outcome, Protocol } from "../contracts/protocol.ts";
import { type ModelEvent, Revert } from "../state.ts";
import { Codec, type Log } from "./codec.ts";
import { hexNumber, type Rpc, type RpcRequest } from "./rpc.ts";
import { firstDifference, textOf } from "./text.ts";
import type { Step, World } from "./world.ts";

interface Receipt {
  readonly transactionHash: Hex;
  readonly status: Hex;
  readonly logs: readonly Log[];
}

/** Enough gas for eight deposits into a nearly full queue. */
const TRANSACTION_GAS = hexNumber(20_000_000);

export class Player {
  readonly protocol: Protocol;
  readonly #rpc: Rpc;
  readonly #codec: Codec;

  constructor(rpc: Rpc, world: World, protocol: Protocol) {
    this.#rpc = rpc;
    this.protocol = protocol;
    this.#codec = new Codec(world.contracts);
  }

  /**
   * Plays steps in one block of the chain, in order, and on the model.
   * @throws Error naming the first step whose results differ, with the first difference
   */
  async play(now: bigint, steps: readonly Step[]): Promise<Outcome[]> {
    const hashes: Hex[] = [];
    for (const { from, call } of steps) {
      const data = this.#codec.encodeCall(call);
      const transaction = { from, to: call.to, data, gas: TRANSACTION_GAS };
      hashes.push(await this.#rpc.send<Hex>("eth_sendTransaction", transaction));
    }
    await this.#rpc.send("evm_mine", hexNumber(now));
    const receipts = await this.#rpc.send<Receipt[]>("eth_getBlockReceipts", "latest");
    const outcomes: Outcome[] = [];
    for (const [index, { from, call }] of steps.entries()) {
      const receipt = receipts[index];
      if (receipt === undefined || receipt.transactionHash !== hashes[index]) {
        throw new Error(`transaction ${index} of the block was not mined in its order`);
      }
      const outcome = this.protocol.transact(now, from, call);
      const difference = firstDifference(
        this.#outcomeLines(outcome.revert ?? outcome.events),
        this.#outcomeLines(await this.#chainOutcome(receipt)),
      );
      if (difference) throw new Error(`${this.describe(from, call)}\n${difference}`);
      outcomes.push(outcome);
    }
    return outcomes;
  }

  /**
   * Compares the results of views at a time after the last block.
   * @param from the sender, for calls of transactions, which are only simulated
   * @throws Error naming the first view that differs
   */
  async compareViews(now: bigint, calls: readonly Call[], from?: Address): Promise<void> {
    const requests = calls.map((call): RpcRequest => {
      const data = this.#codec.encodeCall(call);
      const time = hexNumber(now);
      return { method: "eth_call", params: [{ from, to: call.to, data }, "latest", null, { time }] };
    });
    const answers = await this.#rpc.batch(requests);
    for (const [index, call] of calls.entries()) {
      const answer = answers[index];
      if (answer === undefined) throw new Error("the node left a request unanswered");
      const chain =
        "error" in answer
          ? this.#codec.decodeRevert(answer.error.data, answer.error.message)
          : this.#codec.decodeResult(call, answer.result as Hex);
      const model = from === undefined ? this.protocol.view(now, call) : this.protocol.simulate(now, from, call);
      const difference = firstDifference([textOf(model)], [textOf(chain)]);
      if (difference) throw new Error(`${this.describe(from, call)} at ${now}\n${difference}`);
    }
  }

  describe(from: Address | undefined, { to, functionName, args }: Call): string {
    const name = this.#codec.nameOf(to);
    return `${name}.${functionName}(${args.map(textOf).join(", ")})${from === undefined ? "" : ` from ${from}`}`;
  }

  async #chainOutcome({ transactionHash, status, logs }: Receipt): Promise<Revert | ModelEvent[]> {
    if (status === "0x1") return logs.map((log) => this.#known(log));
    const options = { tracer: "callTracer" };
    const trace = await this.#rpc.send<{ output?: Hex; error?: string }>(
      "debug_traceTransaction",
      transactionHash,
      options,
    );
    return this.#codec.decodeRevert(trace.output, trace.error ?? "no reason");
  }

  #known(log: Log): ModelEvent {
    const event = this.#codec.decodeLog(log);
    if (!event) throw new Error(`${this.#codec.nameOf(log.address)} emitted an event that no interface declares`);
    return event;
  }

  /**
   * Returns one line per event: those of CoreSwap and the delegates in order, and then those of the tokens, sorted,
   * because the specification does not define their order.
   */
  #outcomeLines(outcome: Revert | readonly ModelEvent[]): string[] {
    if (outcome instanceof Revert) return [textOf(outcome)];
    const lines = new Map<string, string[]>();
    for (const { contract, name, args } of outcome) {
      const source = this.#codec.nameOf(contract);
      lines.set(source, [...(lines.get(source) ?? []), `${source}: ${name}(${args.map(textOf).join(", ")})`]);
    }
    return [...lines.entries()]
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .flatMap(([source, events]) => (source.endsWith("token") ? events.sort() : events));
  }
}
