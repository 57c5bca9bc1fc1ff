/** Contracts that CoreSwap calls: prices, holder registers and risk controls. */
import { type Address, zeroAddress } from "viem";
import { mulDivUp, WAD } from "../arithmetic.ts";
import { EMPTY_SUM, type LeakingSum, leak, roomFor } from "../dailyLimit.ts";
import { type Cell, demand, type State, type Table } from "../state.ts";
import { roleId } from "./roles.ts";

/** A price that anyone can set. */
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

export interface NavTerms {
  readonly poster: Address;
  readonly navWad: bigint;
  /** Largest relative move of one post, WAD. */
  readonly maxMoveWad: bigint;
  /** Largest sum of relative moves, WAD. The same amount leaks per day. */
  readonly maxMovePerDayWad: bigint;
  /** Seconds for which a post is served. Zero means unlimited. */
  readonly maxAge: bigint;
  /** When the first NAV was posted. */
  readonly timestamp: bigint;
}

/** A net asset value that a role posts, with bounds on its moves and its age. */
export class NavModel extends PriceModel {
  readonly #state: State;
  readonly #address: Address;
  readonly #terms: NavTerms;
  readonly #postedAt: Cell<bigint>;
  /** Relative moves, WAD. */
  readonly #moved: Cell<LeakingSum>;

  constructor(state: State, address: Address, terms: NavTerms) {
    super(state, terms.navWad);
    this.#state = state;
    this.#address = address;
    this.#terms = terms;
    this.#postedAt = state.cell(terms.timestamp);
    this.#moved = state.cell(EMPTY_SUM);
  }

  override getPrice(): bigint {
    const { maxAge } = this.#terms;
    const postedAt = this.#postedAt.value;
    demand(maxAge === 0n || this.#state.now - postedAt <= maxAge, "StaleNav", postedAt, maxAge);
    return super.getPrice();
  }

  navWad(): bigint {
    return super.getPrice();
  }

  postNav(navWad: bigint): void {
    const { poster, maxMoveWad } = this.#terms;
    const { caller } = this.#state;
    demand(caller === poster, "AccessControlUnauthorizedAccount", caller, roleId("NAV_POSTER_ROLE"));
    demand(navWad > 0n && navWad < 2n ** 192n, "InvalidNav", navWad);
    const last = this.navWad();
    const move = navWad > last ? navWad - last : last - navWad;
    demand(move * WAD <= maxMoveWad * last, "NavMoveTooLarge", last, navWad, maxMoveWad);
    // Posting the current value again does not change the sum.
    if (move > 0n) this.#countMove(mulDivUp(move, WAD, last));
    this.setPrice(navWad);
    this.#postedAt.value = this.#state.now;
    this.#state.emit(this.#address, "NavPosted", navWad, caller);
  }

  /** The amount by which the NAV may move now, WAD. */
  availableMoveWad(): bigint {
    const { maxMovePerDayWad } = this.#terms;
    return roomFor(leak(this.#moved.value, maxMovePerDayWad, this.#state.now), maxMovePerDayWad);
  }

  #countMove(moveWad: bigint): void {
    const { maxMovePerDayWad } = this.#terms;
    const moved = leak(this.#moved.value, maxMovePerDayWad, this.#state.now);
    const availableWad = roomFor(moved, maxMovePerDayWad);
    demand(moveWad <= availableWad, "NavDailyMoveTooLarge", moveWad, availableWad);
    this.#moved.value = { ...moved, amount: moved.amount + moveWad };
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
