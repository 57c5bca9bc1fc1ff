import { useQuery } from "@tanstack/react-query";
import { summaryQuery } from "../api/queries.ts";
import { useFailure, useIsStale } from "../components/Answer.tsx";
import { useNetwork } from "../shell/context.ts";
import { lateDaysOf } from "./lateDays.ts";
import { useIsLive, useKnownUntil } from "./summaryAge.ts";

/** Says whether a redemption pays too little because daily rates of the treasury token are missing. */
export function LateRates({ treasuryId }: { readonly treasuryId: string }) {
  const network = useNetwork();
  const summary = useQuery(summaryQuery(network));
  const failure = useFailure(summary);
  const isStale = useIsStale(summary);
  const isLive = useIsLive(summary, network);
  const { data } = summary;
  const lateDays = lateDaysOf(data, treasuryId, useKnownUntil(summary, network));
  const days = isLive === true && !isStale ? lateDays : null;
  // A line in each state, so that what follows does not move when the answer comes.
  if (days === 0) return <p className="muted">No daily rate is late.</p>;
  if (failure === null && !isStale && (data === undefined || isLive === null)) {
    return <p className="muted">It is not known yet whether daily rates are late.</p>;
  }
  return (
    <div className="notice stale" role="status">
      {days === null ? (
        <>
          <strong>It is not known whether daily rates are late.</strong>{" "}
          {isLive === false
            ? "The index of the network is not live."
            : (isStale || data === undefined) && failure?.message}
        </>
      ) : (
        <>
          <strong>Rates are late.</strong>{" "}
          {days === 1
            ? "The rate of 1 day is not posted yet, and credits that are redeemed now may never be paid for it."
            : `The rates of ${days} days are not posted yet, and credits that are redeemed now may never be paid for them.`}{" "}
          Nothing is lost by waiting until {days === 1 ? "it is" : "they are"} posted.
        </>
      )}
    </div>
  );
}
