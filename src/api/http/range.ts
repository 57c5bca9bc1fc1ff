/** Time ranges in requests, given by two optional bounds. */
import { DAY_SECONDS } from "@coreswap/sdk";
import { formatTime, type TimeRange } from "../shared/time.ts";
import { BadRequest } from "./errors.ts";
import { timeParameter } from "./parameters.ts";

/** Length of a range without a lower bound. */
const DEFAULT_RANGE_DAYS = 30n;
const MAXIMUM_RANGE_DAYS = 365n;

/** The optional bounds of a range, which `resolveRange` completes. */
export const rangeParameters = {
  from: timeParameter(`inclusive lower bound, by default ${DEFAULT_RANGE_DAYS} days before to`).optional(),
  to: timeParameter("exclusive upper bound, by default the time of the request").optional(),
};

/** A range, and its bounds in the format of answers. */
interface ResolvedRange {
  readonly range: TimeRange;
  readonly bounds: { readonly from: string; readonly to: string };
}

/**
 * Checks that a range is neither empty nor reversed.
 * @throws BadRequest unless `from` is earlier than `to`
 */
export function requireOrder({ from, to }: TimeRange): void {
  if (from >= to) throw new BadRequest(`from: accepts a time earlier than to, which is ${formatTime(to)}`);
}

/**
 * Fills in the bounds that a request omits: `to` is the request time, and `from` is 30 days before `to`.
 * @throws BadRequest when the range is empty, reversed or longer than 365 days
 */
export function resolveRange(
  given: { readonly from?: bigint | undefined; readonly to?: bigint | undefined },
  now: bigint,
): ResolvedRange {
  const to = given.to ?? now;
  const from = given.from ?? to - DEFAULT_RANGE_DAYS * DAY_SECONDS;
  requireOrder({ from, to });
  if (to - from > MAXIMUM_RANGE_DAYS * DAY_SECONDS) {
    throw new BadRequest(
      `from: accepts a time at most ${MAXIMUM_RANGE_DAYS} days before to, which is ${formatTime(to)}`,
    );
  }
  return { range: { from, to }, bounds: { from: formatTime(from), to: formatTime(to) } };
}
