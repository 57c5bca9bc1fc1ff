/** Amounts as text. Every digit comes from integers: no amount goes through a JavaScript number. */
import { maxUint256 } from "viem";

/** A decimal number: `units` times 10^-`decimals`. */
export interface Decimal {
  readonly units: bigint;
  readonly decimals: number;
}

/** A decimal number as shown, and in full. */
export interface ShownDecimal {
  /** Grouped by thousands; an ellipsis marks digits that are left out. */
  readonly text: string;
  /** Every digit, without grouping: for hover, copy and screen readers. */
  readonly exact: string;
}

/** Maximum number of digits after the point where space is scarce. */
const SHOWN_FRACTION_DIGITS = 6;

/** Decimals of numbers that the API writes times 10^18. */
export const WAD_DECIMALS = 18;

/**
 * Reads a decimal number as the API writes it, such as `1234.567890`.
 * @throws Error when the text is not a decimal number
 */
export function parseDecimal(text: string): Decimal {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (match === null) throw new Error(`not a decimal number: ${text}`);
  const [, sign = "", whole = "", fraction = ""] = match;
  const units = BigInt(whole + fraction);
  return { units: sign === "-" ? -units : units, decimals: fraction.length };
}

/**
 * Smallest units of an amount that a reader typed in whole tokens, such as `1000.5`.
 * @throws Error saying what is wrong with the text
 */
export function unitsOf(text: string, decimals: number): bigint {
  if (!/^\d+(?:\.\d+)?$/.test(text)) throw new Error("Enter digits, with at most one decimal point between them.");
  const amount = parseDecimal(text);
  if (amount.decimals > decimals) {
    throw new Error(
      decimals === 0 ? "The token has no fractions." : `The token has at most ${decimals} digits after the point.`,
    );
  }
  const units = amount.units * 10n ** BigInt(decimals - amount.decimals);
  if (units > maxUint256) throw new Error("Enter a smaller amount: no contract can take this one.");
  return units;
}

/** Every digit, without grouping and without trailing zeros of the fraction. */
export function exactText({ units, decimals }: Decimal): string {
  const { sign, whole, fraction } = partsOf({ units, decimals });
  const significant = fraction.replace(/0+$/, "");
  return `${sign}${whole}${significant && `.${significant}`}`;
}

/**
 * Text for a place with room for a number of digits after the point. Further digits are cut, never rounded, and an
 * ellipsis marks the cut.
 * @param minimumDigits zeros are added up to this number of digits after the point
 */
export function shownDecimal(
  decimal: Decimal,
  { maximumDigits = SHOWN_FRACTION_DIGITS, minimumDigits = 0 } = {},
): ShownDecimal {
  const { sign, whole, fraction } = partsOf(decimal);
  const kept = fraction.slice(0, maximumDigits).replace(/0+$/, "");
  const isCut = /[1-9]/.test(fraction.slice(maximumDigits));
  // When digits are cut, the zeros before the cut stay; no zeros are added.
  const digits = isCut ? fraction.slice(0, maximumDigits) : kept.padEnd(minimumDigits, "0");
  const text = `${sign}${grouped(whole)}${digits && `.${digits}`}${isCut ? "…" : ""}`;
  return { text, exact: exactText(decimal) };
}

/** Digits in groups of three. */
export function grouped(digits: string): string {
  return digits.replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** How much of one amount there is for one whole token of another, cut after 18 digits; null for none of that. */
export function ratio(amount: Decimal, per: Decimal): Decimal | null {
  if (per.units === 0n) return null;
  const units = (amount.units * 10n ** BigInt(per.decimals + 18)) / (per.units * 10n ** BigInt(amount.decimals));
  return { units, decimals: 18 };
}

/** A number times 10^18, as the API writes prices, rates and sums of fees. */
export function fromWad(wad: string): Decimal {
  return { units: BigInt(wad), decimals: WAD_DECIMALS };
}

/** Part of a whole as a percentage, cut after 16 digits; null if the whole is zero. */
export function share(part: Decimal, whole: Decimal): Decimal | null {
  const fraction = ratio(part, whole);
  return fraction && percentOfWad(fraction.units);
}

/** A fraction times 10^18 as a percentage. */
export function percentOfWad(wad: bigint): Decimal {
  return { units: wad, decimals: 16 };
}

/** Only for the height of a bar or a line: about fifteen digits are exact. */
export function chartHeight(decimal: Decimal): number {
  return Number(exactText(decimal));
}

/** Text of a tick of an axis, with all digits that tell it from the ticks beside it. */
export function tickText(height: number, step: number, notation: "standard" | "compact" = "standard"): string {
  const thousands = Math.floor(Math.log10(Math.max(1, Math.abs(height))) / 3);
  const shownStep = notation === "compact" ? step / 1000 ** thousands : step;
  // Steps are 1, 2, 2.5 or 5 times a power of ten.
  const maximumFractionDigits = Math.min(20, Math.max(0, 1 - Math.floor(Math.log10(shownStep))));
  return new Intl.NumberFormat("en", { notation, maximumFractionDigits }).format(height);
}

function partsOf({ units, decimals }: Decimal) {
  const sign = units < 0n ? "-" : "";
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, "0");
  return { sign, whole: digits.slice(0, digits.length - decimals), fraction: digits.slice(digits.length - decimals) };
}
