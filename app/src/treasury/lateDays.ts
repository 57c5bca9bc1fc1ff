/** How many daily rates of a treasury token are late. */
import type { Schemas } from "../api/client.ts";
import { DAY_SECONDS, secondsOf } from "../format/time.ts";

type Summary = Pick<Schemas["TreasurySummary"], "delegates" | "block">;
type Yield = Pick<Schemas["TreasuryDelegateSummary"]["yield"], "nextDayEndsAt">;

/**
 * The time up to which a summary has every rate that was posted, in seconds. The newest block of a live index can be many
 * minutes older than the answer, with midnight between them. Any other index knows nothing after its newest block.
 * @param answeredAt when the answer came, in seconds
 */
export function knownUntil({ timestamp }: Summary["block"], answeredAt: number, isLive: boolean): number {
  return isLive ? Math.max(secondsOf(timestamp), answeredAt) : secondsOf(timestamp);
}

/** The number of days that had ended without a rate at a time in seconds; 0 before the first rate. */
export function lateDaysAt({ nextDayEndsAt }: Yield, time: number): number {
  if (nextDayEndsAt === null) return 0;
  const late = time - secondsOf(nextDayEndsAt);
  return late < 0 ? 0 : Math.floor(late / DAY_SECONDS) + 1;
}

/** The number of late days of a token at a time in seconds; null while there is no summary, or none of the token. */
export function lateDaysOf(summary: Summary | undefined, treasuryId: string, time: number): number | null {
  const delegate = summary?.delegates.find(({ stablecoinId }) => stablecoinId === treasuryId);
  return delegate === undefined ? null : lateDaysAt(delegate.yield, time);
}
