/** Calendar intervals in UTC, by which a range is divided into buckets. */
import { DAY_SECONDS } from "@coreswap/sdk";
import type { TimeRange } from "../shared/time.ts";
import { BadRequest } from "./errors.ts";

/** Maximum number of buckets in an answer: slightly more than the hours of 31 days. */
export const MAXIMUM_BUCKETS = 1_000;

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

/**
 * Returns the bounds of the buckets that a request asks for, as `bucketBounds` does.
 * @throws BadRequest when there are more than MAXIMUM_BUCKETS
 */
export function requestedBounds(range: TimeRange, interval: Interval): bigint[] {
  const bounds = bucketBounds(range, interval);
  const count = bounds.length - 1;
  if (count <= MAXIMUM_BUCKETS) return bounds;
  throw new BadRequest(`interval: ${interval} makes ${count} buckets; at most ${MAXIMUM_BUCKETS} are allowed`);
}

/**
 * Returns the bounds of the buckets in ascending order: the two bounds of the range, and every calendar boundary
 * between them.
 */
export function bucketBounds({ from, to }: TimeRange, interval: Interval): bigint[] {
  const bounds = [from];
  for (let next = nextBoundary(from, interval); next < to; next = nextBoundary(next, interval)) bounds.push(next);
  return [...bounds, to];
}

/** Returns the first boundary after a second. */
function nextBoundary(second: bigint, interval: Interval): bigint {
  if (interval === "month") {
    const date = new Date(Number(second) * 1000);
    return BigInt(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)) / 1000n;
  }
  const length = SECONDS[interval];
  const elapsed = (((second - MONDAY) % length) + length) % length;
  return second + length - elapsed;
}
