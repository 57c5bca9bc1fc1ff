/** Plays transactions on a local chain and on the model, and compares what they do and what the views say. */
import {
  type Abi,
  type Address,
  decodeErrorResult,
  decodeEventLog,
  decodeFunctionResult,
  encodeFunctionData,
  getAddress,
  type Hex,
} from "viem";
import type { Call, Outcome, Protocol } from "../contracts/protocol.ts";
import { type ModelEvent, Revert } from "../state.ts";
import { hexNumber, type Rpc, type RpcRequest } from "./rpc.ts";
import { firstDifference, textOf } from "./text.ts";
import type { Deployed, Step, World } from "./world.ts";

interface Log {
  readonly address: Address;
  readonly topics: readonly [Hex, ...Hex[]];
  readonly data: Hex;
}

interface Receipt {
  readonly transactionHash: Hex;
  readonly status: Hex;
  readonly logs: readonly Log[];
}

/** Enough for eight deposits into a nearly full queue. */
const TRANSACTION_GAS = hexNumber(20_000_000);

export class Player {
  readonly protocol: Protocol;
  readonly #rpc: Rpc;
  readonly #contracts: ReadonlyMap<Address, Deployed>;
  readonly #errors: Abi;
  readonly #interfaces = new Map<string, { readonly abi: Abi; readonly functionName: string }>();

  constructor(rpc: Rpc, world: World, protocol: Protocol) {
    this.#rpc = rpc;
    this.protocol = protocol;
    this.#contracts = new Map(world.contracts.map((contract) => [contract.address, contract]));
    this.#errors = world.contracts.flatMap(({ abi }) => abi.filter(({ type }) => type === "error"));
  }

  /**
   * Plays steps in one block of the chain, in their order, and on the model.
   * @throws Error naming the first step that does not end alike, with the first difference
   */
  async play(now: bigint, steps: readonly Step[]): Promise<Outcome[]> {
    const hashes: Hex[] = [];
    for (const { from, call } of steps) {
      const data = encodeFunctionData({ ...this.#interface(call), args: call.args });
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
   * Compares the answers of views, at a time at which the last block stands.
   * @param from the sender, for calls that are transactions and are only simulated
   * @throws Error naming the first view that differs
   */
  async compareViews(now: bigint, calls: readonly Call[], from?: Address): Promise<void> {
    const requests = calls.map((call): RpcRequest => {
      const data = encodeFunctionData({ ...this.#interface(call), args: call.args });
      const time = hexNumber(now);
      return { method: "eth_call", params: [{ from, to: call.to, data }, "latest", null, { time }] };
    });
    const answers = await this.#rpc.batch(requests);
    for (const [index, call] of calls.entries()) {
      const answer = answers[index];
      if (answer === undefined) throw new Error("the node left a request unanswered");
      const chain =
        "error" in answer
          ? this.#decodeRevert(answer.error.data, answer.error.message)
          : decodeFunctionResult({ ...this.#interface(call), args: call.args, data: answer.result as Hex });
      const model = from === undefined ? this.protocol.view(now, call) : this.protocol.simulate(now, from, call);
      const difference = firstDifference([textOf(model)], [textOf(chain)]);
      if (difference) throw new Error(`${this.describe(from, call)} at ${now}\n${difference}`);
    }
  }

  describe(from: Address | undefined, { to, functionName, args }: Call): string {
    const name = this.#contracts.get(to)?.name ?? to;
    return `${name}.${functionName}(${args.map(textOf).join(", ")})${from === undefined ? "" : ` from ${from}`}`;
  }

  async #chainOutcome({ transactionHash, status, logs }: Receipt): Promise<Revert | ModelEvent[]> {
    if (status === "0x1") return logs.map((log) => this.#decodeLog(log));
    const options = { tracer: "callTracer" };
    const trace = await this.#rpc.send<{ output?: Hex; error?: string }>(
      "debug_traceTransaction",
      transactionHash,
      options,
    );
    return this.#decodeRevert(trace.output, trace.error ?? "no reason");
  }

  #decodeRevert(data: Hex | undefined, message: string): Revert {
    if (data === undefined || data === "0x") return new Revert(message, []);
    const { errorName, args } = decodeErrorResult({ abi: this.#errors, data });
    return new Revert(errorName, args ?? []);
  }

  #decodeLog({ address, topics, data }: Log): ModelEvent {
    const contract = getAddress(address);
    const deployed = this.#contracts.get(contract);
    if (deployed === undefined) throw new Error(`an event of ${contract}, which is no contract of the protocol`);
    const { eventName, args } = decodeEventLog({ abi: deployed.abi, topics: [...topics], data });
    const declaration = deployed.abi.find((item) => item.type === "event" && item.name === eventName);
    const inputs = declaration?.type === "event" ? declaration.inputs : [];
    const values = args as unknown as Readonly<Record<string, unknown>>;
    return { contract, name: eventName ?? "", args: inputs.map(({ name }) => values[name ?? ""]) };
  }

  /**
   * One line an event: those of CoreSwap and the delegates in their order, then those of the tokens, whose order is no
   * part of the specification, sorted.
   */
  #outcomeLines(outcome: Revert | readonly ModelEvent[]): string[] {
    if (outcome instanceof Revert) return [textOf(outcome)];
    const lines = new Map<string, string[]>();
    for (const { contract, name, args } of outcome) {
      const source = this.#contracts.get(contract)?.name ?? contract;
      lines.set(source, [...(lines.get(source) ?? []), `${source}: ${name}(${args.map(textOf).join(", ")})`]);
    }
    return [...lines.entries()]
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .flatMap(([source, events]) => (source.endsWith("token") ? events.sort() : events));
  }

  /** The one declaration that a call needs: viem searches whole interfaces anew each time. */
  #interface({ to, functionName }: Call): { readonly abi: Abi; readonly functionName: string } {
    const key = `${to}.${functionName}`;
    const known = this.#interfaces.get(key);
    if (known) return known;
    const abi = this.#contracts.get(to)?.abi.filter((item) => item.type === "function" && item.name === functionName);
    if (abi?.length !== 1)
      throw new Error(`${this.describe(undefined, { to, functionName, args: [] })} is not one function`);
    const found = { abi, functionName };
    this.#interfaces.set(key, found);
    return found;
  }
}
