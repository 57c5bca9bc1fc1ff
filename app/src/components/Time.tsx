import { createContext, useContext, useEffect, useState } from "react";
import { grouped } from "../format/amount.ts";
import {
  apiTime,
  durationText,
  localText,
  periodText,
  relativeText,
  secondsOf,
  timeText,
  utcText,
} from "../format/time.ts";

export type Zone = "utc" | "local";

/** The zone in which times are shown; the title shows the other one. */
export const ZoneContext = createContext<Zone>("utc");

/** The time of this machine in seconds, updated every second. */
function useNow(): number {
  const [now, setNow] = useState(() => Math.floor(Date.now() / 1000));
  useEffect(() => {
    const timer = setInterval(() => setNow(Math.floor(Date.now() / 1000)), 1_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** A point in time, as the API writes it: RFC 3339 or decimal seconds. */
export function Time({ value }: { readonly value: string }) {
  const zone = useContext(ZoneContext);
  const seconds = secondsOf(value);
  const [shown, other] =
    zone === "utc" ? [utcText(seconds), localText(seconds)] : [localText(seconds), utcText(seconds)];
  return (
    <time dateTime={apiTime(seconds)} title={other}>
      {shown}
    </time>
  );
}

/** How long ago a time was, or how far ahead it is; the title shows the time itself. */
export function Age({ value }: { readonly value: string }) {
  const zone = useContext(ZoneContext);
  const now = useNow();
  const seconds = secondsOf(value);
  return (
    <time dateTime={apiTime(seconds)} title={zone === "utc" ? utcText(seconds) : localText(seconds)}>
      {relativeText(seconds, now)}
    </time>
  );
}

interface ReadBlockProps {
  readonly block: { readonly blockNumber: string; readonly timestamp: string };
}

/** The block at which figures were read, and its age: without new events, it can be many minutes old. */
export function ReadBlock({ block: { blockNumber, timestamp } }: ReadBlockProps) {
  return (
    <>
      block {grouped(blockNumber)}, <Age value={timestamp} />
    </>
  );
}

/** The time that has passed since a time. */
export function Elapsed({ since }: { readonly since: string }) {
  return durationText(useNow() - secondsOf(since));
}

/**
 * The time of a position of a chart in UTC, as on its axis, and in local time. Both are shown, because nobody can read a
 * title while the pointer is on the chart.
 */
export function Moment({ value }: { readonly value: string }) {
  return <span className="place">{timeText(secondsOf(value))}</span>;
}

/** The bounds of a bucket of a chart, like `Moment`. */
export function Period({ from, to }: { readonly from: string; readonly to: string }) {
  return <span className="place">{periodText(secondsOf(from), secondsOf(to))}</span>;
}
