/** Finds conditions in the state of a deployment that somebody should act on. */
import { hasReachableRwas } from "../chain/deployment.ts";
import { replacementText } from "../chain/registry.ts";
import { dailyLimitText, isUnlimitedApproval, NO_DAILY_LIMIT, showDuration, tokens } from "../text.ts";
import type { Queue } from "./queue.ts";
import type { LpHoldings, LpStatus, RwaStatus, Status } from "./read.ts";

/** A price whose age reaches this percentage of its maximum is about to expire. */
const AGE_WARNING_PERCENT = 80n;
/** An intake cap that is used up to this percentage is nearly exhausted. */
const CAP_WARNING_PERCENT = 90n;

/** A condition to act on. `key` stays the same while the text, which contains ages and counts, changes. */
export interface Notice {
  readonly key: string;
  readonly text: string;
  /** Beginnings of the keys of alerts that nobody can judge while the condition lasts. */
  readonly hides?: readonly string[];
}

/** Returns one line for each condition, and nothing when there is none. */
export function attention(status: Status, queue: Queue): string[] {
  const notices = [...noticesOf(status), ...ofRates(status.rates), ...status.lps.flatMap(ofCustody), ...ofQueue(queue)];
  return notices.map(({ text }) => text);
}

/**
 * Returns the conditions that are wrong in every deployment. How late a rate may be, and what a custody should hold,
 * differs.
 */
export function noticesOf({ pauses, rwas, lps, stablecoins, rates, timestamp }: Status): Notice[] {
  return [
    ...ofMissingRates(rates),
    ...pauses.flatMap(ofPause),
    ...rwas.flatMap((rwa) => ofRwa(rwa, timestamp)),
    ...stablecoins
      .filter(({ accepted }) => !accepted)
      .map(({ symbol }) => ({ key: `accepted:${symbol}`, text: `${symbol} is not accepted` })),
    ...stablecoins
      .filter(({ usdValueWad }) => usdValueWad === 0n)
      .map(({ symbol }) => ({ key: `value:${symbol}`, text: `${symbol} has no USD value` })),
    ...lps.flatMap(replacementNotices),
    ...lps.flatMap((lp) =>
      "error" in lp
        ? [unknownNotice(lp.symbol, lp.error)]
        : [...lp.unknown.map(({ symbol, error }) => unknownNotice(lp.symbol, error, symbol)), ...intakeNotices(lp)],
    ),
  ];
}

function ofMissingRates(rates: Status["rates"]): Notice[] {
  if ("error" in rates) {
    return [{ key: "rates", text: `the daily rates are unknown: ${rates.error}`, hides: ["rate"] }];
  }
  if (rates.missingDays !== null) return [];
  return [{ key: "rates", text: "no daily rate was ever posted: core rate post" }];
}

function ofPause(pause: Status["pauses"][number]): Notice[] {
  const { contract } = pause;
  const key = `pause:${contract}`;
  if ("error" in pause) return [{ key, text: `whether ${contract} is paused is unknown: ${pause.error}` }];
  return pause.paused ? [{ key, text: `${contract} is paused` }] : [];
}

/** Says which figures of an LP cannot be read: those of one asset, or without an asset all of them. */
function unknownNotice(lp: string, error: string, asset = ""): Notice {
  return {
    key: `holdings:${lp}${asset && `:${asset}`}`,
    text: `what lp:${lp} has${asset && ` of ${asset}`} and takes in is unknown: ${error}`,
    hides: [`minimum:${lp}:${asset}`, `intake:${lp}:${asset}`],
  };
}

/** Says of an LP that what is shown is its former delegate, because CoreSwap has another one settle. */
function replacementNotices({ symbol, delegate, delegateInForce }: LpStatus): Notice[] {
  const text = replacementText("lp", symbol, delegate, delegateInForce);
  return text === null ? [] : [{ key: `delegate:${symbol}`, text }];
}

function ofRwa({ symbol, accepted, priceWad, postedAt, maxAgeSeconds }: RwaStatus, now: bigint): Notice[] {
  if (!accepted) return [{ key: `accepted:${symbol}`, text: `${symbol} is not accepted` }];
  const key = `price:${symbol}`;
  if ("error" in priceWad) return [{ key, text: `${symbol} has no price, and its swaps revert: ${priceWad.error}` }];
  if ("error" in postedAt || "error" in maxAgeSeconds || maxAgeSeconds.value === 0n) return [];
  const age = now - postedAt.value;
  if (age * 100n < maxAgeSeconds.value * AGE_WARNING_PERCENT) return [];
  return [{ key, text: `the NAV of ${symbol} goes stale in ${showDuration(maxAgeSeconds.value - age)}: post one` }];
}

function ofRates(rates: Status["rates"]): Notice[] {
  if ("error" in rates || rates.missingDays === null || rates.missingDays === 0n) return [];
  const { missingDays } = rates;
  const text = `${missingDays} daily rate${missingDays === 1n ? " is" : "s are"} missing: core rate post`;
  return [{ key: "rates", text }];
}

/** An operation that nobody announced has to be cancelled before it can be executed, which stays possible forever. */
function ofQueue(queue: Queue): Notice[] {
  if ("problem" in queue) return [{ key: "queue", text: `what the timelock has queued is unknown: ${queue.problem}` }];
  return queue.map(({ id, state }) => ({ key: `queue:${id}`, text: `operation ${id} of the timelock ${state}` }));
}

function ofCustody(status: LpStatus): Notice[] {
  if ("error" in status) return [];
  const { symbol: lp, assets, reserve, yieldBearing } = status;
  const own = assets.find(({ symbol }) => symbol === lp);
  const limit = own === undefined ? "an unknown amount" : limitOf(own);
  // The treasury token is minted when it goes out and burned when it comes in, so its LP keeps none.
  const kept = assets.filter(({ symbol }) => !(yieldBearing && symbol === lp));
  return kept.flatMap(({ symbol, custody, balance, approved }) => [
    ...(balance === 0n ? ofNothing(lp, symbol, custody, symbol === lp ? reserve : null) : []),
    ...(hasReachableRwas(status) && custody === status.rwaCustody
      ? ofReach({ lp, symbol, custody, approved, limit })
      : approved === 0n
        ? [{ key: `allowance:${lp}:${symbol}`, text: `lp:${lp} may take no ${symbol} of custody ${custody}` }]
        : []),
  ]);
}

/** The intake cap of an LP's own stablecoin; null without one. */
function limitOf(own: LpHoldings["assets"][number]): string | null {
  const cap = own.intake?.cap ?? NO_DAILY_LIMIT;
  return cap === NO_DAILY_LIMIT ? null : dailyLimitText(cap, own);
}

/**
 * An LP that has nothing of an asset. One with auto-liquidity pays out of its reserve.
 * @param reserve null for assets other than the LP's own stablecoin
 */
function ofNothing(lp: string, symbol: string, custody: string, reserve: LpHoldings["reserve"]): Notice[] {
  if (reserve !== null && reserve.balance > 0n) return [];
  const what = reserve === null ? `no ${symbol}` : `neither ${symbol} nor ${reserve.symbol}, its reserve,`;
  return [{ key: `custody:${lp}:${symbol}`, text: `lp:${lp} has ${what} in custody ${custody}` }];
}

/** RWAs that the key of another account can buy. */
interface Reach {
  readonly lp: string;
  readonly symbol: string;
  readonly custody: string;
  readonly approved: bigint | null;
  /** The intake cap of the LP's own stablecoin, which pays for them; null without one. */
  readonly limit: string | null;
}

/**
 * The approval and the intake cap of the own stablecoin bound what that key takes. An approval is therefore meant to be
 * less than the balance.
 */
function ofReach({ lp, symbol, custody, approved, limit }: Reach): Notice[] {
  const key = `allowance:${lp}:${symbol}`;
  if (approved === 0n) return [{ key, text: `lp:${lp} may take no ${symbol} of custody ${custody}` }];
  if (approved !== null && !isUnlimitedApproval(approved)) return [];
  const reach = `the stablecoin custody's key of lp:${lp} can take`;
  if (limit !== null) {
    const text = `${reach} ${symbol} of custody ${custody} for up to two intake caps of ${limit} within a day`;
    return [{ key, text }];
  }
  const bound = approved === null ? "is not bound by an approval" : "has an unlimited approval: give a finite one";
  return [
    {
      key,
      text: `${reach} all ${symbol} of custody ${custody}, which ${bound}; the intake cap of ${lp} would bound it`,
    },
  ];
}

/** Returns the intake caps of an LP that are nearly used up. A cap of 0 lets nothing in, so it is never used. */
export function intakeNotices({
  symbol: lp,
  assets,
}: {
  readonly symbol: string;
  readonly assets: readonly Pick<LpHoldings["assets"][number], "symbol" | "decimals" | "intake">[];
}): Notice[] {
  return assets.flatMap(({ symbol, intake, ...token }) => {
    if (intake === null || intake.cap === 0n) return [];
    const usedPercent = (intake.used * 100n) / intake.cap;
    if (usedPercent < CAP_WARNING_PERCENT) return [];
    const left = tokens(intake.cap - intake.used, { symbol, ...token });
    const text = `lp:${lp} has used ${usedPercent}% of its intake cap of ${symbol} (${left} left)`;
    return [{ key: `intake:${lp}:${symbol}`, text }];
  });
}
