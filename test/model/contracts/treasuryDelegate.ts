/** The delegate of the treasury token, which settles by minting and burning, and accrues the yield of credits. */
import { type Address, zeroAddress } from "viem";
import { dayOf, E36, MAX_UINT256, mulDivDown, WAD } from "../arithmetic.ts";
import {
  type Accrual,
  type AccrualLimits,
  accrue,
  availableCredits,
  type CreditAccount,
  consume,
  creditsForTarget,
  type Deposit,
  EMPTY_ACCOUNT,
  moveCredits,
  type Redemption,
  redeemable,
  totalWithheld,
  withhold,
} from "../credits.ts";
import { DailyRates } from "../rates.ts";
import { demand, type Table } from "../state.ts";
import { Delegate, type DelegateSetup, type Settlement } from "./delegate.ts";
import type { TreasuryToken } from "./token.ts";

const UNLIMITED: AccrualLimits = { maxDays: MAX_UINT256, maxRecords: MAX_UINT256 };
const MAX_MULTIPLIER = 10n * WAD;

export interface TreasuryDelegateSetup extends DelegateSetup {
  readonly token: TreasuryToken;
  readonly initialRate: bigint;
  readonly managementFee: bigint;
  readonly ratePoster: Address;
  /** Time of the initialization. */
  readonly timestamp: bigint;
}

export class TreasuryDelegateModel extends Delegate {
  readonly #rates: DailyRates;
  readonly #accounts: Table<CreditAccount>;

  constructor(setup: TreasuryDelegateSetup) {
    super(setup);
    this.roles.give("RATE_POSTER_ROLE", setup.ratePoster);
    this.#rates = new DailyRates(setup.state, setup.address, {
      rateWad: setup.initialRate,
      managementFeeWad: setup.managementFee,
      timestamp: setup.timestamp,
    });
    this.#accounts = setup.state.table(EMPTY_ACCOUNT);
  }

  // Rates

  postDailyRate(day: bigint, grossRate: bigint): void {
    this.roles.demand("RATE_POSTER_ROLE");
    this.#rates.post(day, grossRate);
  }

  correctDailyRate(day: bigint, grossRate: bigint): void {
    this.roles.demand("OPERATOR_ROLE");
    this.#rates.correct(day, grossRate);
  }

  setManagementFee(fee: bigint): void {
    this.demandIssuerAdmin();
    this.#rates.setManagementFee(fee);
  }

  setMaxDailyRate(rate: bigint): void {
    this.roles.demand("DEFAULT_ADMIN_ROLE");
    this.#rates.setMaxDailyRate(rate);
  }

  setMaxFallbackRateSeconds(seconds: bigint): void {
    this.roles.demand("DEFAULT_ADMIN_ROLE");
    this.#rates.setMaxFallbackSeconds(seconds);
  }

  dailyRates(day: bigint): bigint {
    return this.#rates.rateOf(day);
  }

  ratePosted(day: bigint): boolean {
    return this.#rates.isPosted(day);
  }

  getDailyRate(day: bigint): readonly [rate: bigint, posted: boolean] {
    const posted = this.#rates.isPosted(day);
    return [posted ? this.#rates.rateOf(day) : this.#rates.initialNet(), posted];
  }

  getCurrentDay(): bigint {
    return dayOf(this.state.now);
  }

  firstRateDay(): bigint {
    return this.#rates.firstDay.value;
  }

  lastRatePostingDay(): bigint {
    return this.#rates.lastDay.value;
  }

  managementFee(): bigint {
    return this.#rates.managementFee.value;
  }

  maxDailyRate(): bigint {
    return this.#rates.maxDailyRate.value;
  }

  maxFallbackRateSeconds(): bigint {
    return this.#rates.maxFallbackSeconds.value;
  }

  // Credits as stored

  credits(user: Address): bigint {
    return this.#accounts.get(user).credits;
  }

  totalWithheldCredits(user: Address): bigint {
    return totalWithheld(this.#accounts.get(user));
  }

  getWithheldCredits(user: Address): Omit<CreditAccount["queue"][number], "isOthers">[] {
    return this.#accounts.get(user).queue.map(({ isOthers: _, ...shown }) => shown);
  }

  yieldMultiplier(user: Address): bigint {
    return shown(this.#accounts.get(user));
  }

  lastAccrualDay(user: Address): bigint {
    return this.#accounts.get(user).lastAccrualDay;
  }

  // Projections: the state that a settlement in this block would see

  getYieldAmount(user: Address, amount: bigint, stablecoinWithdrawal: boolean): bigint {
    const { account } = this.#project(user, UNLIMITED);
    return redeemable(account, amount, this.#rates, this.state.now, stablecoinWithdrawal) - amount;
  }

  getAmountForTargetValue(user: Address, target: bigint, stablecoinWithdrawal: boolean): bigint {
    const { account } = this.#project(user, UNLIMITED);
    return creditsForTarget(account, target, this.#rates, this.state.now, stablecoinWithdrawal);
  }

  /** All credits of an account after accrual, in token units. */
  creditsOf(user: Address): bigint {
    return availableCredits(this.#accounts.get(user));
  }

  // Accrual

  accrueInterest(user: Address, maxDays: bigint, maxRecords: bigint): readonly [bigint, bigint, boolean, boolean] {
    this.demandUnpaused();
    demand(maxDays > 0n, "InvalidMaxDays");
    demand(maxRecords > 0n, "InvalidMaxRecords");
    const accrual = this.#accrue(user, { maxDays, maxRecords });
    const { daysAccrued, merges, dailyAccrualComplete, creditsFullyMerged } = accrual;
    return [daysAccrued, BigInt(merges.length), dailyAccrualComplete, creditsFullyMerged];
  }

  batchAccrueInterest(users: readonly Address[]): void {
    this.demandUnpaused();
    for (const user of users) this.#accrue(user, UNLIMITED);
  }

  setUserYieldMultiplier(user: Address, multiplier: bigint): void {
    this.roles.demand("DEFAULT_ADMIN_ROLE");
    const { account } = this.#accrue(user, UNLIMITED);
    const isAllowed = multiplier >= WAD && multiplier <= MAX_MULTIPLIER && account.credits > 0n;
    demand(isAllowed, "InvalidYieldMultiplier", multiplier);
    this.#accounts.set(user, { ...account, multiplierE36: multiplier * WAD });
    this.state.emit(this.address, "YieldMultiplierUpdated", user, shown(account), multiplier, this.state.caller);
  }

  /**
   * Zero in `to` cancels a move, and 2^256-1 as the amount means all. Neither the pause nor a blacklist prevents it.
   */
  moveCredits(from: Address, to: Address, amount: bigint): void {
    this.roles.demand("DEFAULT_ADMIN_ROLE");
    demand(from !== to, "AddressNotAllowed");
    const source = this.#accrue(from, UNLIMITED).account;
    const moved = amount === MAX_UINT256 ? availableCredits(source) : amount;
    let taken: Redemption;
    if (to === zeroAddress) taken = consume(source, moved);
    else {
      const movement = moveCredits(source, this.#accrue(to, UNLIMITED).account, moved, this.state.now);
      this.#accounts.set(to, movement.target);
      taken = movement;
    }
    this.#take(from, taken);
    this.state.emit(this.address, "CreditsMoved", from, to, taken.fromWithheld, taken.fromMain);
  }

  // Settlement

  override setIntakeCap(asset: Address, cap: bigint): void {
    demand(asset !== this.token.address, "AddressNotAllowed");
    super.setIntakeCap(asset, cap);
  }

  override hasYield(): boolean {
    return true;
  }

  protected override move(leg: Settlement): void {
    const { user, receiver, vault, protocolFee, tokenIn, tokenOut } = leg;
    if (tokenIn === this.token) {
      this.token.burnFrom(user, leg.amountIn, this.address);
      this.#redeem(user, leg.amountIn, !leg.isRWAOut);
      this.pay(tokenOut, leg.isRWAOut, receiver, leg.amountOut);
    } else {
      this.take(tokenIn, leg.isRWAIn, user, leg.amountIn);
      if (tokenOut === this.token) {
        const source = { tokenAddress: tokenIn.address, isRWA: leg.isRWAIn, isOthers: user !== receiver };
        this.#grant(receiver, leg.amountOut, { ...source, isProtocolFee: false });
      } else this.pay(tokenOut, leg.isRWAOut, receiver, leg.amountOut);
    }
    if (protocolFee > 0n) {
      const source = { tokenAddress: this.token.address, isRWA: false, isOthers: false };
      this.#grant(vault, protocolFee, { ...source, isProtocolFee: true });
    }
  }

  /** Mints tokens with credits. */
  #grant(account: Address, amount: bigint, source: Omit<Deposit, "credits" | "now">): void {
    const accrued = this.#accrue(account, UNLIMITED).account;
    this.#accounts.set(account, withhold(accrued, { ...source, credits: amount, now: this.state.now }));
    this.state.emit(this.address, "PendingCreditsAdded", account, amount, this.getCurrentDay());
    this.token.issue(account, amount, this.address);
  }

  #redeem(user: Address, amount: bigint, stablecoinWithdrawal: boolean): void {
    const accrued = this.#accrue(user, UNLIMITED).account;
    const value = redeemable(accrued, amount, this.#rates, this.state.now, stablecoinWithdrawal);
    this.#take(user, consume(accrued, amount));
    this.state.emit(this.address, "YieldClaimed", user, amount, value - amount, value);
  }

  /** Stores the remaining credits, and emits an event for each kind of credits taken. */
  #take(user: Address, { account, fromWithheld, fromMain }: Redemption): void {
    this.#accounts.set(user, account);
    if (fromWithheld > 0n) {
      this.state.emit(this.address, "WithheldCreditsReduced", user, fromWithheld, totalWithheld(account));
    }
    if (fromMain > 0n) this.state.emit(this.address, "MainCreditsReduced", user, fromMain, account.credits);
  }

  #accrue(user: Address, limits: AccrualLimits): Accrual {
    const before = this.#accounts.get(user);
    const accrual = this.#project(user, limits);
    const { account, daysAccrued, afterDays, merges } = accrual;
    if (daysAccrued > 0n) {
      const { lastAccrualDay } = afterDays;
      const firstDay = before.lastAccrualDay + 1n;
      this.state.emit(this.address, "InterestAccrued", user, firstDay, lastAccrualDay, daysAccrued, shown(afterDays));
    }
    for (const { pendingAmount, newCredits } of merges) {
      this.state.emit(this.address, "PendingCreditsMerged", user, pendingAmount, newCredits);
    }
    this.#accounts.set(user, account);
    return accrual;
  }

  #project(user: Address, limits: AccrualLimits): Accrual {
    return accrue(this.#accounts.get(user), this.#rates, this.state.now, limits);
  }
}

/** The multiplier as the interface returns it, in WAD. */
function shown({ multiplierE36 }: CreditAccount): bigint {
  return mulDivDown(multiplierE36, WAD, E36);
}
