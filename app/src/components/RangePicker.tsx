import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import type { Range } from "../api/queries.ts";
import { apiTime, DAY_SECONDS, secondsOf, startOf } from "../format/time.ts";
import type { RangeName } from "../search.ts";

/** The longest range that the API accepts, also one that ends now by its own clock, which can be ahead of the browser's. */
const LONGEST = 365 * DAY_SECONDS;
const CLOCK_TOLERANCE = 60;
const PRESETS: readonly (readonly [RangeName, string, number])[] = [
  ["24h", "24 h", DAY_SECONDS],
  ["7d", "7 d", 7 * DAY_SECONDS],
  ["30d", "30 d", 30 * DAY_SECONDS],
  ["90d", "90 d", 90 * DAY_SECONDS],
  ["365d", "1 y", LONGEST - CLOCK_TOLERANCE],
];
/** The days that the API accepts. */
const FIRST_DAY = "1970-01-01";
export const LAST_DAY = "9999-12-30";
const DEFAULT: RangeName = "30d";

interface RangeSearch {
  readonly range?: RangeName | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

interface Bounds {
  readonly from: string;
  readonly to: string;
}

/** The bounds that a query string gives. */
function givenBy({ from, to }: RangeSearch): Bounds | null {
  return from === undefined || to === undefined ? null : { from, to };
}

/** Why the API refuses bounds; null if it accepts them. */
function faultOf({ from, to }: Bounds): string | null {
  if (from >= to) return "The last day is before the first.";
  return secondsOf(to) - secondsOf(from) > LONGEST ? "A range has at most 365 days." : null;
}

/** The range that a query string describes. Bounds that the API refuses do not count. */
export function rangeOf(search: RangeSearch): Range {
  const given = givenBy(search);
  if (given !== null && faultOf(given) === null) return given;
  const preset = PRESETS.find(([name]) => name === (search.range ?? DEFAULT));
  return { lastSeconds: preset?.[2] ?? 30 * DAY_SECONDS };
}

/** Length of a range in seconds. */
export function lengthOf(range: Range): number {
  return "from" in range ? secondsOf(range.to) - secondsOf(range.from) : range.lastSeconds;
}

/** Selects a range of time, which is stored in the URL. */
export function RangePicker({ search }: { readonly search: RangeSearch }) {
  const navigate = useNavigate();
  const given = givenBy(search);
  const fault = given && faultOf(given);
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
  // Days that are refused stay in the fields, to be corrected.
  const range = given ?? rangeOf(search);
  const first = "from" in range ? secondsOf(range.from) : startOf(range.lastSeconds, now);
  const end = "from" in range ? secondsOf(range.to) : now;
  const goDays = (firstDay: string, lastDay: string) => {
    go({ from: `${firstDay}T00:00:00Z`, to: apiTime(secondsOf(`${lastDay}T00:00:00Z`) + DAY_SECONDS) });
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
            aria-pressed={(given === null || fault !== null) && (search.range ?? DEFAULT) === name}
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
      {fault !== null && (
        <span role="alert" className="warning">
          {fault} The range is not applied.
        </span>
      )}
    </div>
  );
}

interface DayProps {
  readonly name: string;
  /** Empty for no day. */
  readonly day: string;
  readonly change: (day: string) => void;
  readonly min?: string;
  readonly max: string;
  /** Whether the field can be emptied. */
  readonly isOptional?: boolean;
}

/** A field for a day. While the digits of a year are typed, the field has days of the years 2, 20 and 202. */
export function Day({ name, day, change, min = FIRST_DAY, max, isOptional = false }: DayProps) {
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
          if (value === "" ? isOptional : value >= FIRST_DAY && value <= LAST_DAY) change(value);
        }}
      />
    </label>
  );
}

/** The day of a second, in UTC. */
export function dayOf(seconds: number): string {
  return apiTime(seconds).slice(0, 10);
}
