/** The approvals that a user makes before a swap: for the delegate of each leg, never for CoreSwap. */
import { type Address, encodeFunctionData, erc20Abi, type Hash, isAddressEqual, parseAbi } from "viem";
import { multicall } from "viem/actions";
import { namingReverts } from "../errors/contractRevertError.ts";
import { approvalOf } from "../leg.ts";
import { type BlockParameters, type SendParameters, type SwapClient, simulateAndSend, together } from "./client.ts";
import { boundedLegs, type LegQuote } from "./quote.ts";

/** An approval that a swap requires of its user. */
export interface SwapApproval {
  readonly tokenAddress: Address;
  /** The delegate that takes the token. */
  readonly spender: Address;
  /** The most that all legs together take of the token, in token units. */
  readonly amount: bigint;
}

/** An approval, with the current allowance and balance. */
export interface SwapApprovalState extends SwapApproval {
  /** Current allowance of the delegate, in token units. */
  readonly allowance: bigint;
  /** Balance of the user, in token units. */
  readonly balance: bigint;
  readonly isApproved: boolean;
}

/**
 * Returns the approvals that quoted legs need together. Legs that pay the same token to the same delegate are added up.
 * @param slippageBps as for the swap: the amount in of an exact amount out can grow by it
 */
export function approvalsOf(quotes: readonly LegQuote[], slippageBps: bigint): SwapApproval[] {
  const approvals: SwapApproval[] = [];
  const bounded = boundedLegs(quotes, slippageBps);
  quotes.forEach(({ leg }, index) => {
    const { tokenAddress, spender } = approvalOf(leg);
    const amount = bounded[index]?.assetInAmt ?? 0n;
    const same = approvals.findIndex(
      (other) => isAddressEqual(other.tokenAddress, tokenAddress) && isAddressEqual(other.spender, spender),
    );
    const known = approvals[same];
    if (known === undefined) approvals.push({ tokenAddress, spender, amount });
    else approvals[same] = { ...known, amount: known.amount + amount };
  });
  return approvals;
}

export interface GetSwapApprovalsParameters extends BlockParameters {
  /** Who pays. */
  readonly user: Address;
  readonly quotes: readonly LegQuote[];
  readonly slippageBps: bigint;
}

/** Reads the allowances and balances that quoted legs need. @throws viem's errors when the node fails */
export async function getSwapApprovals(
  client: SwapClient,
  { user, quotes, slippageBps, ...block }: GetSwapApprovalsParameters,
): Promise<SwapApprovalState[]> {
  const approvals = approvalsOf(quotes, slippageBps);
  const [allowances, balances] = await Promise.all([
    namingReverts(
      multicall(client, {
        ...together(block),
        contracts: approvals.map(({ tokenAddress, spender }) => ({
          abi: erc20Abi,
          address: tokenAddress,
          functionName: "allowance" as const,
          args: [user, spender] as const,
        })),
      }),
    ),
    namingReverts(
      multicall(client, {
        ...together(block),
        contracts: approvals.map(({ tokenAddress }) => ({
          abi: erc20Abi,
          address: tokenAddress,
          functionName: "balanceOf" as const,
          args: [user] as const,
        })),
      }),
    ),
  ]);
  return approvals.map((approval, index) => {
    const [allowance, balance] = [allowances[index], balances[index]];
    if (allowance === undefined || balance === undefined) throw new Error(`no answer for token ${index}`);
    return { ...approval, allowance, balance, isApproved: allowance >= approval.amount };
  });
}

export type ApproveSwapParameters = SendParameters & SwapApproval;

/** Some tokens do not return a value. */
const approveAbi = /* @__PURE__ */ parseAbi(["function approve(address spender, uint256 amount)"]);

/**
 * Approves a delegate for exactly an amount, which replaces its allowance.
 * @returns hash of the transaction: wait for its receipt before the swap
 * @throws as `swap`. Some tokens revert unless an allowance that is not zero is first set to zero.
 */
export async function approveSwap(
  client: SwapClient,
  { tokenAddress, spender, amount, ...send }: ApproveSwapParameters,
): Promise<Hash> {
  const data = encodeFunctionData({ abi: approveAbi, functionName: "approve", args: [spender, amount] });
  return simulateAndSend(client, { ...send, to: tokenAddress, data });
}
