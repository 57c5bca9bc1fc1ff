/** Writes a time in seconds since 1970 in the format of the API: whole seconds in UTC. */
export function timeText(second: bigint | number): string {
  return new Date(Number(second) * 1000).toISOString().replace(".000Z", "Z");
}
