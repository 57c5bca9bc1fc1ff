/** Registers handlers, and records the chain state before any of them writes. */
import { ponder } from "ponder:registry";
import type { Address, Hex } from "viem";
import { touchChainState } from "./chainState.ts";
import type { DirectCall } from "./directCall.ts";
import type { BlockEvent, Context } from "./events.ts";
import { recordDirectCall } from "./history.ts";

/** Registers the handler of an event of a contract, as `ponder.on` does. */
export const on: typeof ponder.on = (name, handle) => {
  ponder.on(name, async (args) => {
    // The event can be of any type here, because Ponder types it only for a specific name.
    const { context, event } = args as { readonly context: Context; readonly event: BlockEvent };
    await touchChainState(context, event);
    await handle(args);
  });
};

/**
 * Registers the decoder of top-level calls to a proxy. Calls that decode are added to the history, and others are
 * ignored.
 */
export function onCall(
  name: "CoreSwapCalls:transaction:to" | "TreasuryCalls:transaction:to",
  decode: (contract: Address, calldata: Hex) => DirectCall | null,
): void {
  ponder.on(name, async ({ event, context }) => {
    const { to, input } = event.transaction;
    const call = to && decode(to, input);
    if (!call) return;
    await touchChainState(context, event);
    await recordDirectCall(context, event, call);
  });
}
