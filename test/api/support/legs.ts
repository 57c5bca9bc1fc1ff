/** Generated legs, stored as running totals, and a price. */
import { maxUint256 } from "viem";
import type { RwaPrice } from "../../../src/api/prices/store.ts";
import { insertRows, type TestEngine } from "./engine.ts";
import { addressOf, hashOf, NOW } from "./world.ts";

export const WAD = 10n ** 18n;
export const TBILL = hashOf("TBILL");
export const GOLD = hashOf("GOLD");
export const [LP_1, LP_2] = [addressOf("lp 1"), addressOf("lp 2")].sort() as [string, string];

/** One leg as a series sees it: its second, LP, priced asset or empty text, and raw amount. */
export type Leg = readonly [second: bigint, lpAddress: string, assetId: string, amount: bigint];
export const DECIMALS: Record<string, number> = { "": 18, [TBILL]: 6, [GOLD]: 18 };

export const START = NOW - 1_000n;
export const LEGS: readonly Leg[] = [
  [START, LP_1, "", 5n * WAD + 999_999_999_999n],
  [START, LP_1, "", 1n],
  [START + 10n, LP_1, TBILL, 3n],
  [START + 10n, LP_2, TBILL, 1_000_001n],
  [START + 20n, LP_2, GOLD, 7n],
  [START + 20n, LP_2, "", maxUint256 * WAD],
  [START + 30n, LP_1, TBILL, maxUint256],
  [START + 30n, LP_1, "", 999_999_999_999n],
];

export const tbillPrice: RwaPrice = {
  chainId: 1,
  rwaId: TBILL,
  priceAdapter: addressOf("TBILL adapter"),
  priceUsdWad: 1_052_300_000_000_000_001n,
  fetchedAt: NOW - 60n,
  blockNumber: 4_000n,
  blockHash: hashOf("block 4000"),
};

/** Fees of the leg at a position of a list. No fee follows from the amount, and some are zero. */
export function feesOf(index: number) {
  return {
    issuerFeeWad: BigInt(index) * 10n ** 12n,
    spreadFeeWad: BigInt(index * index) * WAD + 1n,
    lpFeeWad: index === 5 ? maxUint256 * WAD : BigInt(index),
  };
}

/** Inserts running totals as the handlers store them. */
export async function insertLegs(engine: TestEngine, legs: readonly Leg[]) {
  const none = { legTotal: 0n, amountTotal: 0n, issuerFeeTotalWad: 0n, spreadFeeTotalWad: 0n, lpFeeTotalWad: 0n };
  const heads = new Map<string, typeof none & { seriesId: number }>();
  const series = new Map<string, object>();
  const totals = new Map<string, object>();
  for (const [index, [second, lpAddress, assetId, amount]] of legs.entries()) {
    const key = `${lpAddress} ${assetId}`;
    const head = heads.get(key) ?? { ...none, seriesId: heads.size };
    const fees = feesOf(index);
    const next = {
      ...head,
      legTotal: head.legTotal + 1n,
      amountTotal: head.amountTotal + amount,
      issuerFeeTotalWad: head.issuerFeeTotalWad + fees.issuerFeeWad,
      spreadFeeTotalWad: head.spreadFeeTotalWad + fees.spreadFeeWad,
      lpFeeTotalWad: head.lpFeeTotalWad + fees.lpFeeWad,
    };
    heads.set(key, next);
    series.set(key, {
      chainId: 1,
      lpAddress,
      assetId,
      seriesId: next.seriesId,
      decimals: DECIMALS[assetId],
      newestSecond: second,
    });
    totals.set(`${key} ${second}`, { chainId: 1, second, ...next });
  }
  await insertRows(engine, "volume_series", [...series.values()]);
  await insertRows(engine, "volume_total", [...totals.values()]);
}

/** Registers the priced assets, so that their prices are used. */
export async function insertPricedAssets(engine: TestEngine) {
  await insertRows(engine, "rwa", [
    { chainId: 1, rwaId: TBILL, priceAdapter: tbillPrice.priceAdapter, accepted: true },
    { chainId: 1, rwaId: GOLD, priceAdapter: addressOf("GOLD adapter"), accepted: true },
  ]);
}
