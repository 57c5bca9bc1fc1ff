import { useNavigate } from "@tanstack/react-router";
import type { Interval, Range } from "../api/queries.ts";
import { DAY_SECONDS } from "../format/time.ts";
import { lengthOf } from "./RangePicker.tsx";

/** Longest range that the API cuts into at most 1,000 buckets. */
const LONGEST: Readonly<Record<Interval, number>> = {
  hour: 41 * DAY_SECONDS,
  day: 999 * DAY_SECONDS,
  week: 999 * DAY_SECONDS,
  month: 999 * DAY_SECONDS,
};

/** The interval that shows a range well. */
export function defaultInterval(range: Range): Interval {
  const days = lengthOf(range) / DAY_SECONDS;
  return days <= 3 ? "hour" : days <= 100 ? "day" : "week";
}

/** Selects the interval by which a range is cut, which is stored in the URL. */
export function IntervalChoice({ interval, range }: { readonly interval: Interval; readonly range: Range }) {
  const navigate = useNavigate();
  return (
    <label>
      <span>by</span>
      <select
        value={interval}
        onChange={({ target }) =>
          void navigate({ to: ".", search: (before) => ({ ...before, interval: target.value as Interval }) })
        }
      >
        {(["hour", "day", "week", "month"] as const).map((name) => (
          <option key={name} value={name} disabled={lengthOf(range) > LONGEST[name]}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
