/** Names the reverts of the contracts, with advice on commands. */
import { type DecodedRevert, decodeRevert as decode } from "@coreswap/sdk";
import type { Hex } from "viem";
import { COMMANDS } from "./advice.ts";

export { revertData } from "@coreswap/sdk";

/** Decodes revert data with any content. */
export function decodeRevert(data: Hex): DecodedRevert {
  const revert = decode(data);
  const command = COMMANDS[revert.name];
  return command === undefined ? revert : { ...revert, advice: command };
}
