/** What the delegates of all stablecoins share: custody, lists, the pause with its two causes, and the LP's rates. */
import { type Address, type Hex, zeroAddress } from "viem";
import { type Cell, demand, type State, type Table } from "../state.ts";
import type { CoreSwapModel } from "./coreSwap.ts";
import { Roles } from "./roles.ts";
import type { Token } from "./token.ts";

/** One leg to settle, as CoreSwap hands it to a delegate. */
export interface Settlement {
  readonly user: Address;
  readonly receiver: Address;
  readonly vault: Address;
  readonly protocolFee: bigint;
  readonly tokenIn: Token;
  readonly isRWAIn: boolean;
  readonly amountIn: bigint;
  readonly tokenOut: Token;
  readonly isRWAOut: boolean;
  readonly amountOut: bigint;
}

export interface DelegateSetup {
  readonly state: State;
  readonly address: Address;
  readonly core: CoreSwapModel;
  readonly stablecoinID: Hex;
  readonly token: Token;
  readonly admin: Address;
  readonly issuerAdmin: Address;
}

export abstract class Delegate {
  readonly address: Address;
  readonly roles: Roles;
  protected readonly state: State;
  protected readonly core: CoreSwapModel;
  protected readonly token: Token;
  readonly #id: Hex;
  readonly #issuerAdmins: Table<boolean>;
  readonly #lists: Table<boolean>;
  readonly #rwaCustody: Cell<Address>;
  readonly #stablecoinCustody: Cell<Address>;
  readonly #emergency: Cell<boolean>;
  readonly #issuerPause: Cell<boolean>;

  constructor({ state, address, core, stablecoinID, token, admin, issuerAdmin }: DelegateSetup) {
    this.state = state;
    this.address = address;
    this.core = core;
    this.token = token;
    this.#id = stablecoinID;
    this.roles = new Roles(state, address, admin);
    this.roles.give("OPERATOR_ROLE", admin);
    this.roles.give("PAUSE_ROLE", admin);
    this.#issuerAdmins = state.table(false);
    this.#issuerAdmins.set(issuerAdmin, true);
    this.#lists = state.table(false);
    this.#rwaCustody = state.cell<Address>(zeroAddress);
    this.#stablecoinCustody = state.cell<Address>(zeroAddress);
    this.#emergency = state.cell(false);
    this.#issuerPause = state.cell(false);
  }

  // Custody

  balanceSheetCustodyAddress(): Address {
    return this.#rwaCustody.value;
  }

  stablecoinCustodyAddress(): Address {
    return this.#stablecoinCustody.value;
  }

  acceptCustody(): void {
    this.#lists.set(["custody", this.state.caller], true);
    this.state.emit(this.address, "CustodyAccepted", this.state.caller);
  }

  setRWACustodyAddress(account: Address): void {
    this.#setCustody(this.#rwaCustody, account, "RWACustodyAddressSet");
  }

  setStablecoinCustodyAddress(account: Address): void {
    this.#setCustody(this.#stablecoinCustody, account, "StablecoinCustodyAddressSet");
  }

  #setCustody(custody: Cell<Address>, account: Address, event: string): void {
    this.demandIssuerAdmin();
    demand(account !== zeroAddress, "ZeroAddressNotAllowed");
    demand(account === this.address || this.#lists.get("custody", account), "AddressNotAllowed");
    custody.value = account;
    this.state.emit(this.address, event, account);
  }

  // Lists

  blacklist(account: Address): boolean {
    return this.#lists.get("blacklist", account);
  }

  setBlacklist(account: Address, listed: boolean): void {
    this.#list("blacklist", account, listed, "BlacklistUpdated");
  }

  whitelistRWA(rwa: Address, accepted: boolean): void {
    this.#list("rwa", rwa, accepted, "RWAWhitelist");
  }

  whitelistStablecoin(stablecoin: Address, accepted: boolean): void {
    this.#list("stablecoin", stablecoin, accepted, "StablecoinWhitelist");
  }

  #list(list: string, account: Address, listed: boolean, event: string): void {
    this.demandIssuerAdmin();
    demand(account !== zeroAddress, "ZeroAddressNotAllowed");
    this.#lists.set([list, account], listed);
    this.state.emit(this.address, event, account, listed);
  }

  // Terms: kept by CoreSwap, which alone knows them

  setRWADiscountRate(rwaID: Hex, rate: bigint): void {
    this.demandIssuerAdmin();
    this.core.setPairRate("discount", this.#id, rwaID, rate);
    this.state.emit(this.address, "RWADiscountRateSet", rwaID, rate);
  }

  setRWARedemptionFee(rwaID: Hex, rate: bigint): void {
    this.demandIssuerAdmin();
    this.core.setPairRate("redemption", this.#id, rwaID, rate);
    this.state.emit(this.address, "RedemptionFeeSet", rwaID, rate);
  }

  setStablecoinAcceptanceFee(stablecoin: Address, rate: bigint): void {
    this.demandIssuerAdmin();
    this.core.setPairRate("acceptance", this.#id, stablecoin, rate);
    this.state.emit(this.address, "StablecoinAcceptanceFeeSet", stablecoin, rate);
  }

  setStablecoinRedemptionFee(stablecoin: Address, rate: bigint): void {
    this.demandIssuerAdmin();
    this.core.setPairRate("stablecoinRedemption", this.#id, stablecoin, rate);
    this.state.emit(this.address, "StablecoinRedemptionFeeSet", stablecoin, rate);
  }

  setAutoLiquidityStablecoinID(id: Hex): void {
    this.demandIssuerAdmin();
    this.core.setAutoLiquidity(this.#id, id);
    this.state.emit(this.address, "AutoLiquidityStablecoinIDSet", id);
  }

  // Pause

  paused(): boolean {
    return this.#emergency.value || this.#issuerPause.value;
  }

  pause(): void {
    this.#setPause(this.#causeOfCaller(), true);
  }

  unpause(): void {
    this.#setPause(this.#causeOfCaller(), false);
  }

  pauseCore(): void {
    this.demandIssuerAdmin();
    this.#setPause(this.#issuerPause, true);
  }

  unpauseCore(): void {
    this.demandIssuerAdmin();
    this.#setPause(this.#issuerPause, false);
  }

  /** The emergency cause for `PAUSE_ROLE`, the LP's for issuer admins without that role. */
  #causeOfCaller(): Cell<boolean> {
    if (this.roles.has("PAUSE_ROLE", this.state.caller)) return this.#emergency;
    this.demandIssuerAdmin();
    return this.#issuerPause;
  }

  #setPause(cause: Cell<boolean>, isPaused: boolean): void {
    demand(cause.value !== isPaused, isPaused ? "EnforcedPause" : "ExpectedPause");
    cause.value = isPaused;
    this.state.emit(this.address, isPaused ? "Paused" : "Unpaused", this.state.caller);
  }

  protected demandUnpaused(): void {
    demand(!this.paused(), "EnforcedPause");
  }

  protected demandIssuerAdmin(): void {
    demand(this.#issuerAdmins.get(this.state.caller), "NotIssuerAdmin");
  }

  // Settlement

  /** Moves the tokens of one leg. */
  settle(leg: Settlement): void {
    this.demandUnpaused();
    for (const party of [leg.user, leg.receiver]) demand(!this.blacklist(party), "AddressBlacklisted", party);
    const custodies: readonly Address[] = [
      this.address,
      this.balanceSheetCustodyAddress(),
      this.stablecoinCustodyAddress(),
    ];
    demand(!custodies.includes(leg.user) && !custodies.includes(leg.receiver), "AddressNotAllowed");
    this.#demandDealtIn(leg.tokenIn, leg.isRWAIn);
    this.#demandDealtIn(leg.tokenOut, leg.isRWAOut);
    this.move(leg);
  }

  #demandDealtIn(token: Token, isRWA: boolean): void {
    if (token === this.token) return;
    if (isRWA) demand(this.#lists.get("rwa", token.address), "RWANotWhitelisted");
    else demand(this.#lists.get("stablecoin", token.address), "StablecoinNotWhitelisted", token.address);
  }

  protected abstract move(leg: Settlement): void;

  protected take(token: Token, isRWA: boolean, user: Address, amount: bigint): void {
    if (amount > 0n) token.move(user, this.#custodyOf(isRWA), amount, this.address);
  }

  protected pay(token: Token, isRWA: boolean, receiver: Address, amount: bigint): void {
    if (amount > 0n) token.move(this.#custodyOf(isRWA), receiver, amount, this.address);
  }

  #custodyOf(isRWA: boolean): Address {
    const custody = (isRWA ? this.#rwaCustody : this.#stablecoinCustody).value;
    demand(custody !== zeroAddress, isRWA ? "SetRWACustodyAddress" : "SetStablecoinCustodyAddress");
    return custody;
  }
}

/** The delegate of a plain stablecoin. */
export class BalanceSheetDelegateModel extends Delegate {
  protected override move(leg: Settlement): void {
    const { user, vault, protocolFee, tokenIn, tokenOut } = leg;
    if (tokenIn === this.token) {
      // The fee comes out of what the user pays and never reaches custody.
      this.take(tokenIn, false, user, leg.amountIn - protocolFee);
      if (protocolFee > 0n) tokenIn.move(user, vault, protocolFee, this.address);
      this.pay(tokenOut, leg.isRWAOut, leg.receiver, leg.amountOut);
      return;
    }
    this.take(tokenIn, leg.isRWAIn, user, leg.amountIn);
    this.pay(tokenOut, leg.isRWAOut, leg.receiver, leg.amountOut);
    this.pay(this.token, false, vault, protocolFee);
  }
}
