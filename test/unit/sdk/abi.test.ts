import { type Abi, toEventSignature, toFunctionSignature } from "viem";
import { describe, expect, it } from "vitest";
import { coreSwapAbi, iPriceAdapterAbi, stablecoinDelegateAbi, treasuryDelegateAbi } from "../../../abis/index.ts";
import {
  coreSwapViews,
  creditEvents,
  delegateViews,
  priceAdapterViews,
  yieldDelegateViews,
} from "../../../packages/sdk/src/abi.ts";

/** Returns the signature with the types of the results, or with the indexed parameters. */
function textOf(item: Abi[number]): string | null {
  if (item.type === "event") {
    return `${toEventSignature(item)} ${item.inputs.map((input) => ("indexed" in input ? input.indexed : false))}`;
  }
  if (item.type !== "function") return null;
  return `${toFunctionSignature(item)} ${item.stateMutability} ${item.outputs.map(({ type }) => type)}`;
}

describe("the SDK's interfaces", () => {
  it.each([
    ["CoreSwap", coreSwapViews, coreSwapAbi],
    ["every delegate", delegateViews, stablecoinDelegateAbi],
    ["the treasury's delegate", [...delegateViews, ...yieldDelegateViews, ...creditEvents], treasuryDelegateAbi],
    ["price adapters", priceAdapterViews, iPriceAdapterAbi],
  ] satisfies [string, Abi, Abi][])("are those that %s is compiled with", (_name: string, used: Abi, compiled: Abi) => {
    expect(compiled.map(textOf)).toEqual(expect.arrayContaining(used.map(textOf)));
  });
});
