/** Roles of a contract, and who may change them. */
import { type Address, type Hex, keccak256, stringToHex, zeroHash } from "viem";
import { type Cell, demand, type State, type Table } from "../state.ts";

/** The identifier of a role: zero for the default administrator, and otherwise the hash of its name. */
export function roleId(name: string): Hex {
  return name === "DEFAULT_ADMIN_ROLE" ? zeroHash : keccak256(stringToHex(name));
}

export class Roles {
  readonly #state: State;
  readonly #contract: Address;
  readonly #members: Table<boolean>;
  readonly #administratorCount: Cell<bigint>;

  constructor(state: State, contract: Address, admin: Address) {
    this.#state = state;
    this.#contract = contract;
    this.#members = state.table(false);
    this.#administratorCount = state.cell(0n);
    this.give("DEFAULT_ADMIN_ROLE", admin);
  }

  /** Gives a role, as an initializer does. */
  give(name: string, account: Address): void {
    this.#add(roleId(name), account);
  }

  #add(role: Hex, account: Address): void {
    if (role === roleId("DEFAULT_ADMIN_ROLE")) this.#administratorCount.value += 1n;
    this.#members.set([role, account], true);
  }

  /** A transaction of an administrator. */
  grant(role: Hex, account: Address): void {
    this.demand("DEFAULT_ADMIN_ROLE");
    if (this.#members.get(role, account)) return;
    this.#add(role, account);
    this.#state.emit(this.#contract, "RoleGranted", role, account, this.#state.caller);
  }

  /** A transaction of an administrator. */
  revoke(role: Hex, account: Address): void {
    this.demand("DEFAULT_ADMIN_ROLE");
    this.#remove(role, account);
  }

  /** A transaction of a holder, who must name itself. */
  renounce(role: Hex, account: Address): void {
    demand(account === this.#state.caller, "AccessControlBadConfirmation");
    this.#remove(role, account);
  }

  #remove(role: Hex, account: Address): void {
    if (!this.#members.get(role, account)) return;
    if (role === roleId("DEFAULT_ADMIN_ROLE")) {
      demand(this.#administratorCount.value > 1n, "LastAdministrator");
      this.#administratorCount.value -= 1n;
    }
    this.#members.set([role, account], false);
    this.#state.emit(this.#contract, "RoleRevoked", role, account, this.#state.caller);
  }

  has(name: string, account: Address): boolean {
    return this.#members.get(roleId(name), account);
  }

  /** Refuses the sender of the transaction unless it has the role. */
  demand(name: string): void {
    const { caller } = this.#state;
    demand(this.has(name, caller), "AccessControlUnauthorizedAccount", caller, roleId(name));
  }
}
