/** Running totals from which the API reads volume: `volume_series` and `volume_total`. */
import { volumeSeries, volumeTotal } from "ponder:schema";
import type { Address } from "viem";
import { blockMemory, type SeriesHead } from "./blockMemory.ts";
import { nextSeriesId } from "./chainState.ts";
import type { BlockEvent, Context } from "./events.ts";
import type { LegValue } from "./legValue.ts";

/** Adds a leg to the series of its LP, at the second of its block. The series begins with its first leg. */
export async function addLeg(context: Context, event: BlockEvent, lpAddress: Address, value: LegValue) {
  const { db, chain } = context;
  const { series } = blockMemory(context);
  const key = { chainId: chain.id, lpAddress, assetId: value.assetId };
  const name = `${lpAddress} ${value.assetId}`;
  const inBlock = series.get(name);
  const head: SeriesHead | null = inBlock ?? (await db.find(volumeSeries, key));
  const totals = {
    legTotal: (head?.legTotal ?? 0n) + 1n,
    amountTotal: (head?.amountTotal ?? 0n) + value.amount,
  };

  const seriesId = head?.seriesId ?? (await nextSeriesId(context));
  if (head) await db.update(volumeSeries, key).set(totals);
  else await db.insert(volumeSeries).values({ ...key, seriesId, decimals: value.decimals, ...totals });
  series.set(name, { seriesId, ...totals });

  const totalKey = { chainId: chain.id, seriesId, second: event.block.timestamp };
  if (inBlock) {
    await db.update(volumeTotal, totalKey).set(totals);
  } else {
    const row = { ...totalKey, ...totals };
    // An earlier block may have the same second.
    await db.insert(volumeTotal).values(row).onConflictDoUpdate(totals);
  }
}
