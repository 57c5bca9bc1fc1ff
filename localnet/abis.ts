/** Interfaces of contracts that only local chains have, and the names of all errors. */
import { type Abi, decodeErrorResult, type Hex, parseAbi } from "viem";
import { coreSwapAbi, treasuryAbi, treasuryDelegateAbi } from "../abis/index.ts";

export const testTokenAbi = parseAbi([
  "function mint(address to, uint256 amount)",
  "function transfer(address to, uint256 value) returns (bool)",
  "function approve(address spender, uint256 value) returns (bool)",
]);

export const nestedSwapperAbi = parseAbi([
  "struct SwapInputs { uint256 routeId; bytes32 assetInID; bytes32 assetOutID; bytes32 stablecoinDelegateID; uint256 assetInAmt; uint256 assetOutAmt; }",
  "constructor(address coreSwap)",
  "function swapFor(address tokenIn, uint256 amountInMax, address delegate, address receiver, SwapInputs leg)",
]);

export const erc1967ProxyAbi = parseAbi(["constructor(address implementation, bytes data)"]);

const errorAbi: Abi = [...coreSwapAbi, ...treasuryAbi, ...treasuryDelegateAbi].filter(({ type }) => type === "error");

/**
 * Name of the error in revert data: "" without data, `Error` for a reason as text, or the data itself when the error is
 * unknown.
 */
export function errorName(data: Hex | undefined): string {
  if (data === undefined || data === "0x") return "";
  try {
    return decodeErrorResult({ abi: errorAbi, data }).errorName;
  } catch {
    return data;
  }
}
