/**
 * Accounts of wallets with yield-bearing delegates, read from the contracts, because events do not carry all of their
 * data.
 */
import { ReplacedBlockError } from "@coreswap/sdk";
import { type Address, erc20Abi, type PublicClient } from "viem";
import { treasuryDelegateAbi } from "../../../abis/index.ts";
import type { NodeBlock } from "../http/indexedBlock.ts";
import type { YieldDelegate } from "./delegatesQuery.ts";
import type { TreasuryAccountsAnswer } from "./schema.ts";

type Account = TreasuryAccountsAnswer["accounts"][number];

/** A wallet whose accounts are read at a block. */
interface AccountsRequest {
  readonly client: PublicClient;
  readonly delegates: readonly YieldDelegate[];
  readonly wallet: Address;
  readonly block: NodeBlock;
}

/**
 * Reads the accounts of a wallet at a block.
 * @throws ReplacedBlockError when the chain replaces the block meanwhile; viem's errors when the node fails
 */
export async function readAccounts(request: AccountsRequest): Promise<Account[]> {
  const { client, block, delegates } = request;
  const accounts = await Promise.all(delegates.map((delegate) => readAccount(request, delegate)));
  if (delegates.length > 0 && (await client.getBlock({ blockNumber: block.number })).hash !== block.hash) {
    throw new ReplacedBlockError(block.number);
  }
  return accounts;
}

async function readAccount(
  { client, wallet, block }: AccountsRequest,
  { delegateAddress, tokenAddress, stablecoinId }: YieldDelegate,
): Promise<Account> {
  const delegate = { abi: treasuryDelegateAbi, address: delegateAddress } as const;
  // No multicall contract is used, because not every chain has Multicall3.
  const options = { allowFailure: false, blockNumber: block.number, deployless: true } as const;
  const [tokenBalance, mainCredits, totalWithheldCredits, withheldCredits, multiplier, lastAccrualDay] =
    await client.multicall({
      ...options,
      contracts: [
        { abi: erc20Abi, address: tokenAddress, functionName: "balanceOf", args: [wallet] },
        { ...delegate, functionName: "credits", args: [wallet] },
        { ...delegate, functionName: "totalWithheldCredits", args: [wallet] },
        { ...delegate, functionName: "getWithheldCredits", args: [wallet] },
        { ...delegate, functionName: "yieldMultiplier", args: [wallet] },
        { ...delegate, functionName: "lastAccrualDay", args: [wallet] },
      ],
    });
  const credits = mainCredits + totalWithheldCredits;
  const redeemable = least(tokenBalance, credits);
  const [yieldInStablecoin, yieldInRwa] =
    redeemable === 0n
      ? [0n, 0n]
      : await client.multicall({
          ...options,
          contracts: [
            { ...delegate, functionName: "getYieldAmount", args: [wallet, redeemable, true] },
            { ...delegate, functionName: "getYieldAmount", args: [wallet, redeemable, false] },
          ],
        });
  return {
    delegateAddress,
    stablecoinId,
    tokenAddress,
    tokenBalance: tokenBalance.toString(),
    mainCredits: mainCredits.toString(),
    totalWithheldCredits: totalWithheldCredits.toString(),
    withheldCredits: withheldCredits.map((record) => ({
      tokenAddress: record.tokenAddress.toLowerCase(),
      credits: record.credits.toString(),
      releaseTimestamp: record.releaseTimestamp.toString(),
      earningStartTimestamp: record.earningStartTimestamp.toString(),
      isRwa: record.isRWA,
    })),
    yieldMultiplierWad: multiplier.toString(),
    lastAccrualDay: lastAccrualDay.toString(),
    redeemableTokens: redeemable.toString(),
    redeemableValueInStablecoin: (redeemable + yieldInStablecoin).toString(),
    redeemableValueInRwa: (redeemable + yieldInRwa).toString(),
  };
}

function least(one: bigint, other: bigint): bigint {
  if (one < other) return one;
  return other;
}
