/** Whole-second UTC times. Seconds since 1970 are bigint. */

/** A half-open range, which includes `from` but not `to`. */
export interface TimeRange {
  readonly from: bigint;
  readonly to: bigint;
}

/** Formats `YYYY-MM-DDTHH:MM:SSZ` (RFC 3339), for years 0000 to 9999. */
export function formatTime(second: bigint): string {
  return `${new Date(Number(second) * 1000).toISOString().slice(0, -".000Z".length)}Z`;
}

const DATE_AND_TIME_LENGTH = "YYYY-MM-DDTHH:MM:SS".length;
const TIME = /^([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2})(?:\.([0-9]+))?(Z|[+ -][0-9]{2}:[0-9]{2})$/;

/** The offsets by which RFC 3339 marks a time in UTC. The last form means that the local offset is unknown. */
const UTC_OFFSETS = ["Z", "+00:00", "-00:00"];

/**
 * Returns why a text is not a whole second in UTC, in the years 1970 to 9999, in the format of RFC 3339: with `Z` or an
 * offset of zero, and optionally a fraction of zeros. Returns null when it is one, so that `parseTime` can read it.
 */
export function timeFault(text: string): string | null {
  const [, dateAndTime, fraction = "", offset = ""] = TIME.exec(text) ?? [];
  if (dateAndTime === undefined) return "not in that format";
  if (offset.startsWith(" ")) return "a space in place of the offset's +, which a query writes as %2B";
  if (!UTC_OFFSETS.includes(offset)) return `not in UTC but at ${offset}`;
  if (/[1-9]/.test(fraction)) return "not a whole second";
  const at = Date.parse(`${dateAndTime}Z`);
  // An invalid day of a month is parsed as one of the next month.
  if (Number.isNaN(at) || formatTime(BigInt(at) / 1000n) !== `${dateAndTime}Z`) return "no such date or time of day";
  return at < 0 ? "before 1970" : null;
}

/** Seconds of a time for which `timeFault` returns null. */
export function parseTime(text: string): bigint {
  return BigInt(Date.parse(`${text.slice(0, DATE_AND_TIME_LENGTH)}Z`)) / 1000n;
}
