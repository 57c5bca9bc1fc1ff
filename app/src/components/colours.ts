/** CSS variables of the colors that distinguish LPs. */
const COUNT = 8;

/** An LP has the same color in every range. */
export function lpColour(lpAddresses: readonly string[], lpAddress: string): string {
  const index = lpAddresses.indexOf(lpAddress);
  return `--series-${(index < 0 ? COUNT - 1 : index % COUNT) + 1}`;
}
