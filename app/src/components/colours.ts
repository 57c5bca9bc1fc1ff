/** CSS variables of the colours that distinguish LPs. */
const COUNT = 8;

/** The same LP has the same colour in every range. */
export function lpColour(lpAddresses: readonly string[], lpAddress: string): string {
  const index = lpAddresses.indexOf(lpAddress);
  return `--series-${(index < 0 ? COUNT - 1 : index % COUNT) + 1}`;
}
