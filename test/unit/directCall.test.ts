import { encodeFunctionData, type Hex, maxUint256, pad, parseAbi, toHex } from "viem";
import { describe, expect, it } from "vitest";
import { decodeCoreSwapCall, decodeTreasuryCall } from "../../src/indexing/directCall.ts";

const abi = parseAbi([
  "struct SwapInputs { uint256 routeId; bytes32 assetInID; bytes32 assetOutID; bytes32 stablecoinDelegateID; uint256 assetInAmt; uint256 assetOutAmt; }",
  "struct ApprovalPermit { uint256 deadline; bytes signature; }",
  "function swap(address user, address receiver, SwapInputs[] inputs, ApprovalPermit permit)",
  "function addToWhitelist(address account)",
  "function removeFromWhitelist(address account)",
  "function addToBlacklist(address account)",
]);
const contract = "0xC0FFEE254729296A45A3885639AC7E10F9D54979";
const user = "0x52908400098527886E0F7030069857D2E4169EE7";
const receiver = "0x8617E340B3D01FA5F11F306F4090FD50E238070D";
const id = (text: string): Hex => pad(toHex(text), { dir: "right", size: 32 });
const leg = {
  routeId: 3n,
  assetInID: id("USDC"),
  assetOutID: id("TBILL"),
  stablecoinDelegateID: id("USDC"),
  assetInAmt: 123n,
  assetOutAmt: maxUint256,
};
const noPermit = { deadline: 0n, signature: "0x" } as const;

const encodeSwap = (inputs: (typeof leg)[]) =>
  encodeFunctionData({ abi, functionName: "swap", args: [user, receiver, inputs, noPermit] });

describe("direct call", () => {
  it("of swap decodes to the submitted legs, lower case and in order", () => {
    expect(decodeCoreSwapCall(contract, encodeSwap([leg, { ...leg, routeId: 8n }]))).toEqual({
      contract: contract.toLowerCase(),
      entrypoint: "swap",
      submittedSwapLegs: [3n, 8n].map((routeId) => ({
        routeId: routeId.toString(),
        assetInId: leg.assetInID,
        assetOutId: leg.assetOutID,
        stablecoinDelegateId: leg.stablecoinDelegateID,
        assetInAmount: "123",
        assetOutAmount: maxUint256.toString(),
      })),
      user: user.toLowerCase(),
      receiver: receiver.toLowerCase(),
    });
  });

  it("of swap without legs decodes: the contract refuses it, but its calldata is valid", () => {
    expect(decodeCoreSwapCall(contract, encodeSwap([]))).toMatchObject({ entrypoint: "swap", submittedSwapLegs: [] });
  });

  it.each(["addToWhitelist", "removeFromWhitelist"] as const)("of %s decodes to the wallet", (functionName) => {
    const calldata = encodeFunctionData({ abi, functionName, args: [user] });
    expect(decodeTreasuryCall(contract, calldata)).toEqual({
      contract: contract.toLowerCase(),
      entrypoint: functionName,
      submittedSwapLegs: null,
      wallet: user.toLowerCase(),
    });
  });

  it("is null for other functions, functions of other contracts and broken calldata", () => {
    const added = encodeFunctionData({ abi, functionName: "addToWhitelist", args: [user] });
    const blacklisted = encodeFunctionData({ abi, functionName: "addToBlacklist", args: [user] });
    const swap = encodeSwap([leg]);
    for (const calldata of ["0x", "0x12", swap.slice(0, 10), swap.slice(0, -64), added] as Hex[]) {
      expect(decodeCoreSwapCall(contract, calldata)).toBeNull();
    }
    for (const calldata of ["0x", added.slice(0, 10), added.slice(0, -2), blacklisted, swap] as Hex[]) {
      expect(decodeTreasuryCall(contract, calldata)).toBeNull();
    }
  });
});
