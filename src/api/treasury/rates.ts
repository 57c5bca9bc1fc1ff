/** From the indexed rates of a delegate to the lines that answers show. */
import { DAY_SECONDS, formatTime } from "../shared/time.ts";
import { dailyGrowthWad, INDEX_ONE, nextIndex } from "./growth.ts";
import type { DelegateRates } from "./ratesQuery.ts";
import type { TreasuryDelegateRates } from "./schema.ts";

/**
 * Puts the growth of each day beside its rate, and the index through it.
 * @throws Error when a day is missing before another: the delegate posts them one after the other
 */
export function withGrowth({ firstRateDay, rates, posts, ...delegate }: DelegateRates): TreasuryDelegateRates {
  const growthOf = new Map<bigint, { rateWad: bigint; growthWad: bigint; indexE36: bigint }>();
  let indexE36 = INDEX_ONE;
  for (const [offset, { dayNumber, rateWad }] of rates.entries()) {
    const expected = firstRateDay === null ? null : firstRateDay + BigInt(offset);
    if (dayNumber !== expected) {
      throw new Error(`delegate ${delegate.delegateAddress} posted day ${dayNumber}, expected was ${expected}`);
    }
    const growthWad = dailyGrowthWad(rateWad);
    indexE36 = nextIndex(indexE36, growthWad);
    growthOf.set(dayNumber, { rateWad, growthWad, indexE36 });
  }
  return {
    ...delegate,
    firstRateDay: firstRateDay?.toString() ?? null,
    rates: posts.map(({ dayNumber, rateWad, postedAt, corrections, ...post }) => {
      const inForce = growthOf.get(dayNumber);
      if (inForce === undefined) throw new Error(`no rate of day ${dayNumber}`);
      return {
        dayNumber: dayNumber.toString(),
        startsAt: formatTime(dayNumber * DAY_SECONDS),
        rateWad: inForce.rateWad.toString(),
        growthWad: inForce.growthWad.toString(),
        growthIndexE36: inForce.indexE36.toString(),
        postedRateWad: rateWad,
        postedAt: formatTime(postedAt),
        ...post,
        corrections: corrections.map(({ correctedAt, ...correction }) => ({
          ...correction,
          correctedAt: formatTime(correctedAt),
        })),
      };
    }),
  };
}
