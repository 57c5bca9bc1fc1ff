/** Decides what the keeper does next and what it warns about. The result depends on the observation only. */
import { DAY_SECONDS, WAD } from "@coreswap/sdk";
import { type Address, maxUint192 } from "viem";
import { replacementText } from "../chain/registry.ts";
import type { LpHoldings, LpStatus } from "../status/read.ts";
import { percent, showDay, showDuration, showTime, tokens, usd } from "../text.ts";
import { navPostCall, ratePostCall } from "../write/calls.ts";
import type { Call } from "../write/plan.ts";
import { nextAccrual, type Survey } from "./accounts.ts";
import type { Minimum } from "./config.ts";
import type { SourceNav, SourceProblem } from "./navSource.ts";
import type { SourceRate } from "./rateSource.ts";

/** How far a source's clock may be ahead of the newest block. */
const SOURCE_AHEAD_SECONDS = 300n;

export interface Action {
  readonly kind: "nav" | "rate" | "accrue";
  readonly title: string;
  readonly call: Call;
  /** Time in seconds after which the call is not wanted any more, even while nobody can judge it. */
  readonly validUntil?: bigint;
}

export interface Alert {
  /** Stays the same while the text changes. */
  readonly key: string;
  readonly text: string;
  /** Whether the problem often passes by itself, so that it is not reported at once. */
  readonly isTransient?: boolean;
  /** Beginnings of the keys of alerts that nobody can judge while this problem lasts, so that none counts as resolved. */
  readonly hides?: readonly string[];
}

/** Calls that nobody can judge now, because their source did not answer. */
export interface Unjudged {
  readonly kind: Action["kind"];
  readonly to: Address;
  /** When somebody last did what the calls do, in seconds. Calls from before are not wanted any more. */
  readonly doneAt: bigint;
}

export interface Decision {
  /** Most urgent first. They are sent one at a time. */
  readonly actions: readonly Action[];
  readonly unjudged: readonly Unjudged[];
  readonly alerts: readonly Alert[];
}

export interface NavObservation {
  readonly symbol: string;
  /** The adapter of the deployment file, to which NAVs are posted. */
  readonly adapter: Address;
  /** The adapter that CoreSwap uses. */
  readonly adapterInForce: Address;
  readonly navWad: bigint;
  readonly postedAt: bigint;
  readonly maxMovePerPostWad: bigint;
  readonly availableMoveWad: bigint;
  readonly source: SourceNav | SourceProblem;
  /** Age above which the source's NAV is refused. */
  readonly sourceMaxAgeSeconds: bigint;
  readonly minIntervalSeconds: bigint;
}

export interface RateObservation {
  /** The treasury delegate of the deployment file, to which rates are posted. */
  readonly delegate: Address;
  /** Last day with a rate, in days since 1970; 0 if none was posted. */
  readonly lastDay: bigint;
  readonly maxRateWad: bigint;
  readonly lateAfterSeconds: bigint;
  /** The source's answer for the day after the last one; null until that day has ended and is final. */
  readonly source: SourceRate | SourceProblem | null;
}

interface AccountsObservation {
  readonly delegate: Address;
  /** If it failed, NAVs and rates are posted nevertheless. */
  readonly survey: Survey | SourceProblem;
  readonly minimumSolvencyWad: bigint;
}

export interface Observation {
  /** Time of the newest block. */
  readonly now: bigint;
  readonly navs: readonly NavObservation[];
  readonly rates: RateObservation | null;
  readonly accounts: AccountsObservation | null;
  readonly lps: readonly (Pick<LpStatus, "symbol" | "yieldBearing" | "delegate" | "delegateInForce"> &
    (
      | (Pick<LpHoldings, "assets" | "reserve"> & { readonly unknown: readonly { readonly symbol: string }[] })
      | { readonly error: string }
    ))[];
  readonly minimums: readonly Minimum[];
}

/**
 * The alert of an action whose call would revert. It passes by itself if the same was done in a block after the observed
 * one, by the keeper's transaction in flight or by a person.
 */
export function refusedAction({ kind, call, title }: Action, { message }: Error): Alert {
  return { key: `action:${kind}:${call.to}`, text: `${title}: ${message}`, isTransient: true };
}

export function decide({ now, navs, rates, accounts, lps, minimums }: Observation): Decision {
  const replaced = lps.filter(({ yieldBearing }) => yieldBearing).map(replacementOf)[0] ?? null;
  const parts = [
    ...navs.map((nav) => decideNav(nav, now)),
    ...(rates === null ? [] : [decideRate(rates, now, replaced)]),
    ...(accounts === null ? [] : [decideAccounts(accounts, replaced)]),
    { actions: [], unjudged: [], alerts: minimums.flatMap((minimum) => shortage(minimum, lps)) },
  ];
  return {
    actions: parts.flatMap(({ actions }) => actions),
    unjudged: parts.flatMap(({ unjudged }) => unjudged),
    alerts: parts.flatMap(({ alerts }) => alerts),
  };
}

/** Posts a NAV that is newer than the last post. A NAV beyond a bound is refused and never adjusted to fit. */
function decideNav(nav: NavObservation, now: bigint): Decision {
  const { symbol, adapter, source } = nav;
  const key = `nav:${symbol}`;
  if (adapter !== nav.adapterInForce) {
    return refusal(key, `the NAV of ${symbol} is not posted: CoreSwap uses ${nav.adapterInForce}, not ${adapter}`);
  }
  if ("problem" in source) {
    const { problem, isTransient } = source;
    const text = isTransient
      ? `the NAV source of ${symbol} failed: ${problem}`
      : `the source's NAV of ${symbol} is refused: ${problem}`;
    return {
      actions: [],
      unjudged: isTransient ? [{ kind: "nav", to: adapter, doneAt: nav.postedAt }] : [],
      alerts: [{ key, text, isTransient }],
    };
  }
  const reason = reasonAgainst(nav, source, now);
  if (reason !== null) {
    return refusal(key, `the source's NAV of ${symbol}, ${usd(source.navWad)} of ${showTime(source.asOf)}, ${reason}`);
  }
  const isNew = source.asOf > nav.postedAt && source.asOf <= now;
  if (!isNew || now < nav.postedAt + nav.minIntervalSeconds) return { actions: [], unjudged: [], alerts: [] };
  const title = `NAV of ${symbol}, ${usd(source.navWad)}`;
  const call = navPostCall(adapter, source.navWad);
  const validUntil = source.asOf + nav.sourceMaxAgeSeconds;
  return { actions: [{ kind: "nav", title, call, validUntil }], unjudged: [], alerts: [] };
}

function reasonAgainst(nav: NavObservation, { navWad, asOf }: SourceNav, now: bigint): string | null {
  if (asOf > now + SOURCE_AHEAD_SECONDS) return `is refused: it is over 5 min ahead of the chain, ${showTime(now)}`;
  if (now - asOf > nav.sourceMaxAgeSeconds) {
    return `is refused: it is ${showDuration(now - asOf)} old, more than ${showDuration(nav.sourceMaxAgeSeconds)}`;
  }
  // Whoever has the source's server can repeat an older NAV, so only one dated after the last post replaces it. But the
  // NAV that was posted may have been determined before this one.
  if (asOf <= nav.postedAt) {
    if (navWad === nav.navWad) return null;
    return `is not posted: it differs from ${usd(nav.navWad)}, posted after that time, ${showTime(nav.postedAt)}`;
  }
  if (navWad === 0n || navWad > maxUint192) return "is refused: the adapter accepts values above 0 and below 2^192";
  const moveWad = navWad > nav.navWad ? navWad - nav.navWad : nav.navWad - navWad;
  if (moveWad * WAD > nav.maxMovePerPostWad * nav.navWad) {
    return `is refused: it differs from ${usd(nav.navWad)} by more than ${percent(nav.maxMovePerPostWad)}`;
  }
  const relativeMoveWad = (moveWad * WAD + nav.navWad - 1n) / nav.navWad;
  if (relativeMoveWad > nav.availableMoveWad) {
    return `is refused: it moves by ${percent(relativeMoveWad)}, and the day has ${percent(nav.availableMoveWad)} left`;
  }
  return null;
}

/** Why an LP is not the one that CoreSwap has settle; null if it is. */
function replacementOf({ symbol, delegate, delegateInForce }: Observation["lps"][number]): string | null {
  return replacementText("lp", symbol, delegate, delegateInForce);
}

/**
 * Posts the rate of the first finished day without one. A rate that the source did not give is never posted.
 * @param replaced why the treasury delegate must not be used
 */
function decideRate(
  { delegate, lastDay, maxRateWad, lateAfterSeconds, source }: RateObservation,
  now: bigint,
  replaced: string | null,
): Decision {
  if (replaced !== null) return refusal("rate", `no rate is posted: ${replaced}`);
  // A person posts the first rate. Until then, `noticesOf` has an alert.
  if (lastDay === 0n) return { actions: [], unjudged: [], alerts: [] };
  const dayNumber = lastDay + 1n;
  const day = showDay(dayNumber);
  const isLate = now >= (dayNumber + 1n) * DAY_SECONDS + lateAfterSeconds;
  const late: Alert[] = isLate
    ? [{ key: "rate-late", text: `the rate of ${day} is late: the day ended ${sinceEnd(dayNumber, now)} ago` }]
    : [];
  const refused = (text: string, isTransient = false): Decision => ({
    actions: [],
    // A rate that somebody else has posted meanwhile is refused.
    unjudged: isTransient ? [{ kind: "rate", to: delegate, doneAt: 0n }] : [],
    alerts: [...late, { key: "rate", text: `the rate of ${day} is not posted: ${text}`, isTransient }],
  });
  if (source === null || dayNumber >= now / DAY_SECONDS) return { actions: [], unjudged: [], alerts: late };
  if ("problem" in source) {
    const remedy = source.isTransient ? "" : ". Decide on a rate, and post it with `core rate post`";
    return refused(`${source.problem}${remedy}`, source.isTransient);
  }
  if (source.rateWad > maxRateWad) {
    return refused(
      `the source gives ${percent(source.rateWad)}, and the delegate accepts at most ${percent(maxRateWad)}`,
    );
  }
  const call = ratePostCall(delegate, { dayNumber, grossRateWad: source.rateWad });
  return {
    actions: [{ kind: "rate", title: `rate of ${day}, ${percent(source.rateWad)}`, call }],
    unjudged: [],
    alerts: late,
  };
}

function sinceEnd(dayNumber: bigint, now: bigint): string {
  return showDuration(now - (dayNumber + 1n) * DAY_SECONDS);
}

function decideAccounts(
  { delegate, survey, minimumSolvencyWad }: AccountsObservation,
  replaced: string | null,
): Decision {
  if (replaced !== null) return refusal("accounts", `no account is accrued: ${replaced}`);
  const unjudged: Unjudged[] = [{ kind: "accrue", to: delegate, doneAt: 0n }];
  if ("problem" in survey) {
    const { problem: text, isTransient } = survey;
    return { actions: [], unjudged, alerts: [{ key: "accounts", text, isTransient, hides: ["queue:", "solvency"] }] };
  }
  const { crowded, isOutdated, solvency } = survey;
  const stuck = crowded.filter(({ mergeable }) => mergeable === 0n);
  const alerts: Alert[] = stuck.map(({ account, records }) => ({
    key: `queue:${account}`,
    text: `${account} has ${records} of 64 withheld records, and none of them can merge: rates may be missing, or the delegate is paused`,
  }));
  if ("problem" in solvency) {
    alerts.push({ key: "solvency", text: solvency.problem, isTransient: solvency.isTransient });
  } else if (solvency.isSolvent === null) {
    alerts.push({ key: "solvency", text: "the solvency of the reserve is unknown, because some assets have no price" });
  } else if (solvency.ratioWad !== null && solvency.ratioWad < minimumSolvencyWad) {
    const [ratio, least] = [percent(solvency.ratioWad), percent(minimumSolvencyWad)];
    alerts.push({
      key: "solvency",
      text: `the reserve covers ${ratio} of what the credits are worth, less than ${least}`,
    });
  }
  const call = nextAccrual(delegate, crowded);
  return {
    actions: call === null ? [] : [{ kind: "accrue", title: "accrual of full queues", call }],
    unjudged: isOutdated ? unjudged : [],
    alerts,
  };
}

/** Returns an alert if the LP can take less than the minimum from its custody, or is not the one that does. */
function shortage({ lp, asset, amount }: Minimum, lps: Observation["lps"]): Alert[] {
  const found = lps.find(({ symbol }) => symbol === lp);
  const key = `minimum:${lp}:${asset}`;
  const replaced = found === undefined ? null : replacementOf(found);
  if (replaced !== null) return [{ key, text: `the minimum of ${asset} is not watched: ${replaced}` }];
  // Another alert says that the holdings are unknown, and hides this one.
  if (found && ("error" in found || found.unknown.some(({ symbol }) => symbol === asset))) return [];
  const holdings = [...(found?.assets ?? []), ...(found?.reserve ? [found.reserve] : [])];
  const held = holdings.find(({ symbol }) => symbol === asset);
  if (held === undefined)
    return [{ key, text: `lp:${lp} does not deal in ${asset}, for which a minimum is configured` }];
  const usable = held.approved !== null && held.approved < held.balance ? held.approved : held.balance;
  if (usable >= amount) return [];
  const cause = usable < held.balance ? "allowance" : "balance";
  return [
    {
      key,
      text:
        `lp:${lp} can take ${tokens(usable, held)} from custody ${held.custody}, ` +
        `less than ${tokens(amount, held)}; the ${cause} is too small`,
    },
  ];
}

function refusal(key: string, text: string): Decision {
  return { actions: [], unjudged: [], alerts: [{ key, text }] };
}
