/** Whole-second UTC times and the range of a volume request. Seconds since 1970 are bigint. */
import { BadRequest } from "../http/errors.ts";

/** Length of every day in UTC: leap seconds are not counted. */
export const DAY_SECONDS = 86_400n;

/** Length of a range whose request names no lower bound. */
export const DEFAULT_RANGE_DAYS = 30n;
const MAXIMUM_RANGE_DAYS = 365n;

/** Half-open: `from` is inside, `to` is not. */
export interface TimeRange {
  readonly from: bigint;
  readonly to: bigint;
}

/** `YYYY-MM-DDTHH:MM:SSZ` (RFC 3339), for years 0000 to 9999. */
export function formatTime(second: bigint): string {
  return `${new Date(Number(second) * 1000).toISOString().slice(0, -".000Z".length)}Z`;
}

/** Seconds of a time that is known to have the form `YYYY-MM-DDTHH:MM:SSZ`. */
export function parseTime(text: string): bigint {
  return BigInt(Date.parse(text)) / 1000n;
}

/**
 * Fills in the bounds that a request leaves out: `to` is the request time, `from` 30 days before `to`.
 * @throws BadRequest when the range is empty, reversed or longer than 365 days
 */
export function resolveRange(bounds: { from?: bigint | undefined; to?: bigint | undefined }, now: bigint): TimeRange {
  const to = bounds.to ?? now;
  const from = bounds.from ?? to - DEFAULT_RANGE_DAYS * DAY_SECONDS;
  if (from >= to) {
    throw new BadRequest(`from: accepts a time before to, which is ${formatTime(to)}`);
  }
  if (to - from > MAXIMUM_RANGE_DAYS * DAY_SECONDS) {
    throw new BadRequest(
      `from: accepts a time at most ${MAXIMUM_RANGE_DAYS} days before to, which is ${formatTime(to)}`,
    );
  }
  return { from, to };
}
