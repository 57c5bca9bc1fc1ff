/** Calendar intervals in UTC, by which a range is cut into buckets. */
import { DAY_SECONDS, type TimeRange } from "../shared/time.ts";

/** Names of the intervals. Weeks begin on Monday (ISO 8601). */
export const INTERVALS = ["hour", "day", "week", "month"] as const;

/** The name of an interval. */
export type Interval = (typeof INTERVALS)[number];

const SECONDS: Readonly<Record<Exclude<Interval, "month">, bigint>> = {
  hour: 3_600n,
  day: DAY_SECONDS,
  week: 7n * DAY_SECONDS,
};

/** A Monday at 00:00, which is also a boundary of hours and days. */
const MONDAY = 4n * DAY_SECONDS;

/** Bounds of the buckets in ascending order: the two bounds of the range, and every calendar boundary between them. */
export function bucketBounds({ from, to }: TimeRange, interval: Interval): bigint[] {
  const bounds = [from];
  for (let next = nextBoundary(from, interval); next < to; next = nextBoundary(next, interval)) bounds.push(next);
  return [...bounds, to];
}

/** The first boundary after a second. */
function nextBoundary(second: bigint, interval: Interval): bigint {
  if (interval === "month") {
    const date = new Date(Number(second) * 1000);
    return BigInt(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)) / 1000n;
  }
  const length = SECONDS[interval];
  const elapsed = (((second - MONDAY) % length) + length) % length;
  return second + length - elapsed;
}
