/** Reverts of the contracts by name, with the commands that help. */
import { type DecodedRevert, decodeRevert as decode, revertData } from "@coreswap/sdk";
import type { Hex } from "viem";
import { reasonOf } from "../chain/connect.ts";
import { Failure } from "../failure.ts";
import { COMMANDS } from "./advice.ts";

export { revertData };

/** Decodes revert data, whatever they hold. */
export function decodeRevert(data: Hex): DecodedRevert {
  const revert = decode(data);
  const command = COMMANDS[revert.name];
  return command === undefined ? revert : { ...revert, advice: command };
}

/**
 * Turns a failed read into a message: the contract's error by name and what to do, or the node's reason.
 * @param what begins the message: `no quote`
 */
export function refusalOf(what: string): (error: unknown) => never {
  return (error) => {
    const data = revertData(error);
    if (data === null) throw new Failure(`${what}: ${reasonOf(error)}`);
    const { text, advice } = decodeRevert(data);
    throw new Failure(`${what}: ${text}. ${advice ?? ""}`.trim());
  };
}
