import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RwaPrice } from "../../src/api/prices/store.ts";
import { formatTime } from "../../src/api/shared/time.ts";
import { volumeAnswer } from "../../src/api/volume/schema.ts";
import { checkedRequest } from "./support/checked.ts";
import { openEngine, pricesOf, type TestEngine } from "./support/engine.ts";
import {
  DECIMALS,
  feesOf,
  GOLD,
  insertLegs,
  insertPricedAssets,
  LEGS,
  LP_1,
  LP_2,
  START,
  TBILL,
  tbillPrice,
  WAD,
} from "./support/legs.ts";
import { addressOf, appOver, NOW } from "./support/world.ts";

let engine: TestEngine;
beforeAll(async () => {
  engine = await openEngine("volume_test");
  await insertLegs(engine, LEGS);
  await insertPricedAssets(engine);
});
afterAll(() => engine.close());

async function apiWith(...prices: RwaPrice[]) {
  await pricesOf(engine, ...prices);
  const api = appOver(engine);
  return async (query: Record<string, string>) => {
    const { response, body } = await checkedRequest(
      api,
      `/v1/volume?${new URLSearchParams({ network: "evm-mainnet", ...query })}`,
    );
    expect(api.errors).toEqual([]);
    expect(response.status).toBe(200);
    return volumeAnswer.parse(body);
  };
}

/** The same figures, computed from the legs themselves with one common denominator of 10^36. */
function recompute(from: bigint, to: bigint, prices: Record<string, bigint>, lpAddress?: string) {
  const legs = LEGS.map((leg, index) => [...leg, feesOf(index)] as const).filter(
    ([second, lp]) => second >= from && second < to && (lpAddress ?? lp) === lp,
  );
  const feeSums = (counted: typeof legs) => {
    const sum = (fee: keyof ReturnType<typeof feesOf>) =>
      counted.reduce((total, [, , , , fees]) => total + fees[fee], 0n).toString();
    return { issuerFeeWad: sum("issuerFeeWad"), spreadFeeWad: sum("spreadFeeWad"), lpFeeWad: sum("lpFeeWad") };
  };
  const lines = [LP_1, LP_2].flatMap((lp) => {
    const own = legs.filter(([, lpOfLeg]) => lpOfLeg === lp);
    if (own.length === 0) return [];
    let value = 0n;
    let priced = 0;
    for (const [, , assetId, amount] of own) {
      const price = assetId === "" ? WAD : prices[assetId];
      if (price === undefined) continue;
      priced += 1;
      value += amount * price * 10n ** BigInt(18 - (DECIMALS[assetId] ?? 0));
    }
    return [{ lp, micro: value / 10n ** 30n, total: own.length, priced, fees: feeSums(own) }];
  });
  const micro = lines.reduce((sum, line) => sum + line.micro, 0n);
  const text = (value: bigint) => `${value / 1_000_000n}.${(value % 1_000_000n).toString().padStart(6, "0")}`;
  return {
    pricedVolumeUsd: text(micro),
    totalLegCount: legs.length,
    pricedLegCount: lines.reduce((sum, { priced }) => sum + priced, 0),
    ...feeSums(legs),
    lpVolumes: lines.map(({ lp, micro: own, total, priced, fees }) => ({
      ...fees,
      lpAddress: lp,
      pricedVolumeUsd: text(own),
      totalLegCount: total,
      pricedLegCount: priced,
    })),
  };
}

describe("volume", () => {
  it("equals the sum over the legs for every range", async () => {
    const get = await apiWith(tbillPrice);
    const bounds = [START - 1n, START, START + 1n, START + 10n, START + 11n, START + 20n, START + 30n, START + 31n];
    for (const from of bounds) {
      for (const to of bounds) {
        if (from >= to) continue;
        for (const lpAddress of [undefined, LP_1, LP_2]) {
          const answer = await get({
            from: formatTime(from),
            to: formatTime(to),
            ...(lpAddress === undefined ? {} : { lpAddress }),
          });
          expect(answer).toMatchObject(recompute(from, to, { [TBILL]: tbillPrice.priceUsdWad }, lpAddress));
          expect(answer).toMatchObject({ from: formatTime(from), to: formatTime(to) });
        }
      }
    }
  });

  it("counts unpriced legs, names their assets and lists the prices that it used", async () => {
    const answer = await (await apiWith(tbillPrice))({});
    expect(answer).toMatchObject({
      totalLegCount: 8,
      unpricedLegCount: 1,
      pricingComplete: false,
      missingPriceAssetIds: [GOLD],
      usedPrices: [
        {
          assetId: TBILL,
          priceAdapter: tbillPrice.priceAdapter,
          priceUsdWad: "1052300000000000001",
          fetchedAt: formatTime(NOW - 60n),
          observation: { blockNumber: "4000", blockHash: tbillPrice.blockHash },
        },
      ],
    });
    expect(answer.lpVolumes.map(({ pricingComplete }) => pricingComplete)).toEqual([true, false]);
  });

  it("uses no price of an RWA that lost its adapter", async () => {
    const table = `"${engine.schema}".rwa`;
    await engine.execute(`UPDATE ${table} SET price_adapter = NULL WHERE rwa_id = '${TBILL}'`);
    const answer = await (await apiWith(tbillPrice))({});
    await engine.execute(`UPDATE ${table} SET price_adapter = '${tbillPrice.priceAdapter}' WHERE rwa_id = '${TBILL}'`);
    expect(answer).toMatchObject({ missingPriceAssetIds: [TBILL, GOLD].sort(), usedPrices: [] });
  });

  it("lists only prices that valued a leg of the range", async () => {
    const answer = await (await apiWith(tbillPrice))({ from: formatTime(START), to: formatTime(START + 1n) });
    expect(answer).toMatchObject({ usedPrices: [], pricingComplete: true, pricedLegCount: 2 });
  });

  it("revalues the past when a price changes", async () => {
    const range = { from: formatTime(START + 10n), to: formatTime(START + 11n), lpAddress: LP_2 };
    const before = await (await apiWith(tbillPrice))(range);
    const after = await (await apiWith({ ...tbillPrice, priceUsdWad: 2n * WAD }))(range);
    expect([before.pricedVolumeUsd, after.pricedVolumeUsd]).toEqual(["1.052301", "2.000002"]);
  });

  it("is zero and complete for an LP without legs", async () => {
    expect(await (await apiWith())({ lpAddress: addressOf("unknown") })).toMatchObject({
      pricedVolumeUsd: "0.000000",
      issuerFeeWad: "0",
      spreadFeeWad: "0",
      lpFeeWad: "0",
      totalLegCount: 0,
      pricingComplete: true,
      missingPriceAssetIds: [],
      lpVolumes: [],
      usedPrices: [],
    });
  });

  it("by default ends now and starts 30 days before its end", async () => {
    const get = await apiWith(tbillPrice);
    expect(await get({})).toMatchObject({ from: formatTime(NOW - 30n * 86_400n), to: formatTime(NOW) });
    const future = "9999-12-31T23:59:59Z";
    expect(await get({ to: future })).toMatchObject({ from: "9999-12-01T23:59:59Z", to: future, totalLegCount: 0 });
  });

  it("keeps networks apart", async () => {
    expect(await (await apiWith(tbillPrice))({ network: "evm-sepolia" })).toMatchObject({ totalLegCount: 0 });
  });
});
