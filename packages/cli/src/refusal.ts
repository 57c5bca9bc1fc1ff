/** Turns the refusal of a contract or a node into a message. */
import { ContractRevertError } from "@coreswap/sdk";
import { readFailure } from "./chain/connect.ts";
import { explainRevert, revertData } from "./errors/revert.ts";
import { Failure } from "./failure.ts";

/**
 * Turns a failed read into a message: the contract's error by name with advice, or the node's reason.
 * @param what the beginning of the message, such as `no quote`
 */
export function refusalOf(what: string): (error: unknown) => never {
  return (error) => {
    // The error of the SDK names what viem threw, in which the data is, and has no commands in its advice.
    const data = revertData(error instanceof ContractRevertError ? error.cause : error);
    if (data === null) throw new Failure(`${what}: ${readFailure(error)}`);
    throw new Failure(`${what}: ${explainRevert(data)}`);
  };
}
