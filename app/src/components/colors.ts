/** Colors that distinguish LPs. */
const COUNT = 8;

/** Class of the color of an LP, and name of its CSS variable without the dashes. It is the same in every range. */
export function lpColor(lpAddresses: readonly string[], lpAddress: string): string {
  const index = lpAddresses.indexOf(lpAddress);
  return `series-${(index < 0 ? COUNT - 1 : index % COUNT) + 1}`;
}
