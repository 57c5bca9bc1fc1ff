/** Running totals from which the API reads volume: `volume_series` and `volume_total`. */
import { volumeSeries, volumeTotal } from "ponder:schema";
import type { Address } from "viem";
import { nextSeriesId } from "./chainState.ts";
import type { BlockEvent, Context } from "./events.ts";
import type { LegValue } from "./legValue.ts";

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
