/** Running totals from which the API reads volume: `volume_series` and `volume_total`. */
import { volumeSeries, volumeTotal } from "ponder:schema";
import type { Address } from "viem";
import { nextSeriesId } from "./chainState.ts";
import type { BlockEvent, Context } from "./events.ts";
import type { LegValue } from "./legValue.ts";

/** How far a volume series goes, as `volume_series` and `volume_total` have it. */
interface SeriesHead {
  readonly seriesId: number;
  /** Second of its newest leg; null before the first. */
  readonly newestSecond: bigint | null;
  readonly legTotal: bigint;
  readonly amountTotal: bigint;
}

/** Adds a leg to the series of its LP, at the second of its block. The series begins with its first leg. */
export async function addLeg(context: Context, event: BlockEvent, lpAddress: Address, value: LegValue) {
  const { db, chain } = context;
  const second = event.block.timestamp;
  const head = await advanceSeries(context, second, lpAddress, value);
  const { seriesId } = head;
  const legTotal = head.legTotal + 1n;
  const amountTotal = head.amountTotal + value.amount;
  if (head.newestSecond === second) {
    await db.update(volumeTotal, { chainId: chain.id, seriesId, second }).set({ legTotal, amountTotal });
  } else {
    await db.insert(volumeTotal).values({ chainId: chain.id, seriesId, second, legTotal, amountTotal });
  }
}

/**
 * Notes that a series gains a leg at a second.
 * @returns how far the series went before
 * @throws Error when the totals are missing that the series names
 */
async function advanceSeries(
  context: Context,
  second: bigint,
  lpAddress: Address,
  { assetId, decimals }: LegValue,
): Promise<SeriesHead> {
  const { db, chain } = context;
  const key = { chainId: chain.id, lpAddress, assetId };
  const stored = await db.find(volumeSeries, key);
  if (stored === null) {
    const seriesId = await nextSeriesId(context);
    await db.insert(volumeSeries).values({ ...key, seriesId, decimals, newestSecond: second });
    return { seriesId, newestSecond: null, legTotal: 0n, amountTotal: 0n };
  }

  const { seriesId, newestSecond } = stored;
  const totals = await db.find(volumeTotal, { chainId: chain.id, seriesId, second: newestSecond });
  if (totals === null) {
    throw new Error(`${chain.name}: volume series ${seriesId} has no totals at its newest second, ${newestSecond}`);
  }
  if (newestSecond !== second) await db.update(volumeSeries, key).set({ newestSecond: second });
  return { seriesId, newestSecond, legTotal: totals.legTotal, amountTotal: totals.amountTotal };
}
