/**
 * Replays a chain on the model: administration from its events, and swaps and accruals from their calldata. Every
 * `Swap` event is predicted and compared, so that sums of the predictions are independent of the contracts' numbers.
 */
import {
  type Address,
  decodeFunctionData,
  getAbiItem,
  getAddress,
  type Hex,
  maxUint256,
  toFunctionSelector,
  zeroAddress,
} from "viem";
import { nestedSwapperAbi } from "../../localnet/abis.ts";
import { artifactOf } from "../../localnet/artifacts.ts";
import type { ChainLog, ChainSnapshot, ChainTransaction } from "../e2e/oracle/chain.ts";
import type { Contracts, RealizedLeg } from "../e2e/oracle/history.ts";
import { type Call, Protocol } from "./contracts/protocol.ts";
import { Codec, type Log } from "./player/codec.ts";
import { firstDifference, textOf } from "./player/text.ts";
import type { Deployed } from "./player/world.ts";
import { AdministrationReplay } from "./replayAdministration.ts";
import type { ModelEvent } from "./state.ts";

export interface ReplayedChain {
  /** Predicted legs, oldest first. */
  readonly legs: readonly RealizedLeg[];
  /** The number of prefunds and sweeps among them. */
  readonly derivedLegCount: number;
}

interface Swapped {
  readonly caller: Address;
  readonly call: Call;
}

/**
 * Replays a chain.
 * @throws Error naming the first transaction whose `Swap` events differ from the predicted ones
 */
export function replayChain(chain: ChainSnapshot, contracts: Contracts): ReplayedChain {
  return new Replay(chain, contracts).run();
}

class Replay {
  readonly #chain: ChainSnapshot;
  readonly #core: Address;
  readonly #protocol = new Protocol();
  readonly #codec: Codec;
  readonly #administration: AdministrationReplay;
  /** Balances by token and account, according to the Transfer events. */
  readonly #balances = new Map<Address, Map<Address, bigint>>();
  readonly #legs: RealizedLeg[] = [];
  #derivedLegCount = 0;

  constructor(chain: ChainSnapshot, contracts: Contracts) {
    this.#chain = chain;
    this.#core = getAddress(contracts.coreSwap);
    const core = { name: "core", address: this.#core, abi: artifactOf("CoreSwap").abi };
    const registrations = eventsOf(chain, new Codec([core]));
    this.#codec = new Codec([core, ...registeredContracts(registrations)]);
    this.#administration = new AdministrationReplay(this.#protocol, this.#core, registrations);
  }

  run(): ReplayedChain {
    for (const transaction of this.#chain.transactions) {
      if (transaction.status !== "success") continue;
      const events = decodeLogs(transaction, this.#codec);
      const call = this.#callOf(transaction);
      if (call) this.#replayCall(transaction, call, events);
      else {
        const swap = events.find((event) => event.contract === this.#core && event.name === "Swap");
        if (swap) throw new Error(`${transaction.hash} swaps in a way that the replay does not know`);
        this.#administration.apply(transaction.timestamp, events);
      }
      this.#followBalances(events);
      this.#protocol.state.takeEvents();
    }
    return { legs: this.#legs, derivedLegCount: this.#derivedLegCount };
  }

  /**
   * Returns the call that the model can run by itself: an accrual, or a swap that is called directly or nested in
   * another contract's call.
   */
  #callOf({ to, from, input }: ChainTransaction): Swapped | null {
    if (to === null) return null;
    const contract = getAddress(to);
    if (contract === this.#core) {
      const { functionName, args } = decodeFunctionData({ abi: artifactOf("CoreSwap").abi, data: input });
      return functionName === "swap"
        ? { caller: getAddress(from), call: { to: this.#core, functionName, args: args ?? [] } }
        : null;
    }
    if (this.#administration.isTreasuryDelegate(contract)) {
      const { functionName, args } = decodeFunctionData({ abi: artifactOf("TreasuryDelegate").abi, data: input });
      const isAccrual = functionName === "accrueInterest" || functionName === "batchAccrueInterest";
      return isAccrual ? { caller: getAddress(from), call: { to: contract, functionName, args: args ?? [] } } : null;
    }
    return this.#nestedSwap(contract, input);
  }

  #nestedSwap(contract: Address, input: Hex): Swapped | null {
    if (!input.startsWith(NESTED_SWAP_SELECTOR)) return null;
    const { args } = decodeFunctionData({ abi: nestedSwapperAbi, data: input });
    const [tokenIn, amountInMax, delegate, receiver, leg] = args;
    // The call of the contract itself includes the tokens that it pulls in and approves.
    const token = this.#protocol.token(tokenIn);
    token.setBalance(contract, token.balanceOf(contract) + amountInMax);
    this.#administration.approve(token, contract, delegate, maxUint256);
    const permit = { deadline: 0n, signature: "0x" };
    const call = { to: this.#core, functionName: "swap", args: [contract, receiver, [leg], permit] };
    return { caller: contract, call };
  }

  #replayCall(transaction: ChainTransaction, { caller, call }: Swapped, events: readonly ModelEvent[]): void {
    const outcome = this.#protocol.transact(transaction.timestamp, caller, call);
    if (outcome.revert) throw new Error(`${transaction.hash}: the model reverts with ${outcome.revert.message}`);
    const swaps = (all: readonly ModelEvent[]) =>
      all.filter(({ contract, name }) => contract === this.#core && name === "Swap");
    const predicted = swaps(outcome.events);
    const lines = (all: readonly ModelEvent[]) => all.map(({ args }) => textOf(args));
    const difference = firstDifference(lines(predicted), lines(swaps(events)));
    if (difference) throw new Error(`${transaction.hash}\n${difference}`);
    for (const { args } of predicted) {
      if (args[3] === this.#core) this.#derivedLegCount += 1;
      this.#legs.push({
        blockNumber: transaction.blockNumber,
        timestamp: transaction.timestamp,
        ...this.#administration.worthOf(args),
      });
    }
  }

  /** After each transaction, the model takes over the balances of the chain. */
  #followBalances(events: readonly ModelEvent[]): void {
    for (const { contract, name, args } of events) {
      if (name !== "Transfer") continue;
      const [from, to, value] = args as [Address, Address, bigint];
      const balances = this.#balances.get(contract) ?? new Map<Address, bigint>();
      this.#balances.set(contract, balances);
      const token = this.#protocol.token(contract);
      for (const [account, change] of [
        [from, -value],
        [to, value],
      ] as const) {
        if (account === zeroAddress) continue;
        balances.set(account, (balances.get(account) ?? 0n) + change);
      }
      for (const account of [from, to]) {
        if (account !== zeroAddress) token.setBalance(account, balances.get(account) ?? 0n);
      }
    }
  }
}

const NESTED_SWAP_SELECTOR = toFunctionSelector(getAbiItem({ abi: nestedSwapperAbi, name: "swapFor" }));

function eventsOf({ transactions }: ChainSnapshot, codec: Codec): ModelEvent[] {
  return transactions.flatMap((transaction) => decodeLogs(transaction, codec));
}

function decodeLogs({ logs }: ChainTransaction, codec: Codec): ModelEvent[] {
  return logs.flatMap((log) => codec.decodeLog(toLog(log)) ?? []);
}

function toLog({ address, topics, data }: ChainLog): Log {
  return { address, topics: topics as Log["topics"], data };
}

/** Tokens, delegates and price adapters that were ever registered with CoreSwap. */
function registeredContracts(registrations: readonly ModelEvent[]): Deployed[] {
  const contracts = new Map<Address, Deployed>();
  const add = (address: Address, contract: string) => {
    if (address !== zeroAddress) contracts.set(address, { name: contract, address, abi: artifactOf(contract).abi });
  };
  for (const { name, args } of registrations) {
    if (name === "RwaPriceAdapterSet") add(args[1] as Address, "NavPriceAdapter");
    if (name === "RWAAcceptanceSet") add(args[2] as Address, "TestToken");
    if (name === "StablecoinAcceptanceSet") {
      const [, delegate, token, , , yieldBearing] = args as [Hex, Address, Address, number, boolean, boolean];
      add(delegate, yieldBearing ? "TreasuryDelegate" : "BalanceSheetDelegate");
      add(token, yieldBearing ? "Treasury" : "TestToken");
    }
  }
  return [...contracts.values()];
}
