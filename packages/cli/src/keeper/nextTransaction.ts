/**
 * Decides which transaction gets the account's next nonce. It has no side effects.
 *
 * The chain accepts one transaction per nonce. A transaction is always signed with the nonce that the chain expects at
 * the observed block. So of all transactions signed for that nonce, by this run, an earlier one or another keeper, only
 * one is mined, and nothing has to be remembered for that. An action can happen twice only if a reorganization drops two
 * or more of the keeper's transactions: it is then signed again for an earlier nonce, and its dropped transaction can
 * still be mined after that.
 */
import type { Hash, Hex } from "viem";
import { max, min, raisedFee } from "../write/fees.ts";
import type { Call } from "../write/plan.ts";
import type { GasSettings } from "./config.ts";
import type { Action } from "./decide.ts";
import type { AccountState } from "./observe.ts";

export interface Fees {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

/** The transaction that holds the next nonce in the nodes' pools. */
export interface InFlight {
  readonly nonce: number;
  /** When it was sent or first seen, by the chain's clock. */
  readonly sinceTimestamp: bigint;
  /** Null for a transaction that this run did not send. */
  readonly sent: SignedCall | null;
  /** Fees that a replacement has to exceed; null when they are unknown. */
  readonly fees: Fees | null;
}

export interface SignedCall extends Call {
  /** Null for an empty transaction. */
  readonly kind: Action["kind"] | null;
  readonly title: string;
  /** As in `Action`. */
  readonly validUntil: bigint | undefined;
  readonly hash: Hash;
  readonly signed: Hex;
}

export type Next =
  /** The account has nothing to send, and no transaction in flight. */
  | { readonly kind: "nothing" }
  /** A transaction is in flight, still wanted, and it is too early to replace it. */
  | { readonly kind: "wait"; readonly inFlight: InFlight }
  /** The required fee is above the cap. The transaction in flight is null if it has to be forgotten. */
  | { readonly kind: "capped"; readonly inFlight: InFlight | null; readonly neededFeePerGas: bigint }
  | { readonly kind: "send"; readonly isReplacement: boolean; readonly fees: Fees };

interface Situation {
  /** Whether there is an action to send. */
  readonly isWanted: boolean;
  /** The transaction that was in flight before the observed block. */
  readonly known: InFlight | null;
  /**
   * Whether the known transaction is a call that is not wanted any more. It is replaced at once, because it would undo
   * what somebody else has done since.
   */
  readonly isObsolete: boolean;
  readonly account: AccountState;
  /** Time of the newest block. */
  readonly now: bigint;
}

export function nextTransaction({ isWanted, known, isObsolete, account, now }: Situation, gas: GasSettings): Next {
  const { nonce, pendingNonce, baseFeePerGas } = account;
  const { maxFeeGwei: cap, priorityFeeGwei: priority, replaceAfterSeconds } = gas;
  const inFlight = inFlightAt(known, nonce, pendingNonce, now);
  if (inFlight === null && !isWanted) return { kind: "nothing" };
  const isEarly = inFlight !== null && now < inFlight.sinceTimestamp + BigInt(replaceAfterSeconds);
  if (isEarly && !isObsolete) return { kind: "wait", inFlight };
  const least = inFlight?.fees ?? null;
  // The least fee per gas that is mined at the current base fee, or that can replace the transaction in flight. The
  // offered fee covers twice the base fee if the cap allows it.
  const neededFeePerGas = max(baseFeePerGas + priority, least === null ? 0n : raisedFee(least.maxFeePerGas));
  // A transaction of another run may have left the pool meanwhile. Then the usual fee is enough again.
  const isGone = inFlight?.sent === null && pendingNonce <= nonce;
  const remembered = isGone ? null : inFlight;
  if (neededFeePerGas > cap) return { kind: "capped", inFlight: remembered, neededFeePerGas };
  const maxFeePerGas = min(cap, max(2n * baseFeePerGas + priority, neededFeePerGas));
  const maxPriorityFeePerGas = max(priority, least === null ? 0n : raisedFee(least.maxPriorityFeePerGas));
  if (maxPriorityFeePerGas > maxFeePerGas) {
    return { kind: "capped", inFlight: remembered, neededFeePerGas: maxPriorityFeePerGas };
  }
  return { kind: "send", isReplacement: inFlight !== null, fees: { maxFeePerGas, maxPriorityFeePerGas } };
}

/**
 * Returns the known transaction in flight while its nonce is unused, else the one that the node reports, as seen now.
 */
function inFlightAt(known: InFlight | null, nonce: number, pendingNonce: number, now: bigint): InFlight | null {
  if (known !== null && known.nonce === nonce) return known;
  return pendingNonce > nonce ? { nonce, sinceTimestamp: now, sent: null, fees: null } : null;
}
