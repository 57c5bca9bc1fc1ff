/** The credits of one account, without side effects: withheld queue, main credits, accrual, merging and redemption. */
import type { Address } from "viem";
import { DAY_SECONDS, dayOf, E36, firstDayFrom, min, mulDivDown, mulDivUp, WAD } from "./arithmetic.ts";
import type { DailyRates } from "./rates.ts";
import { demand } from "./state.ts";

const QUEUE_BOUND = 64;
const HOLD_SECONDS = 86_400n;

/** The deposits of one day: those of one token and kind by the account itself, or all those that others made for it. */
interface WithheldRecord {
  readonly tokenAddress: Address;
  readonly credits: bigint;
  readonly releaseTimestamp: bigint;
  readonly earningStartTimestamp: bigint;
  readonly isRWA: boolean;
  /** Whether somebody else paid. Token and kind are then those of the first such deposit. */
  readonly isOthers: boolean;
}

export interface CreditAccount {
  /** Main credits. */
  readonly credits: bigint;
  /** Value of one main credit, at scale 1e36. */
  readonly multiplierE36: bigint;
  /** Last day included in the multiplier, or zero without main credits. */
  readonly lastAccrualDay: bigint;
  /** Oldest first. */
  readonly queue: readonly WithheldRecord[];
}

/** Without main credits, the multiplier is 1 and no day has accrued. */
export const EMPTY_ACCOUNT: CreditAccount = { credits: 0n, multiplierE36: E36, lastAccrualDay: 0n, queue: [] };

export interface AccrualLimits {
  readonly maxDays: bigint;
  readonly maxRecords: bigint;
}

export interface Accrual {
  readonly account: CreditAccount;
  readonly daysAccrued: bigint;
  /** The account after the accrued days, before merging. */
  readonly afterDays: CreditAccount;
  readonly merges: readonly { readonly pendingAmount: bigint; readonly newCredits: bigint }[];
  readonly dailyAccrualComplete: boolean;
  readonly creditsFullyMerged: boolean;
}

/**
 * Accrues main credits through the frontier, and then merges eligible records from the front. Merges none while days
 * are left.
 */
export function accrue(before: CreditAccount, rates: DailyRates, now: bigint, limits: AccrualLimits): Accrual {
  let account = before;
  let daysAccrued = 0n;
  if (before.credits > 0n && rates.frontier() > before.lastAccrualDay) {
    const lastAccrualDay = min(rates.frontier(), before.lastAccrualDay + limits.maxDays);
    daysAccrued = lastAccrualDay - before.lastAccrualDay;
    const multiplierE36 = mulDivDown(
      before.multiplierE36,
      rates.indexAt(lastAccrualDay),
      rates.indexAt(before.lastAccrualDay),
    );
    account = { ...before, lastAccrualDay, multiplierE36 };
  }
  const afterDays = account;
  const dailyAccrualComplete = account.credits === 0n || account.lastAccrualDay >= rates.frontier();

  const merges: { pendingAmount: bigint; newCredits: bigint }[] = [];
  while (dailyAccrualComplete && BigInt(merges.length) < limits.maxRecords && isFrontEligible(account, rates, now)) {
    account = mergeFront(account, rates);
    merges.push({
      pendingAmount: before.queue[merges.length]?.credits ?? 0n,
      newCredits: account.credits,
    });
  }
  return {
    account,
    daysAccrued,
    afterDays,
    merges,
    dailyAccrualComplete,
    creditsFullyMerged: !isFrontEligible(account, rates, now),
  };
}

/** The day through which a record that merges now is valued. */
function mergeDay(account: CreditAccount, rates: DailyRates): bigint {
  return account.credits === 0n ? rates.frontier() : account.lastAccrualDay;
}

function isFrontEligible(account: CreditAccount, rates: DailyRates, now: bigint): boolean {
  const [front] = account.queue;
  // Nothing can merge before the first rate is posted.
  if (front === undefined || rates.lastDay.value === 0n) return false;
  return now >= front.releaseTimestamp && firstDayFrom(front.earningStartTimestamp) <= mergeDay(account, rates) + 1n;
}

function mergeFront(account: CreditAccount, rates: DailyRates): CreditAccount {
  const [front, ...queue] = account.queue;
  if (front === undefined) throw new RangeError("nothing to merge");
  const lastAccrualDay = mergeDay(account, rates);
  const start = rates.indexAt(firstDayFrom(front.earningStartTimestamp) - 1n);
  const grown = mulDivDown(E36, rates.indexAt(lastAccrualDay), start);
  return blend({ ...account, queue }, front.credits, grown, lastAccrualDay);
}

/** Adds main credits with another multiplier for the same day. */
function blend(account: CreditAccount, added: bigint, multiplierE36: bigint, lastAccrualDay: bigint): CreditAccount {
  const credits = account.credits + added;
  const blended = (account.credits * account.multiplierE36 + added * multiplierE36) / credits;
  return { ...account, credits, multiplierE36: blended, lastAccrualDay };
}

export interface Deposit {
  readonly tokenAddress: Address;
  readonly credits: bigint;
  readonly isRWA: boolean;
  /** Whether somebody other than the account paid. */
  readonly isOthers: boolean;
  readonly now: bigint;
  /**
   * A protocol fee is never refused: when the queue is full, it joins the last record, which then does not earn
   * earlier.
   */
  readonly isProtocolFee: boolean;
}

/** Adds a deposit to the queue of an account that has accrued and merged. */
export function withhold(account: CreditAccount, deposit: Deposit): CreditAccount {
  const { tokenAddress, credits, isRWA, isOthers, now, isProtocolFee } = deposit;
  const startOfTomorrow = (dayOf(now) + 1n) * DAY_SECONDS;
  const record: WithheldRecord = {
    tokenAddress,
    credits,
    releaseTimestamp: now + HOLD_SECONDS,
    earningStartTimestamp: isRWA ? now : startOfTomorrow,
    isRWA,
    isOthers,
  };
  return enqueue(account, record, isProtocolFee);
}

/** Adds a record of today to a queue: to the record that it joins, or as a new record. */
function enqueue(account: CreditAccount, record: WithheldRecord, joinsLastIfFull: boolean): CreditAccount {
  const { queue } = account;
  let place = queue.findLastIndex((entry) => joins(record, entry));
  if (place < 0 && queue.length >= QUEUE_BOUND) {
    demand(joinsLastIfFull, "QueueFull");
    place = queue.length - 1;
  }
  const entry = queue[place];
  if (entry !== undefined) return { ...account, queue: queue.with(place, joined(entry, record)) };
  // Own deposits stay in front of others' deposits of the same day, because each of those delays the release of their
  // record.
  const others = record.isOthers ? 0 : countOthersOfToday(queue, record);
  return { ...account, queue: queue.toSpliced(queue.length - others, 0, record) };
}

function joined(entry: WithheldRecord, record: WithheldRecord): WithheldRecord {
  const earnsEarlier = firstDayFrom(entry.earningStartTimestamp) < firstDayFrom(record.earningStartTimestamp);
  return {
    ...entry,
    credits: entry.credits + record.credits,
    releaseTimestamp: record.releaseTimestamp,
    earningStartTimestamp: earnsEarlier ? record.earningStartTimestamp : entry.earningStartTimestamp,
  };
}

/** Counts the records at the back of a queue that hold deposits of others on the day of a record. */
function countOthersOfToday(queue: readonly WithheldRecord[], record: WithheldRecord): number {
  const isOther = (entry: WithheldRecord) => entry.isOthers && isOfSameDay(entry, record);
  return queue.length - 1 - queue.findLastIndex((entry) => !isOther(entry));
}

/**
 * Returns whether two records have the same day, the same first day of earning and, for own deposits, the same token
 * and kind. An RWA deposit at midnight already earns on that day, and stays apart from later ones.
 */
function joins(record: WithheldRecord, entry: WithheldRecord): boolean {
  return (
    entry.isOthers === record.isOthers &&
    (record.isOthers || (entry.tokenAddress === record.tokenAddress && entry.isRWA === record.isRWA)) &&
    isOfSameDay(entry, record) &&
    firstDayFrom(entry.earningStartTimestamp) === firstDayFrom(record.earningStartTimestamp)
  );
}

function isOfSameDay(first: WithheldRecord, second: WithheldRecord): boolean {
  return dayOf(first.releaseTimestamp) === dayOf(second.releaseTimestamp);
}

export function totalWithheld(account: CreditAccount): bigint {
  return account.queue.reduce((total, { credits }) => total + credits, 0n);
}

export function availableCredits(account: CreditAccount): bigint {
  return account.credits + totalWithheld(account);
}

export interface Redemption {
  readonly account: CreditAccount;
  readonly fromWithheld: bigint;
  readonly fromMain: bigint;
}

/** Consumes credits: withheld credits from the back, and then main credits. */
export function consume(account: CreditAccount, amount: bigint): Redemption {
  demandCredits(account, amount);
  const fromWithheld = min(amount, totalWithheld(account));
  const fromMain = amount - fromWithheld;
  const { queue } = takeFromBack(account.queue, fromWithheld);
  const credits = account.credits - fromMain;
  const emptied = credits === 0n ? EMPTY_ACCOUNT : account;
  return { account: { ...emptied, credits, queue }, fromWithheld, fromMain };
}

/** Takes credits from the back of a queue that has enough. `taken` lists them, starting with the last record. */
function takeFromBack(records: readonly WithheldRecord[], amount: bigint) {
  const queue = [...records];
  const taken: WithheldRecord[] = [];
  for (let left = amount; left > 0n; ) {
    const last = queue.pop();
    if (last === undefined) throw new RangeError("the queue holds less than its total");
    const credits = min(last.credits, left);
    if (last.credits > credits) queue.push({ ...last, credits: last.credits - credits });
    taken.push({ ...last, credits });
    left -= credits;
  }
  return { queue, taken };
}

export interface Movement extends Redemption {
  /** The account that received the credits. */
  readonly target: CreditAccount;
}

/**
 * Moves credits between accounts that have accrued and merged completely. They leave as in a redemption. Withheld
 * credits are withheld for another 24 hours, in the same order, with the same token, kind and start of earning, and main
 * credits blend as in merging.
 */
export function moveCredits(from: CreditAccount, to: CreditAccount, amount: bigint, now: bigint): Movement {
  const movement = consume(from, amount);
  const { fromWithheld, fromMain } = movement;
  let target = to;
  for (const record of takeFromBack(from.queue, fromWithheld).taken.toReversed()) {
    target = enqueue(target, { ...record, releaseTimestamp: now + HOLD_SECONDS, isOthers: false }, false);
  }
  if (fromMain > 0n) target = blend(target, fromMain, from.multiplierE36, from.lastAccrualDay);
  return { ...movement, target };
}

/**
 * Returns what a redemption pays: withheld credits 1:1, main credits with their yield, and part of a day for
 * stablecoins.
 */
export function redeemable(
  account: CreditAccount,
  amount: bigint,
  rates: DailyRates,
  now: bigint,
  stablecoinWithdrawal: boolean,
): bigint {
  demandCredits(account, amount);
  const fromWithheld = min(amount, totalWithheld(account));
  const main = mulDivDown(amount - fromWithheld, account.multiplierE36, E36);
  const growth = partialDayGrowth(account, rates, now, stablecoinWithdrawal);
  return fromWithheld + main + mulDivDown(main, growth, DAY_SECONDS * WAD);
}

/** Returns the fewest credits whose redemption pays a target, in closed form. */
export function creditsForTarget(
  account: CreditAccount,
  target: bigint,
  rates: DailyRates,
  now: bigint,
  stablecoinWithdrawal: boolean,
): bigint {
  const withheld = totalWithheld(account);
  if (target <= withheld) return target;
  const day = DAY_SECONDS * WAD;
  const growth = partialDayGrowth(account, rates, now, stablecoinWithdrawal);
  const beforePartialDay = mulDivUp(target - withheld, day, day + growth);
  const needed = withheld + mulDivUp(beforePartialDay, E36, account.multiplierE36);
  demandCredits(account, needed);
  return needed;
}

/** Growth of the part of a day that no posted rate covers, times the seconds of a day, in WAD seconds. */
function partialDayGrowth(
  account: CreditAccount,
  rates: DailyRates,
  now: bigint,
  stablecoinWithdrawal: boolean,
): bigint {
  if (!stablecoinWithdrawal || account.credits === 0n) return 0n;
  const elapsed = now - (account.lastAccrualDay + 1n) * DAY_SECONDS;
  return elapsed <= 0n ? 0n : rates.lastGrowth() * min(elapsed, rates.maxFallbackSeconds.value);
}

function demandCredits(account: CreditAccount, amount: bigint): void {
  const available = availableCredits(account);
  demand(amount <= available, "InsufficientCredits", amount, available);
}
