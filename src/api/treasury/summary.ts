/** Makes the summary of a yield-bearing delegate from the data of the index and the contracts at one block. */
import { annualizedGrowthWad, DAY_SECONDS, INDEX_ONE, type SolvencyReading, solvencyOf } from "@coreswap/sdk";
import { formatTime } from "../shared/time.ts";
import { growthByDay } from "./rates.ts";
import type { SummaryReading } from "./summary.query.ts";
import type { TreasuryDelegateSummary } from "./summary.schema.ts";

type IndexedDelegate = SummaryReading["delegates"][number];

/**
 * Summarizes a delegate.
 * @throws Error when there is a gap between posted days
 */
export function summaryOf(delegate: IndexedDelegate, reading: SolvencyReading): TreasuryDelegateSummary {
  const { inputs } = reading;
  const { credits, liabilities, assets, isSolvent, unpricedAssetIds, ratioWad, ...usd } = solvencyOf(inputs);
  return {
    delegateAddress: delegate.delegateAddress,
    stablecoinId: delegate.stablecoinId,
    tokenAddress: delegate.tokenAddress,
    decimals: inputs.token.decimals,
    supply: reading.supply.toString(),
    credits: credits.toString(),
    withheldCredits: reading.withheldCredits.toString(),
    creditedAccounts: inputs.creditedAccounts.length,
    reserveAccounts: inputs.reserveAccounts.map(({ account, isShared }) => ({
      account: account.toLowerCase(),
      isShared,
    })),
    reserveAssets: assets.map((asset) => ({
      assetId: asset.id,
      kind: asset.kind,
      tokenAddress: asset.tokenAddress.toLowerCase(),
      decimals: asset.decimals,
      amount: asset.amount.toString(),
      sharedAmount: asset.sharedAmount.toString(),
      priceUsdWad: asset.usdPerTokenWad?.toString() ?? null,
      valueUsdWad: asset.valueUsdWad?.toString() ?? null,
      balances: asset.balances.map(({ account, amount }) => ({
        account: account.toLowerCase(),
        amount: amount.toString(),
      })),
    })),
    solvency: {
      isSolvent,
      liabilities: liabilities.toString(),
      liabilitiesUsdWad: usd.liabilitiesUsdWad.toString(),
      assetsUsdWad: usd.assetsUsdWad.toString(),
      sharedAssetsUsdWad: usd.sharedAssetsUsdWad.toString(),
      surplusUsdWad: usd.surplusUsdWad.toString(),
      ratioWad: ratioWad?.toString() ?? null,
      unpricedAssetIds: [...unpricedAssetIds],
    },
    yield: yieldOf(delegate, reading.block.timestamp),
  };
}

/** Returns the yield of the posted days, and how late the next day is at a block's timestamp. */
function yieldOf(delegate: IndexedDelegate, timestamp: bigint): TreasuryDelegateSummary["yield"] {
  const days = growthByDay(delegate);
  const apyOf = (count: number): string | null => {
    if (days.length < count) return null;
    const before = days.at(-count - 1)?.indexE36 ?? INDEX_ONE;
    const through = days.at(-1)?.indexE36 ?? INDEX_ONE;
    return annualizedGrowthWad(before, through, BigInt(count)).toString();
  };
  const newest = days.at(-1);
  const nextDayEndsAt = newest && (newest.dayNumber + 2n) * DAY_SECONDS;
  const lateSeconds = nextDayEndsAt === undefined ? -1n : timestamp - nextDayEndsAt;
  return {
    currentApyWad: newest?.rateWad.toString() ?? null,
    apy7DaysWad: apyOf(7),
    apy30DaysWad: apyOf(30),
    apy90DaysWad: apyOf(90),
    lastPostedDay: newest?.dayNumber.toString() ?? null,
    nextDayEndsAt: nextDayEndsAt === undefined ? null : formatTime(nextDayEndsAt),
    unpostedDays: lateSeconds < 0n ? 0 : Number(lateSeconds / DAY_SECONDS) + 1,
  };
}
