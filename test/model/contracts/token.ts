/** ERC-20 tokens, including Treasury. Methods with names of the ABI are called by transactions and views. */
import { type Address, maxUint96, zeroAddress } from "viem";
import { MAX_UINT256 } from "../arithmetic.ts";
import { EMPTY_SUM, type LeakingSum, leak, roomFor } from "../dailyLimit.ts";
import { type Cell, demand, type State, type Table } from "../state.ts";
import { Roles, roleId } from "./roles.ts";

export class Token {
  readonly address: Address;
  readonly decimals: number;
  protected readonly state: State;
  readonly #balances: Table<bigint>;
  readonly #allowances: Table<bigint>;
  readonly #supply: Cell<bigint>;

  constructor(state: State, address: Address, decimals: number) {
    this.state = state;
    this.address = address;
    this.decimals = decimals;
    this.#balances = state.table(0n);
    this.#allowances = state.table(0n);
    this.#supply = state.cell(0n);
  }

  balanceOf(account: Address): bigint {
    return this.#balances.get(account);
  }

  totalSupply(): bigint {
    return this.#supply.value;
  }

  allowance(owner: Address, spender: Address): bigint {
    return this.#allowances.get(owner, spender);
  }

  approve(spender: Address, value: bigint): void {
    this.#allowances.set([this.state.caller, spender], value);
    this.state.emit(this.address, "Approval", this.state.caller, spender, value);
  }

  transfer(to: Address, value: bigint): void {
    this.move(this.state.caller, to, value, this.state.caller);
  }

  /** Anyone can mint test tokens. */
  mint(to: Address, value: bigint): void {
    this.issue(to, value, this.state.caller);
  }

  /** Takes over a balance, and thus the supply, from a chain whose other transactions are not replayed. */
  setBalance(account: Address, balance: bigint): void {
    this.#supply.value += balance - this.balanceOf(account);
    this.#balances.set(account, balance);
  }

  /** Moves tokens for a spender, who needs an allowance unless it is the owner. */
  move(from: Address, to: Address, value: bigint, spender: Address): void {
    this.spend(from, spender, value);
    this.checkParties(from, to, spender);
    this.#debit(from, value);
    this.#credit(to, value);
    this.state.emit(this.address, "Transfer", from, to, value);
  }

  issue(to: Address, value: bigint, minter: Address): void {
    this.checkParties(zeroAddress, to, minter);
    this.#supply.value += value;
    this.#credit(to, value);
    this.state.emit(this.address, "Transfer", zeroAddress, to, value);
  }

  burnFrom(from: Address, value: bigint, spender: Address): void {
    this.spend(from, spender, value);
    this.checkParties(from, zeroAddress, spender);
    this.#debit(from, value);
    this.#supply.value -= value;
    this.state.emit(this.address, "Transfer", from, zeroAddress, value);
  }

  /** Checks the token's requirements on the parties of a transfer. There are none here. */
  protected checkParties(_from: Address, _to: Address, _spender: Address): void {}

  protected spend(owner: Address, spender: Address, value: bigint): void {
    if (owner === spender) return;
    const allowance = this.allowance(owner, spender);
    if (allowance === MAX_UINT256) return;
    demand(allowance >= value, "ERC20InsufficientAllowance", spender, allowance, value);
    this.#allowances.set([owner, spender], allowance - value);
  }

  #debit(from: Address, value: bigint): void {
    const balance = this.balanceOf(from);
    demand(balance >= value, "ERC20InsufficientBalance", from, balance, value);
    this.#balances.set(from, balance - value);
  }

  #credit(to: Address, value: bigint): void {
    this.#balances.set(to, this.balanceOf(to) + value);
  }
}

const UNLIMITED = maxUint96;

/** The daily mint limit of a bridge, and the amount that counts against it. */
interface BridgeLimit {
  readonly perDay: bigint;
  readonly used: LeakingSum;
}

const NO_BRIDGE_LIMIT: BridgeLimit = { perDay: UNLIMITED, used: EMPTY_SUM };

/** The treasury token: minting to listed accounts, a blacklist that also applies to spenders, and a pause. */
export class TreasuryToken extends Token {
  readonly roles: Roles;
  readonly #whitelist: Table<boolean>;
  readonly #blacklist: Table<boolean>;
  readonly #paused: Cell<boolean>;
  readonly #bridgeLimits: Table<BridgeLimit>;

  constructor(state: State, address: Address, admin: Address) {
    super(state, address, 18);
    this.roles = new Roles(state, address, admin);
    this.#whitelist = state.table(false);
    this.#blacklist = state.table(false);
    this.#paused = state.cell(false);
    this.#bridgeLimits = state.table(NO_BRIDGE_LIMIT);
    this.roles.give("OPERATOR_ROLE", admin);
  }

  whitelisted(account: Address): boolean {
    return this.#whitelist.get(account);
  }

  blacklisted(account: Address): boolean {
    return this.#blacklist.get(account);
  }

  addToWhitelist(account: Address): void {
    this.#list(this.#whitelist, account, true, "WHITELISTER_ROLE", "AddedToWhitelist");
  }

  removeFromWhitelist(account: Address): void {
    this.#list(this.#whitelist, account, false, "WHITELISTER_ROLE", "RemovedFromWhitelist");
  }

  addToBlacklist(account: Address): void {
    this.#list(this.#blacklist, account, true, "BLACKLISTER_ROLE", "AddedToBlacklist");
  }

  removeFromBlacklist(account: Address): void {
    demand(this.blacklisted(account), "AccountNotBlacklisted", account);
    this.#list(this.#blacklist, account, false, "BLACKLISTER_ROLE", "RemovedFromBlacklist");
  }

  pause(): void {
    this.roles.demand("PAUSER_ROLE");
    demand(!this.#paused.value, "EnforcedPause");
    this.#paused.value = true;
    this.state.emit(this.address, "Paused", this.state.caller);
  }

  unpause(): void {
    this.roles.demand("PAUSER_ROLE");
    demand(this.#paused.value, "ExpectedPause");
    this.#paused.value = false;
    this.state.emit(this.address, "Unpaused", this.state.caller);
  }

  addBridge(bridge: Address): void {
    this.roles.demand("OPERATOR_ROLE");
    demand(bridge !== zeroAddress, "ZeroAddress");
    if (this.roles.has("BRIDGE_ROLE", bridge)) return;
    this.roles.give("BRIDGE_ROLE", bridge);
    this.state.emit(this.address, "RoleGranted", roleId("BRIDGE_ROLE"), bridge, this.state.caller);
    this.state.emit(this.address, "BridgeAdded", bridge);
  }

  /** `OPERATOR_ROLE` raises the limit, and `PAUSER_ROLE` lowers it. 2^96-1 means no limit. */
  setBridgeLimit(bridge: Address, perDay: bigint): void {
    demand(bridge !== zeroAddress, "ZeroAddress");
    const { perDay: current, used } = this.#bridgeLimits.get(bridge);
    const mayLower = this.roles.has("PAUSER_ROLE", this.state.caller);
    if (perDay > current || !mayLower) this.roles.demand("OPERATOR_ROLE");
    const { now } = this.state;
    this.#bridgeLimits.set(bridge, { perDay, used: { ...leak(used, current, now), since: now } });
    this.state.emit(this.address, "BridgeLimitSet", bridge, perDay);
  }

  bridgeLimit(bridge: Address): readonly [perDay: bigint, available: bigint] {
    const { perDay, used } = this.#bridgeLimits.get(bridge);
    return [perDay, perDay === UNLIMITED ? perDay : roomFor(leak(used, perDay, this.state.now), perDay)];
  }

  /** Mints what came from another chain. The receiver need not be on the whitelist. */
  bridgeMint(to: Address, amount: bigint): void {
    this.roles.demand("BRIDGE_ROLE");
    demand(to !== zeroAddress, "ZeroAddress");
    demand(amount > 0n, "InvalidAmount");
    const bridge = this.state.caller;
    const { perDay, used } = this.#bridgeLimits.get(bridge);
    if (perDay !== UNLIMITED) {
      const left = leak(used, perDay, this.state.now);
      const available = roomFor(left, perDay);
      demand(amount <= available, "BridgeLimitExceeded", bridge, amount, available);
      this.#bridgeLimits.set(bridge, { perDay, used: { ...left, amount: left.amount + amount } });
    }
    this.state.emit(this.address, "BridgeMint", bridge, to, amount);
    super.issue(to, amount, bridge);
  }

  override issue(to: Address, value: bigint, minter: Address): void {
    demand(this.whitelisted(to), "AccountNotWhitelisted", to);
    super.issue(to, value, minter);
  }

  protected override checkParties(from: Address, to: Address, spender: Address): void {
    demand(!this.#paused.value, "EnforcedPause");
    for (const party of [from, to, spender]) demand(!this.blacklisted(party), "AccountBlacklisted", party);
  }

  #list(list: Table<boolean>, account: Address, listed: boolean, role: string, event: string): void {
    this.roles.demand(role);
    if (list.get(account) === listed) return;
    list.set(account, listed);
    this.state.emit(this.address, event, account);
  }
}
