/**
 * Reads accounts of wallets at yield-bearing delegates from the contracts, because events do not contain all of their
 * data.
 */
import { ReplacedBlockError } from "@coreswap/sdk";
import { type Address, erc20Abi, type PublicClient } from "viem";
import { treasuryDelegateAbi } from "../../../abis/index.ts";
import { Disagreement, type NodeBlock } from "../http/indexedBlock.ts";
import { creditsOf, positionOf } from "./position.ts";
import { type IndexedAccount, NO_POSITION } from "./positionQuery.ts";
import type { TreasuryAccountsAnswer } from "./schema.ts";

type Account = TreasuryAccountsAnswer["accounts"][number];

/** A wallet whose accounts are read at a block, and its accounts in the index. */
interface AccountsRequest {
  readonly client: PublicClient;
  readonly indexed: readonly IndexedAccount[];
  readonly wallet: Address;
  readonly block: NodeBlock;
}

/**
 * Reads the accounts of a wallet at a block.
 * @throws ReplacedBlockError when the chain replaces the block meanwhile; Disagreement when the credits differ from the
 * sum of the indexed entries; viem's errors when the node fails
 */
export async function readAccounts(request: AccountsRequest): Promise<Account[]> {
  const { client, block, indexed } = request;
  const accounts = await Promise.all(indexed.map((account) => readAccount(request, account)));
  if (indexed.length > 0 && (await client.getBlock({ blockNumber: block.number })).hash !== block.hash) {
    throw new ReplacedBlockError(block.number);
  }
  return accounts;
}

async function readAccount(
  { client, wallet, block }: AccountsRequest,
  { delegateAddress, tokenAddress, stablecoinId, totals }: IndexedAccount,
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
  const expected = creditsOf(totals ?? NO_POSITION);
  if (credits !== expected) {
    throw new Disagreement(
      `${wallet} has ${credits} credits of ${delegateAddress}, its indexed entries add up to ${expected}`,
    );
  }
  const redeemable = least(tokenBalance, credits);
  const yieldOf = (amount: bigint, inStablecoin: boolean) =>
    ({ ...delegate, functionName: "getYieldAmount", args: [wallet, amount, inStablecoin] }) as const;
  const [yieldInStablecoin, yieldInRwa, wholeInStablecoin, wholeInRwa] =
    credits === 0n
      ? [0n, 0n, 0n, 0n]
      : await client.multicall({
          ...options,
          contracts: [
            yieldOf(redeemable, true),
            yieldOf(redeemable, false),
            yieldOf(credits, true),
            yieldOf(credits, false),
          ],
        });
  const claimed = totals?.yieldClaimed ?? 0n;
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
    position: positionOf(totals),
    yieldEarnedInStablecoin: (claimed + wholeInStablecoin).toString(),
    yieldEarnedInRwa: (claimed + wholeInRwa).toString(),
  };
}

function least(one: bigint, other: bigint): bigint {
  if (one < other) return one;
  return other;
}
