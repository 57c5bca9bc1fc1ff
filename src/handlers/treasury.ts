/** Handles events of Treasury: changes of its allowlist. */
import { allowlistChange } from "ponder:schema";
import type { Address } from "viem";
import { lowerCase } from "../../config/rpc/hex.ts";
import type { Context, TransactionEvent } from "../indexing/events.ts";
import { recordActivity, transactionKey } from "../indexing/history.ts";
import { on } from "../indexing/on.ts";

on("Treasury:AddedToWhitelist", async ({ event, context }) => {
  await recordAllowlistChange(context, event, "added");
});

on("Treasury:RemovedFromWhitelist", async ({ event, context }) => {
  await recordAllowlistChange(context, event, "removed");
});

interface AllowlistEvent extends TransactionEvent {
  readonly args: { readonly account: Address };
  readonly log: { readonly address: Address; readonly logIndex: number };
}

async function recordAllowlistChange(context: Context, event: AllowlistEvent, action: "added" | "removed") {
  const wallet = lowerCase(event.args.account);
  await context.db.insert(allowlistChange).values({
    ...transactionKey(context, event),
    logIndex: event.log.logIndex,
    contract: lowerCase(event.log.address),
    action,
    wallet,
  });
  await recordActivity(context, event, { type: "allowlist", wallets: [wallet] });
}
