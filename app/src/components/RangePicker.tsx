import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import type { Range } from "../api/queries.ts";
import { apiTime, secondsOf } from "../format/time.ts";
import type { RangeName } from "../search.ts";

const DAY = 86_400;
/** The API refuses more than 365 days before its own clock, which can be ahead of the browser's. */
const CLOCK_TOLERANCE = 60;
const PRESETS: readonly (readonly [RangeName, string, number])[] = [
  ["24h", "24 h", DAY],
  ["7d", "7 d", 7 * DAY],
  ["30d", "30 d", 30 * DAY],
  ["90d", "90 d", 90 * DAY],
  ["365d", "1 y", 365 * DAY - CLOCK_TOLERANCE],
];
/** The days that the API accepts. */
const FIRST_DAY = "1970-01-01";
const LAST_DAY = "9999-12-30";
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
        <legend className="hidden">Custom range</legend>
        <Day name="From" day={firstDay} change={(day) => goDays(day, lastDay)} max={lastDay} />
        <Day name="through" day={lastDay} change={(day) => goDays(firstDay, day)} min={firstDay} max={LAST_DAY} />
        <span className="muted">UTC</span>
      </fieldset>
    </div>
  );
}

interface DayProps {
  readonly name: string;
  readonly day: string;
  readonly change: (day: string) => void;
  readonly min?: string;
  readonly max: string;
}

/** A field for a day. While the digits of a year are typed, the field has days of the years 2, 20 and 202. */
function Day({ name, day, change, min = FIRST_DAY, max }: DayProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const field = input.current;
    if (field !== null && field.value !== day) field.value = day;
  }, [day]);
  return (
    <label>
      <span>{name}</span>
      <input
        ref={input}
        type="date"
        defaultValue={day}
        min={min}
        max={max}
        onChange={({ target: { value } }) => {
          if (value >= FIRST_DAY && value <= LAST_DAY) change(value);
        }}
      />
    </label>
  );
}

function dayOf(seconds: number): string {
  return apiTime(seconds).slice(0, 10);
}
