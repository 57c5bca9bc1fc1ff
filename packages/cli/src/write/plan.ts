/** The plan of a writing command, which does not yet decide who signs it and how it is sent. */
import {
  type Abi,
  type Address,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionReturnType,
  type DecodeFunctionResultParameters,
  decodeFunctionResult,
  type EncodeFunctionDataParameters,
  encodeFunctionData,
  type Hex,
  isAddressEqual,
} from "viem";
import type { NodeClient } from "../chain/connect.ts";
import type { NamedContract } from "../chain/contracts.ts";
import type { Deployment } from "../chain/deployment.ts";

/** Whom a contract allows: holders of a role, the issuer admins of an LP, or one account with the reason. */
export type Authority = { readonly role: string } | "issuer admin" | { readonly account: Address; readonly as: string };

export interface Call {
  readonly to: Address;
  readonly data: Hex;
  /** Gas in addition to the node's estimate, which omits what may fail without reverting the call. */
  readonly extraGas?: bigint;
}

export function isSameCall(call: Call, other: Call): boolean {
  return isAddressEqual(call.to, other.to) && call.data === other.data;
}

/** A call of a plan, and who may make it. */
export interface PlannedCall extends Call {
  /** The contract that is called. */
  readonly contract: NamedContract;
  /** Whoever may make the call. Empty when everybody may. */
  readonly mayCall: readonly Authority[];
  /** A description of the call, where the calldata does not show its effect by name. */
  readonly text?: string;
}

/** A value that the calls change, read before and after them. */
export interface Observation extends Call {
  readonly label: string;
  /** Formats the result of the call as text. */
  show(result: Hex): string;
}

export interface Plan {
  readonly title: string;
  /** The calls in the required order, all by one account. Empty when there is nothing to do. */
  readonly calls: readonly PlannedCall[];
  readonly observations: readonly Observation[];
  /** What the signer must know. */
  readonly notes?: readonly string[];
  /**
   * How the command plans when it is run again:
   * - "skips what is done": the calls are only those whose effect the chain lacks.
   * - "repeats all": the calls are the same. They are refused right after an earlier run has made one of them, because
   *   nothing but its transaction may show that.
   * - "changes the last call": nothing on the chain shows that the last call was made, and its calldata changes with the
   *   state. It is refused right after an earlier run has called the same function. The calls before it are only those
   *   whose effect the chain lacks.
   */
  readonly whenRunAgain: "skips what is done" | "repeats all" | "changes the last call";
  /** Whether the calls make sense on a contract in whose place CoreSwap has another one. Otherwise they are refused. */
  readonly mayCallReplaced?: boolean;
}

/** The context from which plans are made. */
export interface Context {
  readonly deployment: Deployment;
  readonly client: NodeClient;
  readonly contracts: readonly NamedContract[];
}

/** Calls of one contract that the same accounts may make. */
export function callsOn(
  contract: NamedContract,
  mayCall: readonly Authority[],
  calldata: readonly Hex[],
): PlannedCall[] {
  return calldata.map((data) => ({ to: contract.address, data, contract, mayCall }));
}

/** An observation of a view before and after the calls. */
export function observe<
  const ContractAbi extends Abi,
  Name extends ContractFunctionName<ContractAbi, "pure" | "view">,
  const Args extends ContractFunctionArgs<ContractAbi, "pure" | "view", Name>,
>(
  label: string,
  view: { readonly address: Address; readonly abi: ContractAbi; readonly functionName: Name; readonly args?: Args },
  show: (value: ContractFunctionReturnType<ContractAbi, "pure" | "view", Name, Args>) => string,
): Observation {
  const { address: to, abi, functionName, args } = view;
  return {
    label,
    to,
    data: encodeFunctionData({ abi, functionName, args } as EncodeFunctionDataParameters),
    show: (data) =>
      data === "0x"
        ? "no contract"
        : show(decodeFunctionResult({ abi, functionName, args, data } as DecodeFunctionResultParameters) as never),
  };
}
