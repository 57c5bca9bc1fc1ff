/** Top-level calls to the proxies of CoreSwap and Treasury, reverted and event-less ones included. */
import { decodeCoreSwapCall, decodeTreasuryCall } from "../indexing/directCall.ts";
import { onCall } from "../indexing/on.ts";

onCall("CoreSwapCalls:transaction:to", decodeCoreSwapCall);
onCall("TreasuryCalls:transaction:to", decodeTreasuryCall);
