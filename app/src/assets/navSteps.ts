/** The positions of a chart of NAVs. */
import type { Schemas } from "../api/client.ts";
import { apiTime, secondsOf } from "../format/time.ts";

type Change = Pick<Schemas["NavChange"], "at" | "navWad">;

interface Span {
  /** Bounds of the range, as the API writes times. */
  readonly from: string;
  readonly to: string;
  /** Seconds since 1970. */
  readonly now: number;
}

/**
 * The NAV at the beginning of a range, after each change, and at the end of the range, or now if it ends later: of the
 * future nobody knows the NAV. A machine whose clock is behind does not end the chart before its newest change.
 * @param changes oldest first; the first one can precede the range
 */
export function navSteps(changes: readonly Change[], { from, to, now }: Span): Change[] {
  const inRange = changes.map(({ at, navWad }) => ({ at: secondsOf(at) < secondsOf(from) ? from : at, navWad }));
  const newest = inRange.at(-1);
  if (newest === undefined) return [];
  const end = Math.max(secondsOf(newest.at), Math.min(secondsOf(to), now));
  return [...inRange, { at: apiTime(end), navWad: newest.navWad }];
}
