/**
 * Handles top-level calls to the proxies of CoreSwap and Treasury, including reverted calls and calls without events.
 */
import { decodeCoreSwapCall, decodeTreasuryCall } from "../indexing/directCall.ts";
import { onCall } from "../indexing/on.ts";

onCall("CoreSwapCalls:transaction:to", decodeCoreSwapCall);
onCall("TreasuryCalls:transaction:to", decodeTreasuryCall);
