import { useQuery } from "@tanstack/react-query";
import { summaryQuery } from "../api/queries.ts";
import { useNetwork } from "../shell/context.ts";

/** Says that a redemption pays too little while daily rates of the treasury token are missing. */
export function LateRates({ treasuryId }: { readonly treasuryId: string }) {
  const { data } = useQuery(summaryQuery(useNetwork()));
  const days = data?.delegates.find(({ stablecoinId }) => stablecoinId === treasuryId)?.yield.unpostedDays ?? 0;
  if (days === 0) return null;
  return (
    <div className="notice stale" role="status">
      <strong>Rates are late.</strong>{" "}
      {days === 1
        ? "The rate of 1 day is not posted yet, and credits that you redeem now may never be paid for it."
        : `The rates of ${days} days are not posted yet, and credits that you redeem now may never be paid for them.`}{" "}
      You lose nothing if you wait until {days === 1 ? "it is" : "they are"} posted.
    </div>
  );
}
