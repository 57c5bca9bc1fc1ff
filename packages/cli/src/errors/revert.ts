/** Names the reverts of the contracts, with advice on commands. */
import { type DecodedRevert, decodeRevert as decode } from "@coreswap/sdk";
import { AbiDecodingDataSizeTooSmallError, BaseError, ContractFunctionZeroDataError, type Hex } from "viem";
import { COMMANDS } from "./advice.ts";

export { revertData } from "@coreswap/sdk";

/** Decodes revert data with any content. */
export function decodeRevert(data: Hex): DecodedRevert {
  const revert = decode(data);
  const command = COMMANDS[revert.name];
  return command === undefined ? revert : { ...revert, advice: command };
}

/** Returns the error by name with its arguments, as a sentence, and what to do about it, if anything. */
export function explainRevert(data: Hex): string {
  const { text, advice } = decodeRevert(data);
  return advice === null ? `${text}.` : `${text}. ${advice}`;
}

/**
 * Whether a contract does not have the function that was called, or another one of its name: the answer is empty or too
 * short, which viem reports without revert data.
 */
export function isMissingFunction(error: unknown): boolean {
  return (
    error instanceof BaseError &&
    error.walk(
      (cause) => cause instanceof ContractFunctionZeroDataError || cause instanceof AbiDecodingDataSizeTooSmallError,
    ) !== null
  );
}
