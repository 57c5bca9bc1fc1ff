import { getRouteApi } from "@tanstack/react-router";
import type { SubmitEvent } from "react";
import type { HistoryFilters } from "../api/queries.ts";
import { transactionsSearch } from "../search.ts";

const route = getRouteApi("/transactions");

interface FiltersProps {
  readonly filters: HistoryFilters;
  readonly limit: string;
}

/** The filters of the history. They apply when the form is submitted, and are stored in the URL. */
export function Filters({ filters, limit }: FiltersProps) {
  const navigate = route.useNavigate();
  const apply = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = Object.fromEntries(new FormData(event.currentTarget));
    void navigate({ search: ({ network, from, to }) => ({ network, from, to, ...transactionsSearch(form) }) });
  };
  return (
    <form className="filters" onSubmit={apply}>
      <label>
        <span>Wallet</span>
        <input
          name="wallet"
          defaultValue={filters.wallet}
          pattern="0x[0-9a-fA-F]{40}"
          placeholder="0x…"
          title="An address: 0x and 40 hex digits"
        />
      </label>
      <label>
        <span>Transaction hash</span>
        <input
          name="transactionHash"
          defaultValue={filters.transactionHash}
          pattern="0x[0-9a-fA-F]{64}"
          placeholder="0x…"
          title="A hash: 0x and 64 hex digits"
        />
      </label>
      <label>
        <span>Activity</span>
        <select name="activity" defaultValue={filters.activity ?? ""}>
          <option value="">any</option>
          <option value="swap">swap</option>
          <option value="allowlist">allowlist</option>
        </select>
      </label>
      <label>
        <span>Outcome</span>
        <select name="outcome" defaultValue={filters.outcome ?? ""}>
          <option value="">any</option>
          <option value="success">success</option>
          <option value="revert">reverted</option>
        </select>
      </label>
      <label>
        <span>Entrypoint</span>
        <input
          name="entrypoint"
          defaultValue={filters.entrypoint}
          pattern="[A-Za-z_$][A-Za-z0-9_$]{0,63}"
          list="entrypoints"
          placeholder="any"
          title="The name of a function"
        />
        <datalist id="entrypoints">
          <option value="swap" />
          <option value="addToWhitelist" />
          <option value="removeFromWhitelist" />
        </datalist>
      </label>
      <label>
        <span>Per page</span>
        <select name="limit" defaultValue={limit}>
          <option>25</option>
          <option>50</option>
          <option>100</option>
        </select>
      </label>
      <div className="actions">
        <button type="submit">Apply</button>
        <button
          type="reset"
          className="plain"
          onClick={() => void navigate({ search: ({ network }) => ({ network }) })}
        >
          Clear
        </button>
      </div>
    </form>
  );
}
