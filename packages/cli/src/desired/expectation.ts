/** One value that the configuration requires on the chain, and the call that sets it. */
import {
  type Abi,
  AbiDecodingDataSizeTooSmallError,
  type Address,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionReturnType,
  type EncodeFunctionDataParameters,
  encodeFunctionData,
  type Hex,
  isAddressEqual,
  pad,
} from "viem";
import type { NodeClient } from "../chain/connect.ts";
import type { NamedContract } from "../chain/contracts.ts";
import { decodeRevert, revertData } from "../errors/revert.ts";
import { type Authority, type Observation, observe, type PlannedCall } from "../write/plan.ts";

/** The events that change the value of an expectation. */
interface Changes {
  readonly address: Address;
  readonly events: readonly string[];
  /** Words that the event must contain: a role, an asset or an account. */
  readonly words: readonly Hex[];
}

export interface Expectation {
  /**
   * The subjects to which the expectation belongs: `coreswap`, `treasury`, `timelock`, `rwa:<symbol>` or `lp:<symbol>`.
   */
  readonly subjects: readonly string[];
  readonly view: Observation;
  /** The result that the view must return. */
  readonly expected: string;
  readonly changes: Changes;
  /** The call that sets the value. Null when no call can. */
  readonly fix: PlannedCall | null;
}

/** An expectation with the value that the chain has. */
export interface Finding extends Expectation {
  readonly actual: string;
  readonly isMet: boolean;
}

/** Builds an expectation from a view, its required result, and the events that change it. */
export function expects<
  const ContractAbi extends Abi,
  Name extends ContractFunctionName<ContractAbi, "pure" | "view">,
  const Args extends ContractFunctionArgs<ContractAbi, "pure" | "view", Name>,
>(
  subjects: readonly string[],
  label: string,
  view: { readonly address: Address; readonly abi: ContractAbi; readonly functionName: Name; readonly args?: Args },
  show: (value: ContractFunctionReturnType<ContractAbi, "pure" | "view", Name, Args>) => string,
  expected: string,
  change: { readonly events?: readonly string[]; readonly words?: readonly Hex[]; readonly at?: Address },
  fix: PlannedCall | null = null,
): Expectation {
  const { events = [], words = [], at = view.address } = change;
  const changes = { address: at, events, words: words.map((word) => pad(word).toLowerCase() as Hex) };
  return { subjects, view: observe(label, view, show), expected, changes, fix };
}

/** Returns a function that makes the calls of one contract which these authorities may make. */
export function fixesBy<const ContractAbi extends Abi>(
  contract: NamedContract,
  abi: ContractAbi,
  mayCall: readonly Authority[],
) {
  return <Name extends ContractFunctionName<ContractAbi, "nonpayable">>(
    functionName: Name,
    args: ContractFunctionArgs<ContractAbi, "nonpayable", Name>,
  ): PlannedCall => ({
    to: contract.address,
    data: encodeFunctionData({ abi, functionName, args } as EncodeFunctionDataParameters),
    contract,
    mayCall,
  });
}

/** Compares expectations with the state at a block. */
export async function findings(
  client: NodeClient,
  expectations: readonly Expectation[],
  blockNumber: bigint,
): Promise<Finding[]> {
  return Promise.all(
    expectations.map(async (expectation) => {
      const actual = await read(client, expectation.view, blockNumber);
      return { ...expectation, actual, isMet: actual === expectation.expected };
    }),
  );
}

/** Whether a log changes the value of an expectation. */
export function isChange(
  { address, events, words }: Changes,
  log: { readonly address: Address; readonly eventName: string; readonly topics: readonly Hex[]; readonly data: Hex },
): boolean {
  if (!isAddressEqual(address, log.address) || !events.includes(log.eventName)) return false;
  const held = [...log.topics.slice(1), log.data].join("").toLowerCase();
  return words.every((word) => held.includes(word.slice(2)));
}

async function read(client: NodeClient, { to, data, show }: Observation, blockNumber: bigint): Promise<string> {
  try {
    const { data: result } = await client.call({ to, data, blockNumber });
    return show(result ?? "0x");
  } catch (error) {
    if (error instanceof AbiDecodingDataSizeTooSmallError) return `an answer that is too short, ${error.data}`;
    const reverted = revertData(error);
    if (reverted === null) throw error;
    return decodeRevert(reverted).text;
  }
}
