/** How many daily rates of a treasury token are late. */
import type { Schemas } from "../api/client.ts";
import { DAY_SECONDS, secondsOf } from "../format/time.ts";

type Summary = Pick<Schemas["TreasurySummary"], "delegates" | "block">;
type Yield = Schemas["TreasuryDelegateSummary"]["yield"];

interface SummaryState {
  readonly data: Summary | undefined;
  /** Why there is no newer summary; null while the last request succeeded. */
  readonly error: Error | null;
}

/**
 * The number of days that have ended without a rate; 0 before the first rate. The block of a summary can be many minutes
 * old, so the count of the API can be that of yesterday.
 * @param now time of this machine in seconds, which counts unless the block is later
 */
export function lateDaysAt({ nextDayEndsAt }: Yield, { timestamp }: Summary["block"], now: number): number {
  if (nextDayEndsAt === null) return 0;
  const late = Math.max(secondsOf(timestamp), now) - secondsOf(nextDayEndsAt);
  return late < 0 ? 0 : Math.floor(late / DAY_SECONDS) + 1;
}

/** The number of late days of a token; null while the newest summary is not known, or lacks the token. */
export function lateDaysOf({ data, error }: SummaryState, treasuryId: string, now: number): number | null {
  if (error !== null || data === undefined) return null;
  const delegate = data.delegates.find(({ stablecoinId }) => stablecoinId === treasuryId);
  return delegate === undefined ? null : lateDaysAt(delegate.yield, data.block, now);
}
