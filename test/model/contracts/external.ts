/** Contracts that CoreSwap asks: prices, holder registers, risk controls. */
import { type Address, zeroAddress } from "viem";
import { type Cell, demand, type State, type Table } from "../state.ts";

/** A price that anyone sets; of an RWA, or of a stablecoin as the guardrail sees it. */
export class PriceModel {
  readonly #price: Cell<bigint>;

  constructor(state: State, priceWad: bigint) {
    this.#price = state.cell(priceWad);
  }

  getPrice(): bigint {
    return this.#price.value;
  }

  setPrice(priceWad: bigint): void {
    this.#price.value = priceWad;
  }
}

export class HolderRegister {
  readonly #listed: Table<boolean>;

  constructor(state: State) {
    this.#listed = state.table(false);
  }

  isWhitelisted(account: Address): boolean {
    return this.#listed.get(account);
  }

  set(account: Address, listed: boolean): void {
    this.#listed.set(account, listed);
  }
}

/** A risk control with a running cap for each direction. */
export class RiskModel {
  readonly #capIn: Cell<bigint>;
  readonly #capOut: Cell<bigint>;
  readonly #lastUser: Cell<Address>;
  readonly #lastReceiver: Cell<Address>;

  constructor(state: State, capIn: bigint, capOut: bigint) {
    this.#capIn = state.cell(capIn);
    this.#capOut = state.cell(capOut);
    this.#lastUser = state.cell<Address>(zeroAddress);
    this.#lastReceiver = state.cell<Address>(zeroAddress);
  }

  capIn(): bigint {
    return this.#capIn.value;
  }

  capOut(): bigint {
    return this.#capOut.value;
  }

  lastUser(): Address {
    return this.#lastUser.value;
  }

  lastReceiver(): Address {
    return this.#lastReceiver.value;
  }

  checkRWAIn(user: Address, amount: bigint): void {
    demand(amount <= this.#capIn.value, "RWAValidityCheckFailed");
    this.#capIn.value -= amount;
    this.#lastUser.value = user;
  }

  checkRWAOut(receiver: Address, amount: bigint): void {
    demand(amount <= this.#capOut.value, "RWAValidityCheckFailed");
    this.#capOut.value -= amount;
    this.#lastReceiver.value = receiver;
  }
}
