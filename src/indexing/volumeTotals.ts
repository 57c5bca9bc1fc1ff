/** Writes the running totals from which the API reads volume and fees: `volume_series` and `volume_total`. */
import { volumeSeries, volumeTotal } from "ponder:schema";
import type { Address } from "viem";
import { nextSeriesId } from "./chainState.ts";
import type { BlockEvent, Context } from "./events.ts";
import type { LegFees, LegValue } from "./legValue.ts";

/** The parts of a leg that are counted in the totals. */
interface CountedLeg {
  /** The delegate that settled the leg. */
  readonly lpAddress: Address;
  readonly value: LegValue;
  readonly fees: LegFees;
}

/** Sums over all legs of a series up to a second, as in `volume_total`. */
type Totals = Pick<
  typeof volumeTotal.$inferSelect,
  "legTotal" | "amountTotal" | "issuerFeeTotalWad" | "spreadFeeTotalWad" | "lpFeeTotalWad"
>;

/** The newest state of a volume series, as in `volume_series` and `volume_total`. */
interface SeriesHead {
  readonly seriesId: number;
  /** Second of its newest leg, or null before the first leg. */
  readonly newestSecond: bigint | null;
  readonly totals: Totals;
}

const NO_LEGS: Totals = {
  legTotal: 0n,
  amountTotal: 0n,
  issuerFeeTotalWad: 0n,
  spreadFeeTotalWad: 0n,
  lpFeeTotalWad: 0n,
};

/** Adds a leg to the series of its LP, at the second of its block. The series begins with its first leg. */
export async function addLeg(context: Context, event: BlockEvent, leg: CountedLeg) {
  const { db, chain } = context;
  const second = event.block.timestamp;
  const { seriesId, newestSecond, totals } = await advanceSeries(context, second, leg);
  const { value, fees } = leg;
  const next: Totals = {
    legTotal: totals.legTotal + 1n,
    amountTotal: totals.amountTotal + value.amount,
    issuerFeeTotalWad: totals.issuerFeeTotalWad + fees.issuerFeeWad,
    spreadFeeTotalWad: totals.spreadFeeTotalWad + fees.spreadFeeWad,
    lpFeeTotalWad: totals.lpFeeTotalWad + fees.lpFeeWad,
  };
  if (newestSecond === second) {
    await db.update(volumeTotal, { chainId: chain.id, seriesId, second }).set(next);
  } else {
    await db.insert(volumeTotal).values({ chainId: chain.id, seriesId, second, ...next });
  }
}

/**
 * Records that a series gains a leg at a second.
 * @returns the state of the series before the leg
 * @throws Error when the totals that the series names are missing
 */
async function advanceSeries(
  context: Context,
  second: bigint,
  { lpAddress, value: { assetId, decimals } }: CountedLeg,
): Promise<SeriesHead> {
  const { db, chain } = context;
  const key = { chainId: chain.id, lpAddress, assetId };
  const stored = await db.find(volumeSeries, key);
  if (stored === null) {
    const seriesId = await nextSeriesId(context);
    await db.insert(volumeSeries).values({ ...key, seriesId, decimals, newestSecond: second });
    return { seriesId, newestSecond: null, totals: NO_LEGS };
  }

  const { seriesId, newestSecond } = stored;
  const totals = await db.find(volumeTotal, { chainId: chain.id, seriesId, second: newestSecond });
  if (totals === null) {
    throw new Error(`${chain.name}: volume series ${seriesId} has no totals at its newest second, ${newestSecond}`);
  }
  if (newestSecond !== second) await db.update(volumeSeries, key).set({ newestSecond: second });
  return { seriesId, newestSecond, totals };
}
