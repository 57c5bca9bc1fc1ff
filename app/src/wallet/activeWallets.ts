/** Wallets that transactions name, and their activity. */
import type { Schemas } from "../api/client.ts";

/** A wallet with the numbers of its realized legs. */
export interface ActiveWallet {
  readonly address: string;
  readonly deposits: number;
  readonly redemptions: number;
  readonly swaps: number;
  /** Seconds since 1970. */
  readonly lastSeen: string;
}

/**
 * Users of realized legs, except those that CoreSwap derived for a custody: wallets that deposit or redeem come first,
 * then by number of legs.
 * @param transactions newest first
 * @param yieldBearingIds assets whose purchase is a deposit and whose sale is a redemption
 */
export function activeWallets(
  transactions: readonly Schemas["Transaction"][],
  yieldBearingIds: ReadonlySet<string>,
  swapContract: string | undefined,
): ActiveWallet[] {
  const wallets = new Map<string, ActiveWallet>();
  for (const { activities, inclusion } of transactions) {
    for (const activity of activities) {
      if (activity.type !== "swap" || activity.operator === swapContract) continue;
      const address = activity.user;
      const before = wallets.get(address) ?? {
        address,
        deposits: 0,
        redemptions: 0,
        swaps: 0,
        lastSeen: inclusion.timestamp,
      };
      const kind = yieldBearingIds.has(activity.assetOutId)
        ? "deposits"
        : yieldBearingIds.has(activity.assetInId)
          ? "redemptions"
          : "swaps";
      wallets.set(address, { ...before, [kind]: before[kind] + 1 });
    }
  }
  const ofTreasury = ({ deposits, redemptions }: ActiveWallet) => deposits + redemptions;
  return [...wallets.values()].sort((a, b) => ofTreasury(b) - ofTreasury(a) || b.swaps - a.swaps);
}
