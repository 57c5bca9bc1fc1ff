/** What the failure of a read from a contract says. */
import { BaseError, ContractFunctionRevertedError, ContractFunctionZeroDataError } from "viem";

/** Whether the contract itself refused the call, or there is none. Otherwise the node failed. */
export function isContractRefusal(error: unknown): boolean {
  return (
    error instanceof BaseError &&
    error.walk(
      (cause) => cause instanceof ContractFunctionRevertedError || cause instanceof ContractFunctionZeroDataError,
    ) !== null
  );
}
