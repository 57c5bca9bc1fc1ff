/** Standing allowances of operators. Their holder also chooses the receiver and the bounds. */
import { coreSwapAbi } from "@coreswap/abi";
import { type Address, encodeFunctionData, type Hash, type Hex } from "viem";
import { multicall } from "viem/actions";
import { namingReverts } from "../errors/contractRevertError.ts";
import {
  type BlockParameters,
  type Deployment,
  type SendParameters,
  type SwapClient,
  simulateAndSend,
  together,
} from "./client.ts";

export interface GetSwapInputAllowanceParameters extends Deployment, BlockParameters {
  readonly user: Address;
  readonly operator: Address;
  /** ID of the asset that goes in. */
  readonly assetInId: Hex;
}

/**
 * Reads how much of an asset an operator may swap for a user, in token units; 2^256 - 1 means no limit.
 * @throws NoContractError when CoreSwap is not on this chain; viem's errors when the node fails
 */
export async function getSwapInputAllowance(
  client: SwapClient,
  { coreSwap: address, user, operator, assetInId, ...block }: GetSwapInputAllowanceParameters,
): Promise<bigint> {
  const view = { abi: coreSwapAbi, address, functionName: "swapInputAllowances" } as const;
  // A client that batches reads, as that of wagmi, would send a single read to Multicall3, which not every chain has.
  const [allowance] = await namingReverts(
    multicall(client, { ...together(block), contracts: [{ ...view, args: [user, operator, assetInId] }] }),
  );
  return allowance;
}

export interface AdjustSwapInputAllowanceParameters extends Deployment, SendParameters {
  readonly operator: Address;
  readonly assetInId: Hex;
  /** Change in token units; negative to lower the allowance, which stops at 0 and at 2^256 - 1. */
  readonly change: bigint;
}

/**
 * Raises or lowers the amount that an operator may swap for the sender. **The operator chooses receiver and bounds, so
 * raise it only for an operator whom you would trust with the tokens, and prefer a permit.**
 * @returns hash of the transaction
 * @throws as `swap`
 */
export async function adjustSwapInputAllowance(
  client: SwapClient,
  { coreSwap: to, operator, assetInId, change, ...send }: AdjustSwapInputAllowanceParameters,
): Promise<Hash> {
  const args = [operator, assetInId, change < 0n ? -change : change, change > 0n] as const;
  const data = encodeFunctionData({ abi: coreSwapAbi, functionName: "adjustSwapInputAllowance", args });
  return simulateAndSend(client, { ...send, to, data });
}
