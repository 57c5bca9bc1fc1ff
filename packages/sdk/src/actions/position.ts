/** An account's tokens and credits in the treasury. */
import { coreSwapAbi, treasuryDelegateAbi } from "@coreswap/abi";
import { type Address, erc20Abi, type Hash } from "viem";
import { getBlock, multicall, readContract } from "viem/actions";
import { type AtBlock, multicallAt, readAtBlock } from "../atBlock.ts";
import { namingReverts } from "../errors/contractRevertError.ts";
import type { StablecoinToken } from "../leg.ts";
import type { Deployment, SwapClient } from "./client.ts";
import { requireYieldBearing } from "./quote.ts";

/** Credits of a day's deposits that are not merged yet. Until then they are paid one to one. */
export interface WithheldRecord {
  /** Token that came in. */
  readonly tokenAddress: Address;
  readonly isRwa: boolean;
  /** In token units. */
  readonly credits: bigint;
  /** Second since 1970 from which they can merge. */
  readonly releaseTimestamp: bigint;
  /** Second since 1970 from which they can earn. */
  readonly earningStartTimestamp: bigint;
}

/**
 * An account of the treasury at a block. Credits and multiplier are as stored; the redeemable values include all yield
 * since.
 */
export interface TreasuryPosition {
  readonly block: { readonly number: bigint; readonly hash: Hash; readonly timestamp: bigint };
  readonly delegateAddress: Address;
  /** Treasury tokens of the account, in token units. */
  readonly tokenBalance: bigint;
  readonly mainCredits: bigint;
  readonly withheldCredits: bigint;
  /** Oldest first. */
  readonly withheldRecords: readonly WithheldRecord[];
  /** Value of a main credit, WAD. */
  readonly yieldMultiplierWad: bigint;
  /** Last day whose rate the multiplier has; zero without main credits. */
  readonly lastAccrualDay: bigint;
  /** Tokens that can be redeemed: the lesser of the account's tokens and credits. */
  readonly redeemableTokens: bigint;
  /** Their value in that block if a stablecoin is paid, in token units, before the fees of a leg. */
  readonly redeemableValueInStablecoin: bigint;
  /** Their value if an RWA is paid, which counts whole days only. */
  readonly redeemableValueInRwa: bigint;
}

export interface GetTreasuryPositionParameters extends Deployment {
  /** The yield-bearing stablecoin. Its delegate is read from the registry. */
  readonly treasury: StablecoinToken;
  readonly user: Address;
  readonly blockNumber?: bigint | undefined;
}

/**
 * Reads an account of the treasury at one block, by its hash.
 * @throws ReplacedBlockError when the chain replaces the block meanwhile; RangeError when the stablecoin is not
 * yield-bearing; viem's errors when the node fails, or does not read contracts at the hash of a block (EIP-1898)
 */
export async function getTreasuryPosition(
  client: SwapClient,
  { blockNumber, ...account }: GetTreasuryPositionParameters,
): Promise<TreasuryPosition> {
  requireYieldBearing(account.treasury);
  const { number, hash, timestamp } = await getBlock(client, blockNumber === undefined ? {} : { blockNumber });
  const position = await readAtBlock(client, { number, hash }, (at) => readPosition(client, account, at));
  return { block: { number, hash, timestamp }, ...position };
}

async function readPosition(
  client: SwapClient,
  { coreSwap, treasury, user }: Omit<GetTreasuryPositionParameters, "blockNumber">,
  at: AtBlock,
): Promise<Omit<TreasuryPosition, "block">> {
  const [, , , delegateAddress, tokenAddress] = await namingReverts(
    readContract(client, {
      ...{ abi: coreSwapAbi, address: coreSwap, functionName: "stablecoinInfo" as const, args: [treasury.id] as const },
      ...at,
    }),
  );
  const delegate = { abi: treasuryDelegateAbi, address: delegateAddress } as const;
  const [tokenBalance, mainCredits, withheldCredits, records, yieldMultiplierWad, lastAccrualDay] = await namingReverts(
    multicall(client, {
      ...multicallAt(at),
      contracts: [
        { abi: erc20Abi, address: tokenAddress, functionName: "balanceOf", args: [user] },
        { ...delegate, functionName: "credits", args: [user] },
        { ...delegate, functionName: "totalWithheldCredits", args: [user] },
        { ...delegate, functionName: "getWithheldCredits", args: [user] },
        { ...delegate, functionName: "yieldMultiplier", args: [user] },
        { ...delegate, functionName: "lastAccrualDay", args: [user] },
      ],
    }),
  );
  const credits = mainCredits + withheldCredits;
  const isCovered = tokenBalance <= credits;
  const redeemableTokens = isCovered ? tokenBalance : credits;
  const [yieldInStablecoin, yieldInRwa] = await namingReverts(
    multicall(client, {
      ...multicallAt(at),
      contracts: [
        { ...delegate, functionName: "getYieldAmount", args: [user, redeemableTokens, true] },
        { ...delegate, functionName: "getYieldAmount", args: [user, redeemableTokens, false] },
      ],
    }),
  );
  return {
    delegateAddress,
    tokenBalance,
    mainCredits,
    withheldCredits,
    withheldRecords: records.map(({ isRWA, ...record }) => ({ ...record, isRwa: isRWA })),
    yieldMultiplierWad,
    lastAccrualDay,
    redeemableTokens,
    redeemableValueInStablecoin: redeemableTokens + yieldInStablecoin,
    redeemableValueInRwa: redeemableTokens + yieldInRwa,
  };
}
