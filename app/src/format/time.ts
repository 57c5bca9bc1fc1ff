/** Points in time and ages as text. Times are whole seconds since 1970. */

const MINUTE = 60;
const HOUR = 60 * MINUTE;
/** Length of every day in UTC. */
export const DAY_SECONDS = 24 * HOUR;

/** Seconds of a time as the API returns it: RFC 3339, or decimal seconds. */
export function secondsOf(text: string): number {
  return /^\d+$/.test(text) ? Number(text) : Date.parse(text) / 1000;
}

/** A time as the API accepts it. */
export function apiTime(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
}

/** The first hour of UTC, or for more than a day the first day, that begins in the last seconds before now. */
export function startOf(lastSeconds: number, now: number): number {
  const unit = lastSeconds > DAY_SECONDS ? DAY_SECONDS : HOUR;
  return Math.ceil((now - lastSeconds) / unit) * unit;
}

/** Such as `2026-01-31 23:59:58 UTC`. */
export function utcText(seconds: number): string {
  return `${apiTime(seconds).replace("T", " ").replace("Z", "")} UTC`;
}

/** Such as `2026-02-01 00:59:58 GMT+1`, in the zone of the browser or the given one. */
export function localText(seconds: number, timeZone?: string): string {
  const format = new Intl.DateTimeFormat("en-GB", {
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
    timeZoneName: "short",
    ...(timeZone === undefined ? {} : { timeZone }),
  });
  const part = Object.fromEntries(format.formatToParts(seconds * 1000).map(({ type, value }) => [type, value]));
  return `${part.year}-${part.month}-${part.day} ${part.hour}:${part.minute}:${part.second} ${part.timeZoneName}`;
}

/** A time in UTC and, where that differs, in local time: `2026-01-31 23:59:58 UTC (2026-02-01 00:59:58 GMT+1)`. */
export function timeText(seconds: number, timeZone?: string): string {
  return inBothZones((textOf) => textOf(seconds), timeZone);
}

/** The bounds of a period to the minute, in UTC and, where that differs, in local time. */
export function periodText(from: number, to: number, timeZone?: string): string {
  return inBothZones((textOf) => {
    const [first, last] = [partsOf(textOf(from)), partsOf(textOf(to))];
    // The clocks may change between the bounds.
    const firstZone = first.zone === last.zone ? "" : ` ${first.zone}`;
    return `${first.minute}${firstZone} to ${last.minute} ${last.zone}`;
  }, timeZone);
}

function inBothZones(write: (textOf: (seconds: number) => string) => string, timeZone: string | undefined): string {
  const [utc, local] = [write(utcText), write((seconds) => localText(seconds, timeZone))];
  return utc === local ? utc : `${utc} (${local})`;
}

/** The time to the minute, and the zone, of a text such as `2026-01-31 23:59:58 UTC`. */
function partsOf(text: string) {
  return { minute: text.slice(0, 16), zone: text.slice(20) };
}

/** A duration in its two largest units, rounded down: `3 d 4 h`, `12 min 5 s`, `0 s`. */
export function durationText(seconds: number): string {
  const rest = Math.max(0, Math.floor(seconds));
  const units: [number, string][] = [
    [Math.floor(rest / DAY_SECONDS), "d"],
    [Math.floor((rest % DAY_SECONDS) / HOUR), "h"],
    [Math.floor((rest % HOUR) / MINUTE), "min"],
    [rest % MINUTE, "s"],
  ];
  const first = units.findIndex(([count]) => count > 0);
  if (first < 0) return "0 s";
  return units
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(" ");
}

/** How far a time is from now: `5 s ago`, `in 3 h 2 min`. */
export function relativeText(seconds: number, now: number): string {
  return seconds > now ? `in ${durationText(seconds - now)}` : `${durationText(now - seconds)} ago`;
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;

/** A bucket on the axis of a chart, in UTC: `29 Oct`, `29 Oct 14:00`, `Oct 2026`. */
export function placeText(seconds: number, interval: "hour" | "day" | "week" | "month"): string {
  const text = apiTime(seconds);
  const month = MONTHS[Number(text.slice(5, 7)) - 1] ?? "";
  if (interval === "month") return `${month} ${text.slice(0, 4)}`;
  const day = `${Number(text.slice(8, 10))} ${month}`;
  return interval === "hour" ? `${day} ${text.slice(11, 16)}` : day;
}
