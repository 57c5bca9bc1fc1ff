/** Matches submitted swap legs with the realized ones. */
import { maxUint256 } from "viem";
import type { Schemas } from "../api/client.ts";
import { exactSideOf } from "../format/names.ts";

type Submitted = Schemas["SubmittedSwapLeg"];
type Realized = Schemas["SwapActivity"];

/** A leg that was submitted, realized, or both. */
export interface Leg {
  readonly submitted: Submitted | null;
  readonly realized: Realized | null;
  /** A prefund or sweep of a custody, caused by another leg. */
  readonly isDerived: boolean;
}

/** The margin between a realized amount and its bound. */
export interface Slack {
  /** In the smallest unit of the asset on the bounded side. */
  readonly amount: bigint;
  /** The side that the bound applies to. */
  readonly side: "in" | "out";
}

/** Realized swap legs, in the order of the chain. */
function realizedLegsOf({ activities }: Pick<Schemas["Transaction"], "activities">): Realized[] {
  return activities.filter((activity) => activity.type === "swap");
}

/** Submitted swap legs; none when the swap was made inside another contract's call. */
function submittedLegsOf({ directCall }: Pick<Schemas["Transaction"], "directCall">): readonly Submitted[] {
  return directCall?.submittedSwapLegs ?? [];
}

/**
 * The legs of a transaction: the realized ones in order, each with the submitted one that it belongs to, or the
 * submitted ones when nothing was realized. CoreSwap itself operates derived legs, which nobody submitted.
 */
export function legsOf(
  transaction: Pick<Schemas["Transaction"], "activities" | "directCall">,
  swapContract: string | undefined,
): Leg[] {
  const realized = realizedLegsOf(transaction);
  const submitted = submittedLegsOf(transaction);
  if (realized.length === 0) return submitted.map((leg) => ({ submitted: leg, realized: null, isDerived: false }));
  const requested = realized.filter(({ operator }) => operator !== swapContract);
  // A call that also swaps in another way, for example in a token's hook, gives no order to rely on.
  const isPaired =
    requested.length === submitted.length && requested.every((leg, index) => isSameSwap(leg, submitted[index]));
  return realized.map((leg) => {
    const isDerived = leg.operator === swapContract;
    const own = isPaired && !isDerived ? submitted[requested.indexOf(leg)] : undefined;
    return { submitted: own ?? null, realized: leg, isDerived };
  });
}

/** The margin between a realized amount and its bound; null without a bound. */
export function slackOf({ submitted, realized }: Leg): Slack | null {
  if (submitted === null || realized === null) return null;
  if (exactSideOf(submitted.routeId) === "in") {
    const minimum = BigInt(submitted.assetOutAmount);
    return minimum === 0n ? null : { amount: BigInt(realized.amountOut) - minimum, side: "out" };
  }
  const maximum = BigInt(submitted.assetInAmount);
  return maximum === maxUint256 ? null : { amount: maximum - BigInt(realized.amountIn), side: "in" };
}

function isSameSwap(realized: Realized, submitted: Submitted | undefined): boolean {
  return (
    submitted !== undefined &&
    realized.routeId === submitted.routeId &&
    realized.assetInId === submitted.assetInId &&
    realized.assetOutId === submitted.assetOutId &&
    realized.stablecoinDelegateId === submitted.stablecoinDelegateId
  );
}
