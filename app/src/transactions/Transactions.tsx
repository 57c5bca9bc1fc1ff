import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { type HistoryFilters, transactionsQuery } from "../api/queries.ts";
import { Answer, Empty } from "../components/Answer.tsx";
import { Heading } from "../components/Heading.tsx";
import { networkText } from "../format/names.ts";
import { defined } from "../search.ts";
import { useNetwork } from "../shell/context.ts";
import { FileDownload } from "./FileDownload.tsx";
import { Filters } from "./Filters.tsx";
import { HistoryTable } from "./HistoryTable.tsx";

const route = getRouteApi("/transactions");
const DEFAULT_LIMIT = "25";

/** The history, newest first, with all filters of the API. */
export function Transactions(): ReactNode {
  const { network: _, from: _from, to: _to, cursor, limit = DEFAULT_LIMIT, ...search } = route.useSearch();
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
            </nav>
            <FileDownload
              network={network}
              filters={filters}
              finalBlock={coverage.historicalBackfill.indexedThroughBlock}
            />
          </>
        )}
      </Answer>
    </>
  );
}
