/** Running totals from which the API reads volume: `volume_series` and `volume_total`. */
import { volumeSeries, volumeTotal } from "ponder:schema";
import type { Address, Hex } from "viem";
import { nextSeriesId } from "./chainState.ts";
import type { BlockEvent, Context } from "./events.ts";
import { toWad, WAD_DECIMALS } from "./money.ts";
import type { RegisteredAsset } from "./registry.ts";

/** What a leg adds to the volume, and to which of an LP's series. */
export interface LegValue {
  /** Input RWA whose price values the leg when read; empty for a leg valued in stablecoin. */
  readonly assetId: Hex | "";
  readonly decimals: number;
  readonly amount: bigint;
}

export interface LegAmounts {
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  /** Sum of the event's fees, in units of the settling stablecoin. */
  readonly fees: bigint;
}

/**
 * Values a leg: stablecoin input by its amount; stablecoin output by its amount and all fees, which is what the input was worth;
 * RWA to RWA by the input amount, to be priced when read.
 */
export function legValue(
  assetIn: RegisteredAsset,
  assetOut: RegisteredAsset,
  { amountIn, amountOut, fees }: LegAmounts,
): LegValue {
  if (assetIn.kind === "stablecoin") {
    return { assetId: "", decimals: WAD_DECIMALS, amount: toWad(amountIn, assetIn.decimals) };
  }
  if (assetOut.kind === "stablecoin") {
    return { assetId: "", decimals: WAD_DECIMALS, amount: toWad(amountOut + fees, assetOut.decimals) };
  }
  return { assetId: assetIn.id, decimals: assetIn.decimals, amount: amountIn };
}

/** Adds a leg to the series of its LP, at the second of its block. */
export async function addLeg(context: Context, event: BlockEvent, lpAddress: Address, value: LegValue) {
  const { db, chain } = context;
  const seriesKey = { chainId: chain.id, lpAddress, assetId: value.assetId };
  const head = await db.find(volumeSeries, seriesKey);
  const totals = {
    legTotal: (head?.legTotal ?? 0n) + 1n,
    amountTotal: (head?.amountTotal ?? 0n) + value.amount,
  };

  const seriesId = head?.seriesId ?? (await nextSeriesId(context));
  if (head) await db.update(volumeSeries, seriesKey).set(totals);
  else await db.insert(volumeSeries).values({ ...seriesKey, seriesId, decimals: value.decimals, ...totals });

  await db
    .insert(volumeTotal)
    .values({ chainId: chain.id, seriesId, second: event.block.timestamp, ...totals })
    .onConflictDoUpdate(totals);
}
