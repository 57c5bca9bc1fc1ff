/** A call of the contracts that reverts. */
import { ContractFunctionExecutionError, ContractFunctionZeroDataError } from "viem";
import { NoContractError } from "./noContractError.ts";
import type { DecodedRevert } from "./revert.ts";
import { decodeRevert, revertData } from "./revert.ts";

/** A contract reverted. The message names the error with its arguments and says what to do. `cause` is viem's error. */
export class ContractRevertError extends Error {
  override readonly name = "ContractRevertError";
  /** Name of the contract's error, such as `StaleNav`; empty if the error is not known. */
  readonly errorName: DecodedRevert["name"];
  /** Arguments of the error, in order. */
  readonly args: readonly unknown[];
  /** What to do about it; null for errors that are not of these contracts. */
  readonly advice: string | null;

  constructor({ name, args, text, advice }: DecodedRevert, cause: unknown) {
    super(advice === null ? text : `${text}. ${advice}`, { cause });
    this.errorName = name;
    this.args = args;
    this.advice = advice;
  }
}

/**
 * Waits for a request to the contracts.
 * @throws ContractRevertError when a contract reverted; NoContractError when a view answered nothing, as an address without
 * a contract does; any other error unchanged, such as a failure of the node or a refusal of the user
 */
export async function namingReverts<Answer>(request: Promise<Answer>): Promise<Answer> {
  try {
    return await request;
  } catch (error) {
    const data = revertData(error);
    if (data !== null) throw new ContractRevertError(decodeRevert(data), error);
    if (error instanceof ContractFunctionExecutionError && error.cause instanceof ContractFunctionZeroDataError) {
      const { contractAddress } = error;
      if (contractAddress !== undefined) throw new NoContractError(contractAddress, { cause: error });
    }
    throw error;
  }
}
