/**
 * The daily rates of a history: which block posts the rate of which day. Rates depend on the calendar, so they are
 * planned once the times of the blocks are known, in addition to the given number of transactions.
 */
import { parseEther } from "viem";
import type { Random } from "./random.ts";
import type { PlannedTransaction } from "./transactionPlan.ts";
import { planAdministration } from "./transactionPlanner.ts";

const DAY_SECONDS = 86_400;
const HOUR_SECONDS = 3_600;
const FIRST_GROSS_RATE_WAD = parseEther("0.045");
const LARGEST_MOVE_WAD = parseEther("0.0004");
const LOWEST_GROSS_RATE_WAD = parseEther("0.03");
const HIGHEST_GROSS_RATE_WAD = parseEther("0.06");
const CORRECTION_WAD = parseEther("0.001");
/** Point of the history, as a share, after which a rate is corrected. */
const CORRECTED_AFTER_PER_MILLE = 600;

/**
 * Plans one post per day, starting with the day of `start`, each after its day has ended: usually within six hours,
 * sometimes one to three days late, which delays the later ones. One post is corrected a few days afterwards.
 * @param times Times of the blocks in seconds since 1970, ascending.
 * @param start Time of the last block before them.
 * @returns What each block starts with.
 */
export function planRates(random: Random, times: readonly number[], start: number): PlannedTransaction[][] {
  const firstDay = Math.floor(start / DAY_SECONDS);
  let nextDay = firstDay;
  let grossRateWad = FIRST_GROSS_RATE_WAD;
  let dueAt = dueTime(random, nextDay);
  let isCorrected = false;
  return times.map((time, index) => {
    const planned: PlannedTransaction[] = [];
    for (; time >= dueAt; dueAt = dueTime(random, nextDay)) {
      planned.push(planAdministration("ratePoster", { type: "postRate", dayNumber: nextDay, grossRateWad }, 1));
      grossRateWad = moved(random, grossRateWad);
      nextDay += 1;
    }
    if (!isCorrected && index * 1_000 >= times.length * CORRECTED_AFTER_PER_MILLE && nextDay - firstDay > 3) {
      isCorrected = true;
      const correction = { dayNumber: nextDay - 3, grossRateWad: grossRateWad + CORRECTION_WAD };
      planned.push(planAdministration("admin", { type: "correctRate", ...correction }, 1));
    }
    return planned;
  });
}

function dueTime(random: Random, day: number): number {
  const daysLate = random.chance(1, 10) ? random.integer(1, 3) : 0;
  return (day + 1 + daysLate) * DAY_SECONDS + random.integer(0, 6 * HOUR_SECONDS);
}

function moved(random: Random, rateWad: bigint): bigint {
  const rate = rateWad + random.between(0n, 2n * LARGEST_MOVE_WAD) - LARGEST_MOVE_WAD;
  if (rate < LOWEST_GROSS_RATE_WAD) return LOWEST_GROSS_RATE_WAD;
  if (rate > HIGHEST_GROSS_RATE_WAD) return HIGHEST_GROSS_RATE_WAD;
  return rate;
}
