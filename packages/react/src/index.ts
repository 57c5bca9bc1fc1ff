/** Hooks for swaps, in the style of wagmi: each is an action of `@coreswap/sdk` as a query or a mutation. */
import {
  adjustSwapInputAllowance,
  approveSwap,
  deposit,
  getSwapApprovals,
  getSwapAssets,
  getSwapInputAllowance,
  getTreasuryPosition,
  quoteDeposit,
  quoteLeg,
  quoteRedemption,
  redeem,
  signSwapPermit,
  simulateSwap,
  swap,
} from "@coreswap/sdk";
import { writeHook } from "./mutation.ts";
import { readHook } from "./query.ts";

export type { Wallet, WriteOptions } from "./mutation.ts";
export type { Incomplete, ReadOptions, ReadParameters } from "./query.ts";

/** Reads assets from CoreSwap's registry. */
export const useSwapAssets = readHook("getSwapAssets", getSwapAssets, ({ coreSwap, ids }) => [coreSwap, ids]);

/** Quotes a leg. Pass a `blockNumber` that follows the chain to quote anew with each block. */
export const useQuoteLeg = readHook("quoteLeg", quoteLeg, ({ coreSwap, user, assetIn, assetOut, ...exact }) => [
  ...[coreSwap, user, assetIn, assetOut],
  exact.amountIn ?? exact.amountOut,
]);

/** Quotes a deposit into the treasury. */
export const useQuoteDeposit = readHook("quoteDeposit", quoteDeposit, treasuryPair);

/** Quotes a redemption from the treasury. */
export const useQuoteRedemption = readHook("quoteRedemption", quoteRedemption, treasuryPair);

/** Reads the approvals that quoted legs need. */
export const useSwapApprovals = readHook("getSwapApprovals", getSwapApprovals, ({ user, quotes, slippageBps }) => [
  ...[user, quotes, slippageBps],
]);

/** Simulates a swap, which also checks pauses, lists, balances and approvals. `data` is null when it would succeed. */
export const useSimulateSwap = readHook(
  "simulateSwap",
  async (...[client, parameters]: Parameters<typeof simulateSwap>) => {
    await simulateSwap(client, parameters);
    return null;
  },
  ({ coreSwap, account, legs, quotes, slippageBps }) => [coreSwap, account, legs ?? quotes, legs ?? slippageBps],
);

/** Reads an account of the treasury. */
export const useTreasuryPosition = readHook("getTreasuryPosition", getTreasuryPosition, (parameters) => [
  ...[parameters.coreSwap, parameters.treasury, parameters.user],
]);

/** Reads how much of an asset an operator may swap for a user. */
export const useSwapInputAllowance = readHook("getSwapInputAllowance", getSwapInputAllowance, (parameters) => [
  ...[parameters.coreSwap, parameters.user, parameters.operator, parameters.assetInId],
]);

/** Approves a delegate for what a swap takes. */
export const useApproveSwap = writeHook("approveSwap", approveSwap);

/** Sends a swap that was simulated before. */
export const useSwap = writeHook("swap", swap);

/** Sends a deposit into the treasury. */
export const useDeposit = writeHook("deposit", deposit);

/** Sends a redemption from the treasury. */
export const useRedeem = writeHook("redeem", redeem);

/** Signs a permit for a swap that another account sends. */
export const useSignSwapPermit = writeHook("signSwapPermit", signSwapPermit);

/** Raises or lowers what an operator may swap for the sender. */
export const useAdjustSwapInputAllowance = writeHook("adjustSwapInputAllowance", adjustSwapInputAllowance);

function treasuryPair(pair: {
  readonly coreSwap?: unknown;
  readonly user?: unknown;
  readonly treasury?: unknown;
  readonly asset?: unknown;
  readonly amountIn?: unknown;
  readonly amountOut?: unknown;
}): readonly unknown[] {
  return [pair.coreSwap, pair.user, pair.treasury, pair.asset, pair.amountIn ?? pair.amountOut];
}
