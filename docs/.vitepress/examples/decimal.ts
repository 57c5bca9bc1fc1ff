/**
 * An integer as a decimal number with all of its digits and thousands separated.
 * @param units in 10^-decimals
 */
export function decimal(units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, ",");
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return fraction === "" ? whole : `${whole}.${fraction}`;
}

/** A WAD fraction in percent, such as 4.5 %. */
export function percent(wad: bigint): string {
  return `${decimal(wad, 16)} %`;
}
