import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { type HistoryFilters, transactionsQuery } from "../api/queries.ts";
import { Answer, Empty } from "../components/Answer.tsx";
import { Heading } from "../components/Heading.tsx";
import { grouped } from "../format/amount.ts";
import { networkText } from "../format/names.ts";
import { defined, stringifySearch } from "../search.ts";
import { useNetwork } from "../shell/context.ts";
import { Filters } from "./Filters.tsx";
import { HistoryTable } from "./HistoryTable.tsx";

const route = getRouteApi("/transactions");
const DEFAULT_LIMIT = "25";

/** The history, newest first, with all filters of the API. */
export function Transactions(): ReactNode {
  const { network: _, cursor, limit = DEFAULT_LIMIT, ...search } = route.useSearch();
  const network = useNetwork();
  const filters: HistoryFilters = defined(search);
  const page = useQuery(transactionsQuery({ network, ...filters, limit: Number(limit), ...defined({ cursor }) }));
  return (
    <>
      <Heading text={`Transactions on ${networkText(network)}`} />
      <Filters key={JSON.stringify({ ...filters, limit })} filters={filters} limit={limit} />
      <Answer query={page}>
        {({ transactions, nextCursor, coverage }) => (
          <>
            {transactions.length === 0 ? (
              <Empty>No transaction satisfies these filters.</Empty>
            ) : (
              <div className="panel flush">
                <HistoryTable caption="Transactions" transactions={transactions} />
              </div>
            )}
            <nav className="pages" aria-label="Pages">
              {cursor !== undefined && (
                <Link to="/transactions" search={(before) => ({ ...before, cursor: undefined })}>
                  Newest
                </Link>
              )}
              {nextCursor !== null && (
                // While new filters wait for their answer, `nextCursor` still belongs to the previous filters. While the
                // next page waits, it is that page's own cursor, and a disabled link would lose the focus.
                <Link
                  to="/transactions"
                  search={(before) => ({ ...before, cursor: nextCursor })}
                  disabled={page.isPlaceholderData && cursor !== nextCursor}
                >
                  Older
                </Link>
              )}
              <a href={`/v1/transactions.csv${stringifySearch({ network, ...filters })}`} download>
                Download as CSV
              </a>
              <span className="muted">
                {coverage.historicalBackfill.indexedThroughBlock === null
                  ? "The file is empty, because no block is final yet."
                  : `The file ends at block ${grouped(coverage.historicalBackfill.indexedThroughBlock)}, the newest final block.`}
              </span>
            </nav>
          </>
        )}
      </Answer>
    </>
  );
}
