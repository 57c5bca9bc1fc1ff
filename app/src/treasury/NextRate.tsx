import type { Schemas } from "../api/client.ts";
import { Time } from "../components/Time.tsx";
import { apiTime, DAY_SECONDS, secondsOf } from "../format/time.ts";
import { lateDaysAt } from "./lateDays.ts";

interface NextRateProps {
  readonly yields: Schemas["TreasuryDelegateSummary"]["yield"];
  /** The time up to which the summary has every rate, in seconds. */
  readonly knownUntil: number;
}

/** When the next daily rate is due, and how many are missing. */
export function NextRate({ yields, knownUntil }: NextRateProps) {
  const lateDays = lateDaysAt(yields, knownUntil);
  const { nextDayEndsAt } = yields;
  if (nextDayEndsAt === null) return <span className="muted">none posted yet</span>;
  if (lateDays === 0)
    return (
      <span className="small">
        due <Time value={nextDayEndsAt} />
      </span>
    );
  return (
    <span className="small">
      <span className="badge warning">
        {lateDays === 1 ? "1 daily rate missing" : `${lateDays} daily rates missing`}
      </span>
      <br />
      {lateDays > 1 ? "since" : "for"} {apiTime(secondsOf(nextDayEndsAt) - DAY_SECONDS).slice(0, 10)} (UTC)
    </span>
  );
}

/** The same, only while a rate is missing. */
export function MissingRates({ yields, knownUntil }: NextRateProps) {
  return lateDaysAt(yields, knownUntil) > 0 && <NextRate yields={yields} knownUntil={knownUntil} />;
}
