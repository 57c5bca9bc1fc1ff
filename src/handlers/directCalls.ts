/** Top-level calls to the proxies of CoreSwap and Treasury, reverted and event-less ones included. */
import { ponder } from "ponder:registry";
import { touchChainState } from "../indexing/chainState.ts";
import { decodeCoreSwapCall, decodeTreasuryCall } from "../indexing/directCall.ts";
import { recordDirectCall } from "../indexing/history.ts";

ponder.on("CoreSwapCalls:transaction:to", async ({ event, context }) => {
  const call = event.transaction.to && decodeCoreSwapCall(event.transaction.to, event.transaction.input);
  if (!call) return;
  await touchChainState(context, event);
  await recordDirectCall(context, event, call);
});

ponder.on("TreasuryCalls:transaction:to", async ({ event, context }) => {
  const call = event.transaction.to && decodeTreasuryCall(event.transaction.to, event.transaction.input);
  if (!call) return;
  await touchChainState(context, event);
  await recordDirectCall(context, event, call);
});
