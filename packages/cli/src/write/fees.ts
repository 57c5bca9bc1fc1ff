/** Fees of a transaction that replaces another one of the same nonce. */

/** Fees of a replacement, in percent of the fees before. Nodes require at least 110. */
const RAISE_PERCENT = 125n;

/** Returns the least fee, in wei per gas, with which a replacement is sent. Rounds up. */
export function raisedFee(fee: bigint): bigint {
  return (fee * RAISE_PERCENT + 99n) / 100n;
}

export function max(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}

export function min(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}
