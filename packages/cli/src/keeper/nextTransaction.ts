/**
 * Which transaction the account's next nonce gets. Pure.
 *
 * The chain takes one transaction per nonce. As the nonce is always the one that the chain expects at the block which was
 * observed, whatever was signed before, by this run, an earlier one or another keeper, excludes what is signed now, and
 * the other way round. So nothing has to be remembered for an action not to be done twice.
 */
import type { Hash, Hex } from "viem";
import type { Call } from "../write/plan.ts";
import type { GasSettings } from "./config.ts";
import type { AccountState } from "./observe.ts";

/** Percent by which a replacement raises both fees; nodes ask for 10 at least. */
const RAISE_PERCENT = 125n;

export interface Fees {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

/** What holds the next nonce in the pools of nodes. */
export interface InFlight {
  readonly nonce: number;
  /** By the chain's clock. */
  readonly sinceTimestamp: bigint;
  /** Null for a transaction that this run did not send. */
  readonly sent: SignedCall | null;
  /** Fees that a replacement has to exceed; null when they are unknown. */
  readonly fees: Fees | null;
}

export interface SignedCall extends Call {
  readonly title: string;
  readonly hash: Hash;
  readonly signed: Hex;
}

export type Next =
  /** The account has nothing to send, and nothing of it is in flight. */
  | { readonly kind: "nothing" }
  /** A transaction is in flight and has its time. */
  | { readonly kind: "wait"; readonly inFlight: InFlight }
  /** The fee that is needed is above the cap. */
  | { readonly kind: "capped"; readonly inFlight: InFlight | null; readonly neededFeePerGas: bigint }
  | { readonly kind: "send"; readonly isReplacement: boolean; readonly fees: Fees };

/**
 * @param isWanted whether there is an action to send
 * @param now time of the newest block
 */
export function nextTransaction(
  isWanted: boolean,
  known: InFlight | null,
  { nonce, pendingNonce, baseFeePerGas }: AccountState,
  now: bigint,
  { maxFeeGwei: cap, priorityFeeGwei: priority, replaceAfterSeconds }: GasSettings,
): Next {
  const inFlight = inFlightAt(known, nonce, pendingNonce, now);
  if (inFlight === null && !isWanted) return { kind: "nothing" };
  if (inFlight !== null && now < inFlight.sinceTimestamp + BigInt(replaceAfterSeconds)) {
    return { kind: "wait", inFlight };
  }
  const least = inFlight?.fees ?? null;
  // Of a transaction that waits for its turn at the present base fee, or pays twice as much if that rises.
  const neededFeePerGas = max(baseFeePerGas + priority, least === null ? 0n : raised(least.maxFeePerGas));
  if (neededFeePerGas > cap) return { kind: "capped", inFlight, neededFeePerGas };
  const maxFeePerGas = min(cap, max(2n * baseFeePerGas + priority, neededFeePerGas));
  const maxPriorityFeePerGas = max(priority, least === null ? 0n : raised(least.maxPriorityFeePerGas));
  if (maxPriorityFeePerGas > maxFeePerGas) return { kind: "capped", inFlight, neededFeePerGas: maxPriorityFeePerGas };
  return { kind: "send", isReplacement: inFlight !== null, fees: { maxFeePerGas, maxPriorityFeePerGas } };
}

/** What is in flight: what is known to be, unless its nonce is used; or what the node knows, from now on. */
function inFlightAt(known: InFlight | null, nonce: number, pendingNonce: number, now: bigint): InFlight | null {
  if (known !== null && known.nonce === nonce) return known;
  return pendingNonce > nonce ? { nonce, sinceTimestamp: now, sent: null, fees: null } : null;
}

function raised(fee: bigint): bigint {
  return (fee * RAISE_PERCENT + 99n) / 100n;
}

function max(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}

function min(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}
