/** Converts the sums of a wallet's entries to the positions of answers. */
import { formatTime } from "../shared/time.ts";
import { NO_POSITION, type PositionTotals } from "./position.query.ts";
import type { TreasuryHistoryAnswer, TreasuryPosition } from "./position.schema.ts";

/** Returns the credits that remain of all that an account received. */
export function creditsOf({ deposited, movedIn, redeemed, movedOut }: PositionTotals): bigint {
  return deposited + movedIn - redeemed - movedOut;
}

/** Formats a position for answers. */
export function positionOf(totals: PositionTotals | null): TreasuryPosition {
  const known = totals ?? NO_POSITION;
  return {
    ...flowsOf(known),
    netDeposits: (known.deposited - known.redeemed).toString(),
    credits: creditsOf(known).toString(),
  };
}

/**
 * Returns the changes from each bound to the next, and the position at the latter.
 * @param bounds seconds since 1970, ascending
 * @param totals the sums before each bound
 */
export function bucketsOf(
  bounds: readonly bigint[],
  totals: readonly (PositionTotals | null)[],
): TreasuryHistoryAnswer["accounts"][number]["buckets"] {
  return bounds.slice(1).map((to, index) => {
    const before = totals[index] ?? NO_POSITION;
    const atEnd = totals[index + 1] ?? NO_POSITION;
    return {
      from: formatTime(bounds[index] ?? to),
      to: formatTime(to),
      ...flowsOf({
        deposited: atEnd.deposited - before.deposited,
        redeemed: atEnd.redeemed - before.redeemed,
        yieldClaimed: atEnd.yieldClaimed - before.yieldClaimed,
        movedIn: atEnd.movedIn - before.movedIn,
        movedOut: atEnd.movedOut - before.movedOut,
      }),
      atEnd: positionOf(atEnd),
    };
  });
}

function flowsOf({ deposited, redeemed, yieldClaimed, movedIn, movedOut }: PositionTotals) {
  return {
    deposited: deposited.toString(),
    redeemed: redeemed.toString(),
    yieldClaimed: yieldClaimed.toString(),
    creditsMovedIn: movedIn.toString(),
    creditsMovedOut: movedOut.toString(),
  };
}
