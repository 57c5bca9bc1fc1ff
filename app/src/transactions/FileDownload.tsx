import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { fileQuery, type HistoryFilters, type Network } from "../api/queries.ts";
import { Day, dayOf, LAST_DAY } from "../components/RangePicker.tsx";
import { grouped } from "../format/amount.ts";
import { apiTime, DAY_SECONDS, secondsOf } from "../format/time.ts";
import { stringifySearch } from "../search.ts";

const route = getRouteApi("/transactions");

/** Maximum number of transactions in a file of the API. */
const MAXIMUM_TRANSACTIONS = 100_000;

interface FileDownloadProps {
  readonly network: Network;
  readonly filters: HistoryFilters;
  /** Newest final block, or null before the first. */
  readonly finalBlock: string | null;
}

/** The link to the history as a CSV file: all of it, or a range of days, which is stored in the URL. */
export function FileDownload({ network, filters, finalBlock }: FileDownloadProps) {
  const { from, to } = route.useSearch();
  const navigate = route.useNavigate();
  const path = `/v1/transactions.csv${stringifySearch({ network, ...filters, from, to })}`;
  const isReversed = from !== undefined && to !== undefined && from >= to;
  const hasEnd = to !== undefined && !isReversed;
  const file = useQuery({ ...fileQuery(network, path), enabled: hasEnd });
  const isFinal = hasEnd ? file.data?.isFinal : undefined;
  const go = (change: { from?: string | undefined; to?: string | undefined }) =>
    void navigate({ search: (before) => ({ ...before, ...change }), resetScroll: false });
  const firstDay = from === undefined ? "" : dayOf(secondsOf(from));
  const lastDay = to === undefined ? "" : dayOf(secondsOf(to) - 1);
  return (
    <div className="pages">
      <fieldset className="days">
        <legend className="hidden">Days of the file</legend>
        <Day
          name="File from"
          day={firstDay}
          change={(day) => go({ from: day === "" ? undefined : `${day}T00:00:00Z` })}
          max={LAST_DAY}
          isOptional
        />
        <Day
          name="through"
          day={lastDay}
          change={(day) => go({ to: day === "" ? undefined : apiTime(secondsOf(`${day}T00:00:00Z`) + DAY_SECONDS) })}
          max={LAST_DAY}
          isOptional
        />
        <span className="muted">UTC</span>
      </fieldset>
      {isReversed ? (
        <span role="alert" className="warning">
          The last day is before the first. There is no such file.
        </span>
      ) : (
        <>
          <a href={path} download>
            Download as CSV
          </a>
          {isFinal === false && (
            <span className="warning">
              These days are not final yet: the file lacks what comes after its last block.
            </span>
          )}
          <span className="muted">
            {hasEnd && isFinal === undefined
              ? file.failureReason !== null && "Whether all blocks of these days are final is not known."
              : isFinal === true
                ? "All blocks of these days are final."
                : finalBlock === null
                  ? "The file is empty, because no block is final yet."
                  : `The file ends at block ${grouped(finalBlock)}, the newest final block.`}
          </span>
          <span className="muted">
            A file has at most {grouped(String(MAXIMUM_TRANSACTIONS))} transactions, newest first; if its last row has a{" "}
            <code>nextCursor</code>, older ones are missing. A spreadsheet rounds amounts of 16 digits or more: import
            the columns as text.
          </span>
        </>
      )}
    </div>
  );
}
