/** Credits of one account: withheld queue, main credits, accrual, merging and redemption, without side effects. */
import type { Address } from "viem";
import { DAY_SECONDS, dayOf, E36, firstDayFrom, min, mulDivDown, mulDivUp, WAD } from "./arithmetic.ts";
import type { DailyRates } from "./rates.ts";
import { demand } from "./state.ts";

const QUEUE_BOUND = 64;
const HOLD_SECONDS = 86_400n;

/** One day's deposits of one token. */
interface WithheldRecord {
  readonly tokenAddress: Address;
  readonly credits: bigint;
  readonly releaseTimestamp: bigint;
  readonly earningStartTimestamp: bigint;
  readonly isRWA: boolean;
}

export interface CreditAccount {
  /** Main credits. */
  readonly credits: bigint;
  /** Value of a main credit, at scale 1e36. */
  readonly multiplierE36: bigint;
  /** Last day that the multiplier holds; zero without main credits. */
  readonly lastAccrualDay: bigint;
  /** Oldest first. */
  readonly queue: readonly WithheldRecord[];
}

/** Without main credits there is no multiplier but 1 and no day accrued. */
export const EMPTY_ACCOUNT: CreditAccount = { credits: 0n, multiplierE36: E36, lastAccrualDay: 0n, queue: [] };

export interface AccrualLimits {
  readonly maxDays: bigint;
  readonly maxRecords: bigint;
}

export interface Accrual {
  readonly account: CreditAccount;
  readonly daysAccrued: bigint;
  /** The account with those days and no merge yet. */
  readonly afterDays: CreditAccount;
  readonly merges: readonly { readonly pendingAmount: bigint; readonly newCredits: bigint }[];
  readonly dailyAccrualComplete: boolean;
  readonly creditsFullyMerged: boolean;
}

/** Main credits through the frontier first, then eligible records from the front; none while days are left. */
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

/** Day through which a record that merges now is valued. */
function mergeDay(account: CreditAccount, rates: DailyRates): bigint {
  return account.credits === 0n ? rates.frontier() : account.lastAccrualDay;
}

function isFrontEligible(account: CreditAccount, rates: DailyRates, now: bigint): boolean {
  const [front] = account.queue;
  // Before the first post there is nothing to merge at.
  if (front === undefined || rates.lastDay.value === 0n) return false;
  return now >= front.releaseTimestamp && firstDayFrom(front.earningStartTimestamp) <= mergeDay(account, rates) + 1n;
}

function mergeFront(account: CreditAccount, rates: DailyRates): CreditAccount {
  const [front, ...queue] = account.queue;
  if (front === undefined) throw new RangeError("nothing to merge");
  const lastAccrualDay = mergeDay(account, rates);
  const start = rates.indexAt(firstDayFrom(front.earningStartTimestamp) - 1n);
  const grown = mulDivDown(E36, rates.indexAt(lastAccrualDay), start);
  const credits = account.credits + front.credits;
  const multiplierE36 = (account.credits * account.multiplierE36 + front.credits * grown) / credits;
  return { credits, multiplierE36, lastAccrualDay, queue };
}

export interface Deposit {
  readonly tokenAddress: Address;
  readonly credits: bigint;
  readonly isRWA: boolean;
  readonly now: bigint;
  /** A protocol fee is never refused: with a full queue it joins the last record, which then earns from tomorrow on. */
  readonly isProtocolFee: boolean;
}

/** Adds a deposit to the queue of an account that has accrued and merged. */
export function withhold(account: CreditAccount, deposit: Deposit): CreditAccount {
  const { tokenAddress, credits, isRWA, now, isProtocolFee } = deposit;
  const startOfTomorrow = (dayOf(now) + 1n) * DAY_SECONDS;
  const record: WithheldRecord = {
    tokenAddress,
    credits,
    releaseTimestamp: now + HOLD_SECONDS,
    earningStartTimestamp: isRWA ? now : startOfTomorrow,
    isRWA,
  };
  const place = account.queue.findIndex((entry) => joins(record, entry));
  if (place >= 0) {
    const queue = account.queue.map((entry, index) =>
      index === place
        ? { ...entry, credits: entry.credits + credits, releaseTimestamp: record.releaseTimestamp }
        : entry,
    );
    return { ...account, queue };
  }
  const last = account.queue.at(-1);
  if (last !== undefined && account.queue.length >= QUEUE_BOUND) {
    demand(isProtocolFee, "QueueFull");
    const joined: WithheldRecord = {
      ...last,
      credits: last.credits + credits,
      releaseTimestamp: record.releaseTimestamp,
      earningStartTimestamp: startOfTomorrow,
    };
    return { ...account, queue: [...account.queue.slice(0, -1), joined] };
  }
  return { ...account, queue: [...account.queue, record] };
}

/** Same token, kind and deposit day. An RWA deposit at midnight earns that day and stays apart from later ones. */
function joins(record: WithheldRecord, entry: WithheldRecord): boolean {
  return (
    entry.tokenAddress === record.tokenAddress &&
    entry.isRWA === record.isRWA &&
    dayOf(entry.releaseTimestamp) === dayOf(record.releaseTimestamp) &&
    firstDayFrom(entry.earningStartTimestamp) === firstDayFrom(record.earningStartTimestamp)
  );
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

/** Consumes credits: withheld ones from the back, then main ones. */
export function consume(account: CreditAccount, amount: bigint): Redemption {
  demandCredits(account, amount);
  const fromWithheld = min(amount, totalWithheld(account));
  const fromMain = amount - fromWithheld;
  const queue = [...account.queue];
  for (let left = fromWithheld; left > 0n; ) {
    const last = queue.pop();
    if (last === undefined) throw new RangeError("the queue holds less than its total");
    if (last.credits > left) queue.push({ ...last, credits: last.credits - left });
    left -= min(last.credits, left);
  }
  const credits = account.credits - fromMain;
  const emptied = credits === 0n ? EMPTY_ACCOUNT : account;
  return { account: { ...emptied, credits, queue }, fromWithheld, fromMain };
}

/** What a redemption pays: withheld credits 1:1, main ones with their yield, and part of a day for stablecoins. */
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

/** The fewest credits whose redemption pays a target, in closed form. */
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

/** Growth of the part of a day that no posted rate covers, times a day's seconds: WAD seconds. */
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
