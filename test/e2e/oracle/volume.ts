/** Recomputes volume from realized legs, exactly. */
import type { Address, Hex } from "viem";
import type { RealizedLeg } from "./history.ts";

/** A half-open range in seconds since 1970. */
export interface Range {
  readonly from: bigint;
  readonly to: bigint;
}

interface VolumeFigures {
  readonly pricedVolumeUsd: string;
  readonly totalLegCount: number;
  readonly pricedLegCount: number;
  readonly unpricedLegCount: number;
  readonly pricingComplete: boolean;
  readonly missingPriceAssetIds: readonly Hex[];
  readonly issuerFeeWad: string;
  readonly spreadFeeWad: string;
  readonly lpFeeWad: string;
}

export interface RecomputedVolume extends VolumeFigures {
  /** Sorted by address. Only LPs with a leg in the range are listed. */
  readonly lpVolumes: readonly (VolumeFigures & { readonly lpAddress: Address })[];
  /** Sorted IDs of the RWAs whose price was used for at least one leg. */
  readonly usedPriceAssetIds: readonly Hex[];
}

/** USD prices in WAD by RWA id. */
export type Prices = ReadonlyMap<Hex, bigint>;

/**
 * Computes the volume of the legs in a range, of one LP when `lpAddress` is given.
 * The value of an LP is one exact sum, floored once to six digits. The total is the sum of the LP values. Fees are
 * exact sums over all legs.
 */
export function recomputeVolume(
  legs: readonly RealizedLeg[],
  { from, to }: Range,
  prices: Prices,
  lpAddress?: Address,
): RecomputedVolume {
  const counted = legs.filter(
    (leg) =>
      leg.timestamp >= from &&
      leg.timestamp < to &&
      (lpAddress === undefined || leg.lpAddress === lpAddress.toLowerCase()),
  );
  const lines = sorted(counted.map((leg) => leg.lpAddress)).map((address) => ({
    address,
    sum: summarize(
      counted.filter((leg) => leg.lpAddress === address),
      prices,
    ),
  }));
  const used = counted.flatMap(({ worth }) =>
    worth.kind === "rwa" && prices.has(worth.assetId) ? [worth.assetId] : [],
  );
  return {
    ...figures({
      microUsd: lines.reduce((total, { sum }) => total + sum.microUsd, 0n),
      priced: lines.reduce((total, { sum }) => total + sum.priced, 0),
      unpriced: lines.reduce((total, { sum }) => total + sum.unpriced, 0),
      missing: lines.flatMap(({ sum }) => sum.missing),
      feesWad: feesOf(counted),
    }),
    lpVolumes: lines.map(({ address, sum }) => ({ lpAddress: address, ...figures(sum) })),
    usedPriceAssetIds: sorted(used),
  };
}

interface Sum {
  /** Millionths of a USD. */
  readonly microUsd: bigint;
  readonly priced: number;
  readonly unpriced: number;
  readonly missing: readonly Hex[];
  readonly feesWad: RealizedLeg["feesWad"];
}

function feesOf(legs: readonly RealizedLeg[]): RealizedLeg["feesWad"] {
  const sumOf = (fee: keyof RealizedLeg["feesWad"]) => legs.reduce((sum, { feesWad }) => sum + feesWad[fee], 0n);
  return { issuer: sumOf("issuer"), spread: sumOf("spread"), lp: sumOf("lp") };
}

function summarize(legs: readonly RealizedLeg[], prices: Prices): Sum {
  // At 36 decimals, the product of an amount (at most 18 decimals) and a price (18 decimals) is a whole number.
  let valueE36 = 0n;
  let unpriced = 0;
  const missing: Hex[] = [];
  for (const { worth } of legs) {
    if (worth.kind === "stablecoin") {
      valueE36 += worth.valueWad * 10n ** 18n;
      continue;
    }
    const priceWad = prices.get(worth.assetId);
    if (priceWad === undefined) {
      unpriced += 1;
      missing.push(worth.assetId);
    } else {
      valueE36 += worth.amount * priceWad * 10n ** BigInt(18 - worth.decimals);
    }
  }
  return { microUsd: valueE36 / 10n ** 30n, priced: legs.length - unpriced, unpriced, missing, feesWad: feesOf(legs) };
}

function figures({ microUsd, priced, unpriced, missing, feesWad }: Sum): VolumeFigures {
  return {
    pricedVolumeUsd: `${microUsd / 1_000_000n}.${String(microUsd % 1_000_000n).padStart(6, "0")}`,
    totalLegCount: priced + unpriced,
    pricedLegCount: priced,
    unpricedLegCount: unpriced,
    pricingComplete: unpriced === 0,
    missingPriceAssetIds: sorted(missing),
    issuerFeeWad: String(feesWad.issuer),
    spreadFeeWad: String(feesWad.spread),
    lpFeeWad: String(feesWad.lp),
  };
}

/** The distinct values in the order of their text. */
function sorted<T extends string>(values: readonly T[]): T[] {
  return [...new Set(values)].sort((left, right) => (left < right ? -1 : 1));
}
