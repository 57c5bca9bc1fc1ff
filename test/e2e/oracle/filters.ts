/** Defines the filters of the history as conditions on a recomputed transaction. */
import type { HistoryTransaction } from "./history.ts";

export interface Filters {
  readonly wallet?: string;
  readonly outcome?: string;
  readonly activity?: string;
  readonly entrypoint?: string;
  readonly transactionHash?: string;
}

export type FilterName = keyof Filters;

export const FILTER_NAMES = ["wallet", "outcome", "activity", "entrypoint", "transactionHash"] as const;

/** Returns the transactions that satisfy every given condition, in the given order. */
export function filterHistory(transactions: readonly HistoryTransaction[], filters: Filters): HistoryTransaction[] {
  const { wallet, outcome, activity, entrypoint, transactionHash } = filters;
  return transactions.filter(
    (transaction) =>
      (wallet === undefined || walletsOf(transaction).has(wallet.toLowerCase())) &&
      (outcome === undefined || transaction.receipt.outcome === outcome) &&
      (activity === undefined || transaction.activities.some((each) => each.type === activity)) &&
      (entrypoint === undefined || transaction.directCall?.entrypoint === entrypoint) &&
      (transactionHash === undefined || transaction.transactionHash === transactionHash.toLowerCase()),
  );
}

/**
 * The sender and everyone who takes part in an activity. A reverted call has no activities, so only its sender remains.
 */
export function walletsOf(transaction: HistoryTransaction): Set<string> {
  const wallets = new Set<string>([transaction.sender]);
  for (const activity of transaction.activities) {
    if (activity.type === "allowlist") wallets.add(activity.wallet);
    else for (const wallet of [activity.user, activity.operator, activity.receiver]) wallets.add(wallet);
  }
  return wallets;
}
