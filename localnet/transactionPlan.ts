/** The transactions of a history and of live traffic: their kinds, and the planned result of each. */
import type { Hex } from "viem";
import type { AssetSymbol, RwaSymbol } from "./assets.ts";
import type { PlannedLeg } from "./legs.ts";
import type { WalletName } from "./wallets.ts";

/**
 * Kinds of transactions, and how many of a thousand are of each. The rest of a history is administration: pauses, list
 * changes and NAV posts, whose number does not depend on the length of the history.
 */
export const SHARES = {
  /** One leg sent by its user. */
  swap: 240,
  /** The receiver is not the user. */
  swapToOther: 60,
  /** Sent by an operator with a standing input allowance. */
  swapByAllowance: 75,
  /** Sent by a relayer with the user's signature. */
  swapByPermit: 65,
  /** Inside a call to another contract. */
  swapNested: 60,
  /** Several legs. */
  swapBatch: 100,
  /** A deposit for treasury tokens, often for another account. */
  treasuryDeposit: 60,
  /** Principal and accrued yield, paid in a stablecoin or an RWA. */
  treasuryRedemption: 50,
  /** A call that accrues interest for one account or several. */
  accrual: 12,
  revertedBound: 40,
  revertedBlacklisted: 14,
  revertedPaused: 20,
  /** An operator without allowance. */
  revertedUnauthorized: 10,
  /** A signature that expired or is another account's. */
  revertedPermit: 10,
  /** An asset no longer accepted. */
  revertedDelisted: 10,
  /** Native value sent along, which `swap` refuses. */
  revertedValue: 6,
  /** A deposit for an account that is not on the allowlist. */
  revertedNotListed: 4,
  /** A redemption by an account without credits. */
  revertedNoCredits: 4,
  /** A nested swap that misses its bound; nothing of it is part of the economic history. */
  revertedNested: 8,
  /** Adds an account to the allowlist, or removes one that is on it. */
  allowlistChange: 72,
  /** Adds an account that is already on the allowlist, which succeeds without an event. */
  allowlistUnchanged: 12,
  revertedAllowlist: 18,
  /** Calldata that is not a call of CoreSwap's interface. */
  undecodable: 15,
  /** Transfers of native value and of tokens. */
  noise: 35,
} as const;

export type DealtKind = keyof typeof SHARES;

type TransactionKind = Exclude<DealtKind, "allowlistChange"> | "allowlistAdded" | "allowlistRemoved" | "administration";

export type Authorization = "self" | "allowance" | "permit" | "expiredPermit" | "forgedPermit";

export type Action =
  | {
      readonly type: "swap";
      readonly user: WalletName;
      readonly receiver: WalletName;
      readonly legs: readonly PlannedLeg[];
      readonly authorization: Authorization;
      readonly valueWei: bigint;
    }
  | { readonly type: "nestedSwap"; readonly receiver: WalletName; readonly leg: PlannedLeg }
  | {
      readonly type: "allowlist";
      readonly method: "addToWhitelist" | "removeFromWhitelist";
      /** Null means the zero address. */
      readonly account: WalletName | null;
    }
  | { readonly type: "rawCall"; readonly data: Hex }
  | { readonly type: "nativeTransfer"; readonly to: WalletName; readonly valueWei: bigint }
  | { readonly type: "tokenTransfer"; readonly asset: AssetSymbol; readonly to: WalletName; readonly amount: bigint }
  | { readonly type: "accrue"; readonly accounts: readonly WalletName[] }
  | { readonly type: "postRate" | "correctRate"; readonly dayNumber: number; readonly grossRateWad: bigint }
  | { readonly type: "postNav"; readonly asset: RwaSymbol; readonly navWad: bigint }
  | { readonly type: "pause" | "unpause" | "delist" | "replaceDelegate" }
  | { readonly type: "blacklist"; readonly account: WalletName; readonly listed: boolean };

export interface PlannedTransaction {
  readonly kind: TransactionKind;
  readonly sender: WalletName;
  readonly action: Action;
  /**
   * Whether it is part of the economic history: a direct call of swap or of the allowlist, or a transaction with their
   * events.
   */
  readonly economic: boolean;
  /** Number of swap and allowlist events that it must emit. */
  readonly activities: number;
  /** Name of the error it must revert with, "" for a revert without data; null when it must succeed. */
  readonly revertsWith: string | null;
  readonly priorityFeeGwei: number;
}

/** The state of the protocol that decides the result of a planned transaction. */
export interface PlanWorld {
  readonly delisted: ReadonlySet<AssetSymbol>;
  readonly allowlisted: ReadonlySet<WalletName>;
}
