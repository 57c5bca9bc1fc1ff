import type { Schemas } from "../api/client.ts";
import { Time } from "./Time.tsx";

interface NextRateProps {
  readonly yields: Schemas["TreasuryDelegateSummary"]["yield"];
}

/** When the next daily rate is due, and how many are missing. */
export function NextRate({ yields: { nextDayEndsAt, unpostedDays } }: NextRateProps) {
  if (nextDayEndsAt === null) return <span className="muted">none posted yet</span>;
  if (unpostedDays === 0)
    return (
      <span className="small">
        due <Time value={nextDayEndsAt} />
      </span>
    );
  return (
    <span className="small">
      <span className="badge warning">
        {unpostedDays === 1 ? "1 daily rate missing" : `${unpostedDays} daily rates missing`}
      </span>
      <br />
      {unpostedDays > 1 && "the first "}since {nextDayEndsAt.slice(0, 10)}
    </span>
  );
}
