import { useNavigate } from "@tanstack/react-router";
import type { Range } from "../api/queries.ts";
import { apiTime, secondsOf } from "../format/time.ts";
import type { RangeName } from "../search.ts";

const DAY = 86_400;
const PRESETS: readonly (readonly [RangeName, string, number])[] = [
  ["24h", "24 h", DAY],
  ["7d", "7 d", 7 * DAY],
  ["30d", "30 d", 30 * DAY],
  ["90d", "90 d", 90 * DAY],
  ["365d", "1 y", 365 * DAY],
];
const DEFAULT: RangeName = "30d";

interface RangeSearch {
  readonly range?: RangeName | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The range that a query string describes. */
export function rangeOf({ range, from, to }: RangeSearch): Range {
  if (from !== undefined && to !== undefined) return { from, to };
  const preset = PRESETS.find(([name]) => name === (range ?? DEFAULT));
  return { lastSeconds: preset?.[2] ?? 30 * DAY };
}

/** Length of a range in seconds. */
export function lengthOf(range: Range): number {
  return "from" in range ? secondsOf(range.to) - secondsOf(range.from) : range.lastSeconds;
}

/** Selects a range of time, which is stored in the URL. */
export function RangePicker({ search }: { readonly search: RangeSearch }) {
  const navigate = useNavigate();
  const isCustom = search.from !== undefined && search.to !== undefined;
  const go = (change: RangeSearch) =>
    void navigate({
      to: ".",
      // Another range may not allow the interval.
      search: (before) => ({
        ...before,
        range: undefined,
        from: undefined,
        to: undefined,
        interval: undefined,
        ...change,
      }),
    });
  const now = Math.floor(Date.now() / 1000);
  const range = rangeOf(search);
  const first = "from" in range ? secondsOf(range.from) : now - range.lastSeconds;
  const end = "from" in range ? secondsOf(range.to) : now;
  const goDays = (firstDay: string, lastDay: string) => {
    if (firstDay === "" || lastDay === "") return;
    go({ from: `${firstDay}T00:00:00Z`, to: apiTime(secondsOf(`${lastDay}T00:00:00Z`) + DAY) });
  };
  const firstDay = dayOf(first);
  const lastDay = dayOf(end - 1);
  return (
    <div className="range">
      <fieldset className="segments">
        <legend className="hidden">Range</legend>
        {PRESETS.map(([name, text]) => (
          <button
            key={name}
            type="button"
            aria-pressed={!isCustom && (search.range ?? DEFAULT) === name}
            onClick={() => go({ range: name })}
          >
            {text}
          </button>
        ))}
      </fieldset>
      <fieldset className="days">
        <legend className="hidden">Own range</legend>
        <label>
          <span>From</span>
          <input type="date" value={firstDay} max={lastDay} onChange={({ target }) => goDays(target.value, lastDay)} />
        </label>
        <label>
          <span>through</span>
          <input type="date" value={lastDay} min={firstDay} onChange={({ target }) => goDays(firstDay, target.value)} />
        </label>
        <span className="muted">UTC</span>
      </fieldset>
    </div>
  );
}

function dayOf(seconds: number): string {
  return apiTime(seconds).slice(0, 10);
}
