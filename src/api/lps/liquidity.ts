/** Reads from the contracts what an LP can pay and take in: custody, approvals, intake and derived legs. */
import { multicallAt } from "@coreswap/sdk";
import { type Address, erc20Abi, type Hex, isAddressEqual, zeroAddress, zeroHash } from "viem";
import { coreSwapAbi, stablecoinDelegateAbi } from "../../../abis/index.ts";
import { type BlockReading, blockFieldsOf, IndexDisagreement } from "../http/indexedBlock.ts";
import type { RegisteredAsset, RegisteredLp } from "./query.ts";
import type { LpLiquidity } from "./schema.ts";

interface LiquidityRequest extends BlockReading {
  readonly coreSwap: Address;
  readonly lpAddress: Address;
  readonly lp: RegisteredLp;
  /** All registered assets. Those that the LP does not list are omitted. */
  readonly assets: readonly RegisteredAsset[];
}

interface Custodies {
  readonly rwa: Address | null;
  readonly stablecoin: Address | null;
}

/**
 * Reads an LP's liquidity at a block.
 * @throws viem's errors when the node fails, or the LP is not a `StablecoinDelegate`
 */
export async function readLiquidity(request: LiquidityRequest): Promise<LpLiquidity> {
  const { client, block, lp } = request;
  const delegate = { abi: stablecoinDelegateAbi, address: request.lpAddress } as const;
  const [[rwaCustody, stablecoinCustody, isPausedByGuardian, isPausedByIssuer], listed] = await Promise.all([
    client.multicall({
      ...multicallAt(request.at),
      contracts: [
        { ...delegate, functionName: "balanceSheetCustodyAddress" },
        { ...delegate, functionName: "stablecoinCustodyAddress" },
        { ...delegate, functionName: "emergencyPaused" },
        { ...delegate, functionName: "issuerPaused" },
      ],
    }),
    readListed(request),
  ]);
  const custodies = { rwa: orNull(rwaCustody), stablecoin: orNull(stablecoinCustody) };
  const own = { ...lp, assetId: lp.stablecoinId, kind: "stablecoin" as const, lpAddress: request.lpAddress };
  const [holdings, derivedLegs] = await Promise.all([
    readHoldings(request, [own, ...listed], custodies),
    readDerivedLegs(request, custodies.stablecoin),
  ]);
  return {
    block: blockFieldsOf(block),
    ...lp,
    isPausedByGuardian,
    isPausedByIssuer,
    holdings,
    derivedLegs,
  };
}

/** Returns the foreign assets that the LP lists. */
async function readListed(request: LiquidityRequest): Promise<RegisteredAsset[]> {
  const foreign = request.assets.filter(({ assetId }) => assetId !== request.lp.stablecoinId);
  const isListed = await request.client.multicall({
    ...multicallAt(request.at),
    contracts: foreign.map(({ kind, tokenAddress }) => ({
      abi: stablecoinDelegateAbi,
      address: request.lpAddress,
      functionName: kind === "rwa" ? ("rwaWhitelist" as const) : ("stablecoinWhitelist" as const),
      args: [tokenAddress] as const,
    })),
  });
  return foreign.filter((_, index) => isListed[index]);
}

/** Reads how much of some assets the custodies hold, how much of it the LP may take, and how much more may come in. */
async function readHoldings(
  request: LiquidityRequest,
  assets: readonly RegisteredAsset[],
  custodies: Custodies,
): Promise<LpLiquidity["holdings"]> {
  const { client, lp, lpAddress } = request;
  const held = assets.flatMap((asset) => {
    const custody = custodies[asset.kind];
    return custody === null ? [] : [{ ...asset, custody }];
  });
  const token = ({ tokenAddress }: RegisteredAsset) => ({ abi: erc20Abi, address: tokenAddress });
  const [balances, approvals, intakes] = await Promise.all([
    client.multicall({
      ...multicallAt(request.at),
      contracts: held.map((asset) => ({
        ...token(asset),
        functionName: "balanceOf" as const,
        args: [asset.custody] as const,
      })),
    }),
    client.multicall({
      ...multicallAt(request.at),
      contracts: held.map((asset) => ({
        ...token(asset),
        functionName: "allowance" as const,
        args: [asset.custody, lpAddress] as const,
      })),
    }),
    client.multicall({
      ...multicallAt(request.at),
      contracts: assets.map(({ tokenAddress }) => ({
        abi: stablecoinDelegateAbi,
        address: lpAddress,
        functionName: "intakeCap" as const,
        args: [tokenAddress] as const,
      })),
    }),
  ]);
  return assets.map(({ assetId, kind, tokenAddress, decimals }, index) => {
    const place = held.findIndex((asset) => asset.assetId === assetId);
    const custody = custodies[kind];
    const isOwnCustody = custody !== null && isAddressEqual(custody, lpAddress);
    const isUncapped = assetId === lp.stablecoinId && lp.yieldBearing;
    const [cap, available] = (isUncapped ? undefined : intakes[index]) ?? [];
    return {
      assetId,
      kind,
      tokenAddress,
      decimals,
      custody: custody?.toLowerCase() ?? null,
      balance: digits(balances[place]),
      approval: isOwnCustody ? null : digits(approvals[place]),
      intakeCapPerDay: digits(cap),
      intakeAvailable: digits(available),
    };
  });
}

/** Reads what the stablecoin custody allows for sweeps and prefunds. See `CoreSwapAutoLiquidity`. */
async function readDerivedLegs(
  request: LiquidityRequest,
  custody: Address | null,
): Promise<LpLiquidity["derivedLegs"]> {
  const { client, at, coreSwap, lp, assets } = request;
  const reserveStablecoinId = await client.readContract({
    abi: coreSwapAbi,
    address: coreSwap,
    functionName: "autoLiquidityStablecoinIDs",
    args: [lp.stablecoinId],
    ...at,
  });
  if (reserveStablecoinId === zeroHash || custody === null) return null;
  const reserve = assets.find(({ assetId }) => assetId === reserveStablecoinId);
  const reserveLp = reserve?.lpAddress ?? null;
  if (reserve === undefined || reserveLp === null) {
    throw new IndexDisagreement(`the index does not have the stablecoin ${reserveStablecoinId}`);
  }
  const inputAllowance = (assetId: Hex) =>
    ({
      abi: coreSwapAbi,
      address: coreSwap,
      functionName: "swapInputAllowances",
      args: [custody, coreSwap, assetId],
    }) as const;
  const approval = (address: Address) =>
    ({ abi: erc20Abi, address, functionName: "allowance", args: [custody, reserveLp] }) as const;
  const [sweepInput, sweepApproval, prefundInput, prefundApproval] = await client.multicall({
    ...multicallAt(request.at),
    contracts: [
      inputAllowance(lp.stablecoinId),
      approval(lp.tokenAddress),
      inputAllowance(reserveStablecoinId),
      approval(reserve.tokenAddress),
    ],
  });
  return {
    reserveStablecoinId,
    sweep: { inputAllowance: sweepInput.toString(), approval: sweepApproval.toString() },
    prefund: { inputAllowance: prefundInput.toString(), approval: prefundApproval.toString() },
  };
}

function orNull(account: Address): Address | null {
  return account === zeroAddress ? null : account;
}

function digits(amount: bigint | undefined): string | null {
  return amount === undefined ? null : amount.toString();
}
