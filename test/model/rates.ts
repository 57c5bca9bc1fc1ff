/** Daily rates of the treasury's yield: posting, correcting, and the cumulative index. */
import type { Address } from "viem";
import { dayOf, E36, mulDivDown, WAD } from "./arithmetic.ts";
import { dailyGrowth } from "./growth.ts";
import { type Cell, demand, type State, type Table } from "./state.ts";

interface PostedDay {
  /** Net APY, WAD. */
  readonly netWad: bigint;
  /** Growth of the day, WAD. */
  readonly growthWad: bigint;
  /** Growth of all posted days through this one, at scale 1e36. */
  readonly indexE36: bigint;
}

const MAX_MANAGEMENT_FEE = (5n * WAD) / 100n;
const MAX_DAILY_RATE = WAD;
const DEFAULT_DAILY_RATE_CAP = WAD / 5n;
const DEFAULT_FALLBACK_SECONDS = 3n * 86_400n;

export class DailyRates {
  readonly firstDay: Cell<bigint>;
  readonly lastDay: Cell<bigint>;
  readonly managementFee: Cell<bigint>;
  readonly maxDailyRate: Cell<bigint>;
  readonly maxFallbackSeconds: Cell<bigint>;
  readonly #state: State;
  readonly #delegate: Address;
  readonly #initialRateWad: bigint;
  readonly #initializationDay: bigint;
  readonly #days: Table<PostedDay | null>;

  constructor(
    state: State,
    delegate: Address,
    initial: { readonly rateWad: bigint; readonly managementFeeWad: bigint; readonly timestamp: bigint },
  ) {
    this.#state = state;
    this.#delegate = delegate;
    this.#initialRateWad = initial.rateWad;
    this.#initializationDay = dayOf(initial.timestamp);
    this.#days = state.table<PostedDay | null>(null);
    this.firstDay = state.cell(0n);
    this.lastDay = state.cell(0n);
    this.managementFee = state.cell(initial.managementFeeWad);
    this.maxDailyRate = state.cell(DEFAULT_DAILY_RATE_CAP);
    this.maxFallbackSeconds = state.cell(DEFAULT_FALLBACK_SECONDS);
  }

  /**
   * Posts the rate of the next expected finished day. The growth of that day applies to the index of the day before.
   */
  post(day: bigint, grossWad: bigint): void {
    const today = dayOf(this.#state.now);
    demand(day <= today, "CannotPostFutureRate", day, today);
    demand(day < today, "CannotPostRateForUnfinishedDay", day, today);
    demand(!this.isPosted(day), "RateAlreadyPosted", day);
    const isFirst = this.lastDay.value === 0n;
    if (isFirst) {
      const earliest = this.#initializationDay - 1n;
      demand(day >= earliest, "MustPostSequentially", day, earliest);
    } else {
      const next = this.lastDay.value + 1n;
      demand(day === next, "MustPostSequentially", day, next);
    }
    this.#demandWithinCap(grossWad);
    this.#write(day, this.#net(grossWad));
    this.lastDay.value = day;
    if (isFirst) {
      this.firstDay.value = day;
      this.#state.emit(this.#delegate, "FirstRatePosted", day);
    }
    this.#state.emit(this.#delegate, "DailyRatePosted", day, this.rateOf(day), this.#state.caller);
  }

  /**
   * Corrects a posted day with the current management fee, and computes the index through the last posted day again.
   */
  correct(day: bigint, grossWad: bigint): void {
    const first = this.firstDay.value;
    const last = this.lastDay.value;
    demand(first !== 0n && day >= first, "CannotCorrectBeforeFirstRate", day, first);
    demand(day <= last, "MustPostSequentially", day, last + 1n);
    this.#demandWithinCap(grossWad);
    const oldRate = this.rateOf(day);
    this.#write(day, this.#net(grossWad));
    for (let later = day + 1n; later <= last; later++) this.#write(later, this.rateOf(later));
    this.#state.emit(this.#delegate, "DailyRateCorrected", day, oldRate, this.rateOf(day), this.#state.caller);
  }

  setManagementFee(feeWad: bigint): void {
    demand(feeWad <= MAX_MANAGEMENT_FEE, "ManagementFeeTooHigh", feeWad);
    this.#state.emit(this.#delegate, "ManagementFeeUpdated", this.managementFee.value, feeWad);
    this.managementFee.value = feeWad;
  }

  setMaxDailyRate(rateWad: bigint): void {
    demand(rateWad <= MAX_DAILY_RATE, "InvalidRate");
    this.#state.emit(this.#delegate, "MaxDailyRateUpdated", this.maxDailyRate.value, rateWad);
    this.maxDailyRate.value = rateWad;
  }

  setMaxFallbackSeconds(seconds: bigint): void {
    const isWindow = seconds === 0n || (seconds >= 86_400n && seconds <= 7n * 86_400n);
    demand(isWindow, "InvalidFallbackRateWindow");
    this.#state.emit(this.#delegate, "MaxFallbackRateSecondsUpdated", this.maxFallbackSeconds.value, seconds);
    this.maxFallbackSeconds.value = seconds;
  }

  isPosted(day: bigint): boolean {
    return this.#days.get(String(day)) !== null;
  }

  /** Net APY of a posted day, or zero. */
  rateOf(day: bigint): bigint {
    return this.#days.get(String(day))?.netWad ?? 0n;
  }

  /** The rate returned for a day that is not posted. */
  initialNet(): bigint {
    return this.#net(this.#initialRateWad);
  }

  /** Growth of the last posted day, or zero before any post. */
  lastGrowth(): bigint {
    return this.#days.get(String(this.lastDay.value))?.growthWad ?? 0n;
  }

  /** Cumulative index at the end of a day. It is 1 before the first posted day. */
  indexAt(day: bigint): bigint {
    const posted = this.#days.get(String(day));
    if (posted === null && day > this.lastDay.value) throw new RangeError(`day ${day} has no index yet`);
    return posted?.indexE36 ?? E36;
  }

  /** The last day whose yield can be applied now: yesterday, or the last posted day when rates are late. */
  frontier(): bigint {
    const yesterday = dayOf(this.#state.now) - 1n;
    return this.lastDay.value < yesterday ? this.lastDay.value : yesterday;
  }

  #write(day: bigint, netWad: bigint): void {
    const growthWad = dailyGrowth(netWad);
    const before = this.#days.get(String(day - 1n))?.indexE36 ?? E36;
    this.#days.set(String(day), { netWad, growthWad, indexE36: mulDivDown(before, WAD + growthWad, WAD) });
  }

  #net(grossWad: bigint): bigint {
    const fee = this.managementFee.value;
    return grossWad > fee ? grossWad - fee : 0n;
  }

  #demandWithinCap(grossWad: bigint): void {
    demand(grossWad <= this.maxDailyRate.value, "RateTooHigh", grossWad, this.maxDailyRate.value);
  }
}
