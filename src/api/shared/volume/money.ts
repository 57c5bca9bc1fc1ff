/** Exact sums of USD value. No amount ever passes through a float. */

/** Fractional digits of a USD volume. */
const USD_DIGITS = 6;

/** A decimal fraction of a US dollar: `units / 10^scale`. */
export interface UsdAmount {
  readonly units: bigint;
  readonly scale: number;
}

/** Adapter prices are USD per whole token, times 10^18. */
const PRICE_SCALE = 18;

/** Returns the exact value of `amount` smallest units of a token with `decimals` at `priceUsdWad`. */
export function valueAtPrice(amount: bigint, decimals: number, priceUsdWad: bigint): UsdAmount {
  return { units: amount * priceUsdWad, scale: decimals + PRICE_SCALE };
}

/** Returns the sum of non-negative amounts in millionths of a US dollar, rounded down once, after summing. */
export function floorToMicroUsd(amounts: readonly UsdAmount[]): bigint {
  const scale = Math.max(USD_DIGITS, ...amounts.map((amount) => amount.scale));
  const units = amounts.reduce((sum, amount) => sum + amount.units * 10n ** BigInt(scale - amount.scale), 0n);
  return units / 10n ** BigInt(scale - USD_DIGITS);
}

/** Formats a non-negative number of millionths of a US dollar as a decimal string with six fractional digits. */
export function formatMicroUsd(microUsd: bigint): string {
  const digits = microUsd.toString().padStart(USD_DIGITS + 1, "0");
  return `${digits.slice(0, -USD_DIGITS)}.${digits.slice(-USD_DIGITS)}`;
}
