/** What the page asks the connected wallet to send. */
import { approveSwap, ContractRevertError, type SwapApproval, swap, swapCall } from "@coreswap/sdk";
import { queryOptions } from "@tanstack/react-query";
import { encodeFunctionData, erc20Abi, type Hash } from "viem";
import { getCapabilities, sendCalls, waitForCallsStatus } from "viem/actions";
import type { Preview, WalletClient } from "./preview.ts";
import { receiptOf } from "./receipt.ts";

const POLLING_MS = 1_000;
/** A user may take long to answer, and a block long to come. */
const BATCH_TIMEOUT_MS = 600_000;

/** Whether the wallet sends several calls as one (EIP-5792), now or after its user lets it. */
export const atomicQuery = (client: WalletClient) =>
  queryOptions({
    queryKey: ["atomic", client.uid, client.account.address],
    queryFn: async () => {
      try {
        const chainId = client.chain.id;
        const { atomic } = await getCapabilities(client, { account: client.account, chainId });
        return atomic?.status === "supported" || atomic?.status === "ready";
      } catch {
        // A wallet without the method sends call after call.
        return false;
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

/**
 * Asks the wallet to approve the LP's delegate for what the leg takes at most, and waits until it is mined. A token like
 * USDT, which refuses to change an allowance that is left, is first asked to set it to zero.
 * @throws Error when the token or the user refuses
 */
export async function approve(client: WalletClient, { approval }: Preview): Promise<void> {
  try {
    await approveExactly(client, approval);
  } catch (error) {
    if (!(error instanceof ContractRevertError) || approval.allowance === 0n) throw error;
    await approveExactly(client, { ...approval, amount: 0n });
    await approveExactly(client, approval).catch((cause: unknown) => {
      throw new Error("The earlier approval was set to zero, but the new one was not made.", { cause });
    });
  }
}

async function approveExactly(client: WalletClient, approval: SwapApproval): Promise<void> {
  const { receipt, isOwn } = await receiptOf(client, await approveSwap(client, approval));
  if (!isOwn) throw new Error("The approval was cancelled or replaced in the wallet. Nothing was approved.");
  if (receipt.status === "reverted") throw new Error("The token refused the approval. Nothing was approved.");
}

/**
 * Asks the wallet for the swap; with a missing approval, for both as one batch: both happen, or none.
 * @returns hash of the transaction
 * @throws Error when the contracts or the user refuse
 */
export function send(client: WalletClient, preview: Preview): Promise<Hash> {
  const { coreSwap, quote, slippageBps, isApproved } = preview;
  return isApproved ? swap(client, { coreSwap, quotes: [quote], slippageBps }) : sendBatch(client, preview);
}

async function sendBatch(client: WalletClient, preview: Preview): Promise<Hash> {
  const { coreSwap, quote, slippageBps, approval } = preview;
  const { account } = client;
  const { id } = await sendCalls(client, {
    account,
    forceAtomic: true,
    calls: [
      ...(approval.allowance === 0n ? [] : [approvalCall(approval, 0n)]),
      approvalCall(approval, approval.amount),
      swapCall(account.address, { coreSwap, quotes: [quote], slippageBps }),
    ],
  });
  // The wallet has the batch: a failed look at it says nothing about it, and is repeated until the time is over.
  const { receipts, status, statusCode } = await waitForCallsStatus(client, {
    id,
    pollingInterval: POLLING_MS,
    retryDelay: POLLING_MS,
    retryCount: BATCH_TIMEOUT_MS / POLLING_MS,
    timeout: BATCH_TIMEOUT_MS,
  });
  const receipt = receipts?.at(-1);
  if (receipt === undefined) {
    throw new Error(`The wallet ended the batch without a transaction (status ${statusCode}).`);
  }
  const hash = receipt.transactionHash;
  // Its transaction can succeed all the same: a bundle of several accounts (ERC-4337) does not fail with one of them.
  if (status === "failure" && receipt.status === "success") {
    throw new Error(`The batch failed (status ${statusCode}) in transaction ${hash}. Nothing was swapped.`);
  }
  return hash;
}

function approvalCall({ tokenAddress, spender }: SwapApproval, amount: bigint) {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [spender, amount] });
  return { to: tokenAddress, data };
}
