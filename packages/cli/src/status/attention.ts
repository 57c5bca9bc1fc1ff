/** What somebody should do something about, from the state of a deployment. */
import { showDuration } from "../text.ts";
import type { LpStatus, RwaStatus, Status } from "./read.ts";

/** Percent of its greatest age from which on a price is near its end. */
const AGE_WARNING_PERCENT = 80n;
/** Percent of an intake cap from which on it is nearly used up. */
const CAP_WARNING_PERCENT = 90n;

/** One line each, the most urgent kind first; empty when all is well. */
export function attention(status: Status): string[] {
  const { pauses, rwas, lps, stablecoins, rates, timestamp } = status;
  return [
    ...pauses.filter(({ paused }) => paused).map(({ contract }) => `${contract} is paused`),
    ...rwas.flatMap((rwa) => ofRwa(rwa, timestamp)),
    ...stablecoins.filter(({ accepted }) => !accepted).map(({ symbol }) => `${symbol} is not accepted`),
    ...stablecoins.filter(({ usdValueWad }) => usdValueWad === 0n).map(({ symbol }) => `${symbol} has no USD value`),
    ...ofRates(rates),
    ...lps.flatMap(ofLp),
  ];
}

function ofRwa({ symbol, accepted, priceWad, postedAt, maxAgeSeconds }: RwaStatus, now: bigint): string[] {
  if (!accepted) return [`${symbol} is not accepted`];
  if ("error" in priceWad) return [`${symbol} has no price, and its swaps revert: ${priceWad.error}`];
  if ("error" in postedAt || "error" in maxAgeSeconds || maxAgeSeconds.value === 0n) return [];
  const age = now - postedAt.value;
  if (age * 100n < maxAgeSeconds.value * AGE_WARNING_PERCENT) return [];
  return [`the NAV of ${symbol} goes stale in ${showDuration(maxAgeSeconds.value - age)}: post one`];
}

function ofRates({ missingDays }: Status["rates"]): string[] {
  if (missingDays === null) return ["no daily rate was ever posted"];
  return missingDays === 0n
    ? []
    : [`${missingDays} daily rate${missingDays === 1n ? " is" : "s are"} missing: core rate post`];
}

function ofLp({ symbol: lp, assets }: LpStatus): string[] {
  return assets.flatMap(({ symbol, custody, balance, approved, intake }) => [
    ...(balance === 0n ? [`lp:${lp} has no ${symbol} in custody ${custody}`] : []),
    ...(approved !== null && approved < balance ? [`lp:${lp} may not take all ${symbol} of custody ${custody}`] : []),
    ...(intake !== null && intake.used * 100n >= intake.cap * CAP_WARNING_PERCENT
      ? [`lp:${lp} has used its intake cap of ${symbol}`]
      : []),
  ]);
}
