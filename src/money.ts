/** Scaling of token amounts. Exact: amounts are only ever multiplied. */

/** Decimals of WAD, the scale of prices, rates and stablecoin value. */
export const WAD_DECIMALS = 18;

/**
 * An amount in smallest units of a token, scaled to 18 decimals.
 * @throws RangeError when the token has more than 18 decimals, which CoreSwap never registers
 */
export function toWad(amount: bigint, decimals: number): bigint {
  if (decimals > WAD_DECIMALS) throw new RangeError(`cannot scale ${decimals} decimals to ${WAD_DECIMALS} exactly`);
  return amount * 10n ** BigInt(WAD_DECIMALS - decimals);
}
