/** The part that the delegates of all stablecoins share: custody, lists, intake caps, pause and the LP's rates. */
import { type Address, type Hex, maxUint96, zeroAddress } from "viem";
import { EMPTY_SUM, type LeakingSum, leak, roomFor } from "../dailyLimit.ts";
import { type Cell, demand, type State, type Table } from "../state.ts";
import type { CoreSwapModel } from "./coreSwap.ts";
import { Roles } from "./roles.ts";
import type { Token } from "./token.ts";

/** One leg to settle, as CoreSwap passes it to a delegate. */
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

/** The cap that does not limit intake. */
export const UNLIMITED_INTAKE = maxUint96;

/** Daily intake cap of an asset, and its intake; of a foreign one, net of payouts. Both are in units of the asset. */
interface Intake {
  readonly cap: bigint;
  readonly used: LeakingSum;
}

const NO_INTAKE: Intake = { cap: 0n, used: EMPTY_SUM };

export abstract class Delegate {
  readonly address: Address;
  readonly roles: Roles;
  protected readonly state: State;
  protected readonly core: CoreSwapModel;
  protected readonly token: Token;
  readonly #id: Hex;
  readonly #issuerAdmins: Table<boolean>;
  readonly #lists: Table<boolean>;
  readonly #intakes: Table<Intake>;
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
    this.#intakes = state.table(NO_INTAKE);
    this.#rwaCustody = state.cell<Address>(zeroAddress);
    this.#stablecoinCustody = state.cell<Address>(zeroAddress);
    this.#emergency = state.cell(false);
    this.#issuerPause = state.cell(false);
  }

  // Registration

  /** Returns whether this delegate names the CoreSwap, the ID and the token, and has yield exactly when it should. */
  matches(core: Address, id: Hex, token: Address, yieldBearing: boolean): boolean {
    const isNamed = this.core.address === core && this.#id === id && this.token.address === token;
    return isNamed && this.hasYield() === yieldBearing;
  }

  /** Returns whether redemptions read yield from this delegate. */
  hasYield(): boolean {
    return false;
  }

  // Issuer admins

  issuerAdmins(account: Address): boolean {
    return this.#issuerAdmins.get(account);
  }

  addIssuerAdmin(account: Address): void {
    this.#demandMayAppoint();
    demand(account !== zeroAddress, "InvalidIssuerAdmin");
    if (this.issuerAdmins(account)) return;
    this.#issuerAdmins.set(account, true);
    this.state.emit(this.address, "IssuerAdminAdded", account);
  }

  removeIssuerAdmin(account: Address): void {
    this.#demandMayAppoint();
    demand(account !== this.state.caller, "CannotRemoveSelf");
    demand(this.issuerAdmins(account), "InvalidIssuerAdmin");
    this.#issuerAdmins.set(account, false);
    this.state.emit(this.address, "IssuerAdminRemoved", account);
  }

  /** Issuer admins appoint each other. The administrator can remove all of them. */
  #demandMayAppoint(): void {
    if (!this.roles.has("DEFAULT_ADMIN_ROLE", this.state.caller)) this.demandIssuerAdmin();
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

  revokeCustody(): void {
    this.#lists.set(["custody", this.state.caller], false);
    this.state.emit(this.address, "CustodyRevoked", this.state.caller);
  }

  /** Unlisting only prevents naming the account again. The current custody stays. */
  setCustodyListing(account: Address, rwa: boolean, stablecoin: boolean): void {
    this.roles.demand("DEFAULT_ADMIN_ROLE");
    demand(account !== zeroAddress, "ZeroAddressNotAllowed");
    this.#lists.set(["listed as RWA custody", account], rwa);
    this.#lists.set(["listed as stablecoin custody", account], stablecoin);
    this.state.emit(this.address, "CustodyListingSet", account, rwa, stablecoin);
  }

  custodyListing(account: Address): readonly [rwa: boolean, stablecoin: boolean] {
    return [
      this.#lists.get("listed as RWA custody", account),
      this.#lists.get("listed as stablecoin custody", account),
    ];
  }

  setRWACustodyAddress(account: Address): void {
    const [isListed] = this.custodyListing(account);
    this.#setCustody(this.#rwaCustody, account, isListed, "RWACustodyAddressSet");
  }

  setStablecoinCustodyAddress(account: Address): void {
    const [, isListed] = this.custodyListing(account);
    this.#setCustody(this.#stablecoinCustody, account, isListed, "StablecoinCustodyAddressSet");
  }

  /** The delegate itself needs neither listing nor consent. */
  #setCustody(custody: Cell<Address>, account: Address, isListed: boolean, event: string): void {
    this.demandIssuerAdmin();
    demand(account !== zeroAddress, "ZeroAddressNotAllowed");
    const isAgreed = isListed && this.#lists.get("custody", account);
    demand(account === this.address || isAgreed, "AddressNotAllowed");
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

  // Intake caps

  /** The administrator may raise the cap. Issuer admins and `PAUSE_ROLE` may lower it. */
  setIntakeCap(asset: Address, cap: bigint): void {
    const { caller, now } = this.state;
    const { cap: current, used } = this.#intakes.get(asset);
    const mayLower = this.issuerAdmins(caller) || this.roles.has("PAUSE_ROLE", caller);
    if (cap > current || !mayLower) this.roles.demand("DEFAULT_ADMIN_ROLE");
    // Until now, the amount has leaked at the previous cap.
    this.#intakes.set(asset, { cap, used: { ...leak(used, current, now), since: now } });
    this.state.emit(this.address, "IntakeCapSet", asset, cap);
  }

  intakeCap(asset: Address): readonly [cap: bigint, available: bigint] {
    const { cap, used } = this.#intakes.get(asset);
    return [cap, cap === UNLIMITED_INTAKE ? cap : roomFor(leak(used, cap, this.state.now), cap)];
  }

  /** The initial cap of a plain stablecoin's LP's own stablecoin. That of every other asset is zero. */
  protected leaveOwnStablecoinUncapped(): void {
    this.#intakes.set(this.token.address, { ...NO_INTAKE, cap: UNLIMITED_INTAKE });
  }

  #countIntake(asset: Address, amount: bigint): void {
    const { cap, used } = this.#intakes.get(asset);
    if (cap === UNLIMITED_INTAKE) return;
    const left = leak(used, cap, this.state.now);
    const available = roomFor(left, cap);
    demand(amount <= available, "IntakeCapExceeded", asset, amount, available);
    this.#intakes.set(asset, { cap, used: { ...left, amount: left.amount + amount } });
  }

  /** A payout frees the same amount of the cap of the same asset, if intake was counted before. */
  #countPayout(asset: Address, amount: bigint): void {
    const { cap, used } = this.#intakes.get(asset);
    if (cap === UNLIMITED_INTAKE || used.amount === 0n) return;
    const left = leak(used, cap, this.state.now);
    this.#intakes.set(asset, { cap, used: { ...left, amount: left.amount > amount ? left.amount - amount : 0n } });
  }

  // Terms, which CoreSwap stores

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

  emergencyPaused(): boolean {
    return this.#emergency.value;
  }

  issuerPaused(): boolean {
    return this.#issuerPause.value;
  }

  /** The emergency cause for `PAUSE_ROLE`, and the LP's cause for issuer admins without that role. */
  #causeOfCaller(): Cell<boolean> {
    const { caller } = this.state;
    if (this.issuerAdmins(caller) && !this.roles.has("PAUSE_ROLE", caller)) return this.#issuerPause;
    this.roles.demand("PAUSE_ROLE");
    return this.#emergency;
  }

  #setPause(cause: Cell<boolean>, isPaused: boolean): void {
    demand(cause.value !== isPaused, isPaused ? "EnforcedPause" : "ExpectedPause");
    cause.value = isPaused;
    const { caller } = this.state;
    this.state.emit(this.address, "PauseCauseSet", caller, this.emergencyPaused(), this.issuerPaused());
    if (isPaused) this.state.emit(this.address, "Paused", caller);
    else if (!this.paused()) this.state.emit(this.address, "Unpaused", caller);
  }

  protected demandUnpaused(): void {
    demand(!this.paused(), "EnforcedPause");
  }

  protected demandIssuerAdmin(): void {
    demand(this.issuerAdmins(this.state.caller), "NotIssuerAdmin");
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

  protected take(token: Token, isRWA: boolean, user: Address, amount: bigint, counts = token !== this.token): void {
    if (amount === 0n) return;
    const custody = this.#custodyOf(isRWA);
    if (counts) this.#countIntake(token.address, amount);
    token.move(user, custody, amount, this.address);
  }

  protected pay(token: Token, isRWA: boolean, receiver: Address, amount: bigint): void {
    if (amount === 0n) return;
    const custody = this.#custodyOf(isRWA);
    if (token !== this.token) this.#countPayout(token.address, amount);
    token.move(custody, receiver, amount, this.address);
  }

  #custodyOf(isRWA: boolean): Address {
    const custody = (isRWA ? this.#rwaCustody : this.#stablecoinCustody).value;
    demand(custody !== zeroAddress, isRWA ? "SetRWACustodyAddress" : "SetStablecoinCustodyAddress");
    return custody;
  }
}

/** The delegate of a plain stablecoin. */
export class BalanceSheetDelegateModel extends Delegate {
  constructor(setup: DelegateSetup) {
    super(setup);
    this.leaveOwnStablecoinUncapped();
  }

  protected override move(leg: Settlement): void {
    const { user, vault, protocolFee, tokenIn, tokenOut } = leg;
    if (tokenIn === this.token) {
      // The fee is deducted from what the user pays, and never reaches the custody. What pays for RWAs of another
      // custody counts, and payouts of it make no room.
      const isApart = this.balanceSheetCustodyAddress() !== this.stablecoinCustodyAddress();
      this.take(tokenIn, false, user, leg.amountIn - protocolFee, leg.isRWAOut && isApart);
      if (protocolFee > 0n) tokenIn.move(user, vault, protocolFee, this.address);
      this.pay(tokenOut, leg.isRWAOut, leg.receiver, leg.amountOut);
      return;
    }
    this.take(tokenIn, leg.isRWAIn, user, leg.amountIn);
    this.pay(tokenOut, leg.isRWAOut, leg.receiver, leg.amountOut);
    this.pay(this.token, false, vault, protocolFee);
  }
}
