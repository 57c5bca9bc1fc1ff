/** Values volume series: converts raw totals and prices to the figures of an answer. */
import type { CachedPrice } from "../cachedPrices.ts";
import type { VolumeFigures } from "./figures.ts";
import { floorToMicroUsd, formatMicroUsd, type UsdAmount, valueAtPrice } from "./money.ts";
import type { SeriesVolume } from "./query.ts";

type LpVolume = VolumeFigures & { lpAddress: string };

/** The total, and its parts in `lpVolumes`, in ascending order of address. */
type ValuedVolume = VolumeFigures & { lpVolumes: LpVolume[] };

interface Tally {
  microUsd: bigint;
  pricedLegCount: number;
  unpricedLegCount: number;
  readonly missingPriceAssetIds: Set<string>;
  issuerFeeWad: bigint;
  spreadFeeWad: bigint;
  lpFeeWad: bigint;
}

/**
 * Values series with at least one leg each, and adds up their fees. The value of an LP is one exact fraction, rounded
 * down once. The total is the sum of the LPs' rounded figures, so that a report adds up.
 */
export function valueVolume(series: readonly SeriesVolume[], prices: readonly CachedPrice[]): ValuedVolume {
  const priceOf = new Map(prices.map((price) => [price.assetId, price]));
  const byLp = Map.groupBy(series, ({ lpAddress }) => lpAddress);
  const tallies = [...byLp.keys()].sort().map((lpAddress) => ({
    lpAddress,
    tally: tallyOf(byLp.get(lpAddress) ?? [], priceOf),
  }));

  const total = emptyTally();
  for (const { tally } of tallies) {
    total.microUsd += tally.microUsd;
    total.pricedLegCount += tally.pricedLegCount;
    total.unpricedLegCount += tally.unpricedLegCount;
    addFees(total, tally);
    for (const assetId of tally.missingPriceAssetIds) total.missingPriceAssetIds.add(assetId);
  }
  return {
    ...figuresOf(total),
    lpVolumes: tallies.map(({ lpAddress, tally }) => ({ lpAddress, ...figuresOf(tally) })),
  };
}

/** Returns the prices that value at least one leg of the series, in ascending order of asset ID. */
export function pricesUsedBy(series: readonly SeriesVolume[], prices: readonly CachedPrice[]): CachedPrice[] {
  const valuedAssetIds = new Set(series.map(({ assetId }) => assetId));
  return prices.filter(({ assetId }) => valuedAssetIds.has(assetId)).sort((a, b) => (a.assetId < b.assetId ? -1 : 1));
}

function tallyOf(series: readonly SeriesVolume[], priceOf: ReadonlyMap<string, CachedPrice>): Tally {
  const tally = emptyTally();
  const amounts: UsdAmount[] = [];
  for (const gained of series) {
    const { assetId, decimals, legs, amount } = gained;
    addFees(tally, gained);
    const price = priceOf.get(assetId);
    if (assetId === "") amounts.push({ units: amount, scale: decimals });
    else if (price) amounts.push(valueAtPrice(amount, decimals, price.priceUsdWad));
    else {
      tally.missingPriceAssetIds.add(assetId);
      tally.unpricedLegCount += legs;
      continue;
    }
    tally.pricedLegCount += legs;
  }
  tally.microUsd = floorToMicroUsd(amounts);
  return tally;
}

/** Adds fees. They need no price, because they are stablecoin amounts. */
function addFees(tally: Tally, fees: Pick<Tally, "issuerFeeWad" | "spreadFeeWad" | "lpFeeWad">) {
  tally.issuerFeeWad += fees.issuerFeeWad;
  tally.spreadFeeWad += fees.spreadFeeWad;
  tally.lpFeeWad += fees.lpFeeWad;
}

function emptyTally(): Tally {
  return {
    microUsd: 0n,
    pricedLegCount: 0,
    unpricedLegCount: 0,
    missingPriceAssetIds: new Set(),
    issuerFeeWad: 0n,
    spreadFeeWad: 0n,
    lpFeeWad: 0n,
  };
}

function figuresOf({
  microUsd,
  pricedLegCount,
  unpricedLegCount,
  missingPriceAssetIds,
  ...fees
}: Tally): VolumeFigures {
  return {
    pricedVolumeUsd: formatMicroUsd(microUsd),
    totalLegCount: pricedLegCount + unpricedLegCount,
    pricedLegCount,
    unpricedLegCount,
    pricingComplete: unpricedLegCount === 0,
    missingPriceAssetIds: [...missingPriceAssetIds].sort(),
    issuerFeeWad: fees.issuerFeeWad.toString(),
    spreadFeeWad: fees.spreadFeeWad.toString(),
    lpFeeWad: fees.lpFeeWad.toString(),
  };
}
