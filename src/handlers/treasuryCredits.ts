/**
 * Handles credits that accounts of yield-bearing delegates gain and lose: through deposits, protocol fees and
 * redemptions, or moved by an administrator. Any contract can emit these events, and none may stop the indexer.
 */
import { zeroAddress } from "viem";
import { addCreditEntry } from "../indexing/creditEntries.ts";
import { on } from "../indexing/on.ts";

on("TreasuryDelegate:PendingCreditsAdded", async ({ event, context }) => {
  const { user: account, amount: credits } = event.args;
  const delegateAddress = event.log.address;
  await addCreditEntry(context, event, { delegateAddress, account, kind: "deposit", credits, yieldAmount: 0n });
});

on("TreasuryDelegate:YieldClaimed", async ({ event, context }) => {
  const { user: account, creditsRedeemed: credits, yieldAmount } = event.args;
  const delegateAddress = event.log.address;
  await addCreditEntry(context, event, { delegateAddress, account, kind: "redemption", credits, yieldAmount });
});

on("TreasuryDelegate:CreditsMoved", async ({ event, context }) => {
  const { from, to, withheldCredits, mainCredits } = event.args;
  // A delegate refuses such a move, which would give the account two entries for one event.
  if (from === to) return;
  const moved = {
    delegateAddress: event.log.address,
    credits: withheldCredits + mainCredits,
    yieldAmount: 0n,
  };
  await addCreditEntry(context, event, { ...moved, account: from, kind: "movedOut" });
  // Credits moved to the zero address are cancelled.
  if (to !== zeroAddress) await addCreditEntry(context, event, { ...moved, account: to, kind: "movedIn" });
});
