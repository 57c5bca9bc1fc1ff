/** Converts the indexed rates of a delegate to the entries of answers. */
import { DAY_SECONDS, dailyGrowthWad, INDEX_ONE, nextIndex } from "@coreswap/sdk";
import { formatTime } from "../shared/time.ts";
import type { DelegateRates } from "./rates.query.ts";
import type { TreasuryDelegateRates } from "./schema.ts";

/** A day with its growth, and the index through that day. */
interface DayGrowth {
  readonly dayNumber: bigint;
  readonly rateWad: bigint;
  readonly growthWad: bigint;
  readonly indexE36: bigint;
}

/**
 * Returns the growth of all posted days of a delegate, in order.
 * @throws Error when there is a gap between posted days, which a delegate never leaves
 */
export function growthByDay({
  delegateAddress,
  firstRateDay,
  rates,
}: Pick<DelegateRates, "delegateAddress" | "firstRateDay" | "rates">): DayGrowth[] {
  let indexE36 = INDEX_ONE;
  return rates.map(({ dayNumber, rateWad }, offset) => {
    const expected = firstRateDay === null ? null : firstRateDay + BigInt(offset);
    if (dayNumber !== expected) {
      throw new Error(`delegate ${delegateAddress} posted day ${dayNumber}, expected was ${expected}`);
    }
    const growthWad = dailyGrowthWad(rateWad);
    indexE36 = nextIndex(indexE36, growthWad);
    return { dayNumber, rateWad, growthWad, indexE36 };
  });
}

/**
 * Adds the growth of the day and the index through it to each day's rate.
 * @throws Error when there is a gap between posted days
 */
export function withGrowth({ firstRateDay, rates, posts, ...delegate }: DelegateRates): TreasuryDelegateRates {
  const days = growthByDay({ ...delegate, firstRateDay, rates });
  const growthOf = new Map(days.map((day) => [day.dayNumber, day]));
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
