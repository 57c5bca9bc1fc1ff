/**
 * Accounts that receive credits of yield-bearing delegates: through deposits, protocol fees, or moves by an
 * administrator.
 */
import { creditedAccount } from "ponder:schema";
import { type Address, zeroAddress } from "viem";
import { type Context, lowerCase } from "../indexing/events.ts";
import { on } from "../indexing/on.ts";

on("TreasuryDelegate:PendingCreditsAdded", async ({ event, context }) => {
  await recordCreditedAccount(context, event.log.address, event.args.user);
});

on("TreasuryDelegate:CreditsMoved", async ({ event, context }) => {
  // Credits moved to the zero address are cancelled.
  if (event.args.to !== zeroAddress) await recordCreditedAccount(context, event.log.address, event.args.to);
});

async function recordCreditedAccount(context: Context, delegateAddress: Address, account: Address) {
  await context.db
    .insert(creditedAccount)
    .values({
      chainId: context.chain.id,
      delegateAddress: lowerCase(delegateAddress),
      account: lowerCase(account),
    })
    .onConflictDoNothing();
}
