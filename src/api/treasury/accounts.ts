/**
 * Reads accounts of wallets at yield-bearing delegates from the contracts, because events do not contain all of their
 * data.
 */
import { multicallAt } from "@coreswap/sdk";
import { type Address, erc20Abi } from "viem";
import { treasuryDelegateAbi } from "../../../abis/index.ts";
import { type BlockReading, IndexDisagreement } from "../http/indexedBlock.ts";
import { type IndexedAccount, NO_POSITION } from "./position.query.ts";
import { creditsOf, positionOf } from "./position.ts";
import type { TreasuryAccountsAnswer } from "./schema.ts";

type Account = TreasuryAccountsAnswer["accounts"][number];

/** A wallet whose accounts are read at a block, and its accounts in the index. */
interface AccountsRequest extends BlockReading {
  readonly indexed: readonly IndexedAccount[];
  readonly wallet: Address;
}

/**
 * Reads the accounts of a wallet at a block.
 * @throws IndexDisagreement when the credits differ from the sum of the indexed entries; viem's errors when the node
 * fails
 */
export function readAccounts(request: AccountsRequest): Promise<Account[]> {
  return Promise.all(request.indexed.map((account) => readAccount(request, account)));
}

async function readAccount(
  { client, wallet, at }: AccountsRequest,
  { delegateAddress, tokenAddress, stablecoinId, totals }: IndexedAccount,
): Promise<Account> {
  const delegate = { abi: treasuryDelegateAbi, address: delegateAddress } as const;
  const [tokenBalance, mainCredits, totalWithheldCredits, withheldCredits, multiplier, lastAccrualDay] =
    await client.multicall({
      ...multicallAt(at),
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
    throw new IndexDisagreement(
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
          ...multicallAt(at),
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
