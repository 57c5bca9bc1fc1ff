/** How many daily rates of a treasury token are late. */
import type { Schemas } from "../api/client.ts";

interface SummaryState {
  readonly data: Pick<Schemas["TreasurySummary"], "delegates"> | undefined;
  /** Why there is no newer summary; null while the last request succeeded. */
  readonly error: Error | null;
}

/** The number of ended days without a rate; null while the newest summary is not known, or lacks the token. */
export function lateDaysOf({ data, error }: SummaryState, treasuryId: string): number | null {
  if (error !== null) return null;
  return data?.delegates.find(({ stablecoinId }) => stablecoinId === treasuryId)?.yield.unpostedDays ?? null;
}
