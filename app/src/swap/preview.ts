/** What a swap would do for the connected wallet, read through it at one block of its node. */
import {
  ContractRevertError,
  getSwapApprovals,
  type LegQuote,
  namingReverts,
  quoteLeg,
  type SwapApprovalState,
  simulateSwap,
} from "@coreswap/sdk";
import { queryOptions } from "@tanstack/react-query";
import { type Account, type Address, type Chain, type Client, parseAbi, type Transport } from "viem";
import { getBlock, simulateContract } from "viem/actions";
import { debounce } from "./debounce.ts";
import { withNodeTimeout } from "./nodeTimeout.ts";
import type { Order, QuotedBlock } from "./quotes.ts";

/** A client of the connected wallet. */
export type WalletClient = Client<Transport, Chain, Account>;

/** A swap that the wallet can be asked for. */
export interface Preview {
  readonly coreSwap: Address;
  readonly quote: LegQuote;
  readonly block: QuotedBlock;
  readonly slippageBps: bigint;
  /** What the leg takes at most and from whom, and what of it is there. */
  readonly approval: SwapApprovalState;
  /** Whether the leg at its quoted amount is approved. */
  readonly isApproved: boolean;
  readonly isCovered: boolean;
  /** Why the contracts would refuse the swap, apart from a missing balance or approval; null when they would not. */
  readonly refusal: ContractRevertError | null;
}

interface PreviewRequest {
  readonly client: WalletClient;
  readonly coreSwap: Address;
  readonly order: Order;
  readonly slippageBps: bigint;
}

export const PREVIEW_MS = 6_000;

/** Errors of a payment: before the approval, the simulation cannot come further. */
const PAYMENT_ERRORS: ReadonlySet<string> = new Set([
  "",
  "Error",
  "ERC20InsufficientAllowance",
  "ERC20InsufficientBalance",
  "SafeERC20FailedOperation",
]);

const treasuryAbi = parseAbi([
  "function transfer(address to, uint256 value) returns (bool)",
  "function mint(address to, uint256 amount)",
]);

export const previewQuery = (request: PreviewRequest) => {
  const { client, coreSwap, order, slippageBps } = request;
  const { assetIn, assetOut, settlement, exact, amount } = order;
  const chosen = [assetIn.id, assetOut.id, settlement.id, exact, String(amount), String(slippageBps)];
  return queryOptions({
    queryKey: ["preview", client.chain.id, client.account.address, client.uid, coreSwap, ...chosen],
    queryFn: async ({ signal }) => {
      await debounce(signal);
      return withNodeTimeout(readPreview(request));
    },
    refetchInterval: PREVIEW_MS,
    retry: false,
  });
};

/** @throws ContractRevertError when the contract refuses to quote; viem's errors when the wallet or its node fails */
async function readPreview({ client, coreSwap, order, slippageBps }: PreviewRequest): Promise<Preview> {
  const user = client.account.address;
  const { number: blockNumber, timestamp } = await getBlock(client);
  const at = { coreSwap, user, blockNumber };
  const { assetIn, assetOut, settlement, exact, amount } = order;
  const given = exact === "in" ? { amountIn: amount } : { amountOut: amount };
  const quote = await quoteLeg(client, { ...at, assetIn, assetOut, settlement, ...given });
  const swap = { ...at, quotes: [quote], slippageBps };
  const [[approval], reverted] = await Promise.all([
    getSwapApprovals(client, swap),
    revertOf(simulateSwap(client, swap)),
  ]);
  if (approval === undefined) throw new Error("the leg takes nothing");
  const isApproved = approval.allowance >= quote.amountIn;
  const isCovered = approval.balance >= quote.amountIn;
  const isPaymentMissing = reverted !== null && !(isApproved && isCovered) && PAYMENT_ERRORS.has(reverted.errorName);
  const refusal = isPaymentMissing ? await tokenRefusal(client, quote, blockNumber) : reverted;
  const block = { number: blockNumber, timestamp };
  return { coreSwap, quote, block, slippageBps, approval, isApproved, isCovered, refusal };
}

/**
 * Whether the treasury token refuses the account, which a simulation without payment does not come to: the token is
 * paused, or bars the account, or has not admitted it to deposits. A deposit mints as the delegate would; for a
 * redemption the account moves nothing.
 */
async function tokenRefusal(
  client: WalletClient,
  { leg }: LegQuote,
  blockNumber: bigint,
): Promise<ContractRevertError | null> {
  const { assetIn, assetOut, settlement } = leg;
  if (!settlement.isYieldBearing) return null;
  const token = { abi: treasuryAbi, address: settlement.tokenAddress, blockNumber } as const;
  const user = client.account.address;
  if (settlement.id === assetOut.id) {
    const mint = { ...token, functionName: "mint", args: [user, 1n] } as const;
    return revertOf(simulateContract(client, { ...mint, account: settlement.delegateAddress }));
  }
  if (settlement.id !== assetIn.id) return null;
  const transfer = { ...token, functionName: "transfer", args: [settlement.delegateAddress, 0n] } as const;
  return revertOf(simulateContract(client, { ...transfer, account: user }));
}

/** What a simulation reverts with; null when it does not. @throws everything else */
async function revertOf(simulation: Promise<unknown>): Promise<ContractRevertError | null> {
  try {
    await namingReverts(simulation);
    return null;
  } catch (error) {
    if (error instanceof ContractRevertError) return error;
    throw error;
  }
}
