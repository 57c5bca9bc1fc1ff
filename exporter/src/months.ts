/** Calendar months in UTC. Seconds since 1970 are bigint. */

/** `[from, to)` of a month; its name is `YYYY-MM`. */
export interface Month {
  readonly name: string;
  readonly from: bigint;
  readonly to: bigint;
}

/** The months from that of one second to that of another, both included. */
export function monthsBetween(first: bigint, last: bigint): Month[] {
  const months: Month[] = [];
  for (let month = monthOf(first); month.from <= last; month = monthOf(month.to)) months.push(month);
  return months;
}

function monthOf(second: bigint): Month {
  const date = new Date(Number(second) * 1000);
  const startOf = (offset: number) => BigInt(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + offset) / 1000);
  return { name: date.toISOString().slice(0, "YYYY-MM".length), from: startOf(0), to: startOf(1) };
}
