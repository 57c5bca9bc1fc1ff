/** Decodes top-level calls to CoreSwap and Treasury. */
import { type Address, decodeFunctionData, getAbiItem, type Hex } from "viem";
import { coreSwapAbi, treasuryAbi } from "../../abis/index.ts";
import { lowerCase } from "../../config/rpc/hex.ts";
import type { Entrypoint } from "./filterClass.ts";

/**
 * One leg as submitted. Amounts are the bounds in the calldata, never realized amounts, as decimal strings in smallest
 * units.
 */
interface SubmittedSwapLeg {
  readonly routeId: string;
  readonly assetInId: Hex;
  readonly assetOutId: Hex;
  readonly stablecoinDelegateId: Hex;
  readonly assetInAmount: string;
  readonly assetOutAmount: string;
}

/** The API's `directCall` object: a decoded top-level call. Addresses and IDs are lower-case hex. */
export type DirectCall =
  | {
      readonly contract: Address;
      readonly entrypoint: "swap";
      readonly submittedSwapLegs: readonly SubmittedSwapLeg[];
      readonly user: Address;
      readonly receiver: Address;
    }
  | {
      readonly contract: Address;
      readonly entrypoint: Exclude<Entrypoint, "swap">;
      readonly submittedSwapLegs: null;
      readonly wallet: Address;
    };

/** Only these functions, so that no other selector decodes. */
const swapAbi = [getAbiItem({ abi: coreSwapAbi, name: "swap" })] as const;
const allowlistAbi = [
  getAbiItem({ abi: treasuryAbi, name: "addToWhitelist" }),
  getAbiItem({ abi: treasuryAbi, name: "removeFromWhitelist" }),
] as const;

/** Decodes calldata sent to CoreSwap. Returns null unless it is a call of `swap`. */
export function decodeCoreSwapCall(contract: Address, calldata: Hex): DirectCall | null {
  // The whole calldata is converted to lower case, because the IDs of the legs are slices of it.
  const data = lowerCase(calldata);
  const call = decodeOrNull(() => decodeFunctionData({ abi: swapAbi, data }));
  if (call === null) return null;
  const [user, receiver, legs] = call.args;
  return {
    contract: lowerCase(contract),
    entrypoint: "swap",
    submittedSwapLegs: legs.map((leg) => ({
      routeId: leg.routeId.toString(),
      assetInId: leg.assetInID,
      assetOutId: leg.assetOutID,
      stablecoinDelegateId: leg.stablecoinDelegateID,
      assetInAmount: leg.assetInAmt.toString(),
      assetOutAmount: leg.assetOutAmt.toString(),
    })),
    user: lowerCase(user),
    receiver: lowerCase(receiver),
  };
}

/** Decodes calldata sent to Treasury. Returns null unless it is a call that changes the allowlist. */
export function decodeTreasuryCall(contract: Address, calldata: Hex): DirectCall | null {
  const call = decodeOrNull(() => decodeFunctionData({ abi: allowlistAbi, data: lowerCase(calldata) }));
  if (call === null) return null;
  return {
    contract: lowerCase(contract),
    entrypoint: call.functionName,
    submittedSwapLegs: null,
    wallet: lowerCase(call.args[0]),
  };
}

/** Anyone can send any bytes to a contract, so calldata that does not decode is an ordinary case, not a failure. */
function decodeOrNull<T>(decode: () => T): T | null {
  try {
    return decode();
  } catch {
    return null;
  }
}
