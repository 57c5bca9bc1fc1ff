import fc from "fast-check";
import { maxUint256 } from "viem";
import { describe, expect, it } from "vitest";
import * as schema from "../../ponder.schema.ts";
import { addLeg } from "../../src/indexing/volumeTotals.ts";
import { handlerContext } from "./support/indexingStore.ts";

type Event = Parameters<typeof addLeg>[1];
type Value = Parameters<typeof addLeg>[2]["value"];

const LPS = ["0xaa", "0xbb"] as const;
const ASSETS = ["", "0xcc"] as const;

/** Fees that differ from each other and from leg to leg. */
const feesOf = (amount: bigint) => ({
  issuerFeeWad: amount / 3n,
  spreadFeeWad: amount % 7n,
  lpFeeWad: (amount + 1n) * 10n ** 18n,
});

async function network() {
  const context = await handlerContext();
  const { chain } = context;
  await context.db
    .insert(schema.chainState)
    .values({ chainId: chain.id, seriesCount: 0, blockNumber: 0n, blockHash: "0x00", eventId: "" });
  let events = 0;
  const addLegs = async (blockNumber: number, second: number, legs: readonly (readonly [number, number, bigint])[]) => {
    for (const [lp, asset, amount] of legs) {
      events += 1;
      const event: Event = {
        id: String(events).padStart(10, "0"),
        block: { number: BigInt(blockNumber), hash: `0x${blockNumber}`, timestamp: BigInt(second) },
      };
      const value = { assetId: ASSETS[asset], decimals: 18, amount } as Value;
      const lpAddress = LPS[lp] as (typeof LPS)[number];
      await addLeg(context, event, { lpAddress, value, fees: feesOf(amount) });
    }
  };
  return { chainId: chain.id, db: context.db, addLegs };
}

const legs = fc.array(fc.tuple(fc.nat(1), fc.nat(1), fc.bigInt(0n, maxUint256)), { minLength: 1, maxLength: 6 });
/** Blocks, given as seconds since the previous one, possibly zero, and their legs. */
const blocks = fc.array(fc.tuple(fc.nat(2), legs), { minLength: 1, maxLength: 8 });

describe("running totals", () => {
  it("are the sums of all legs up to each second, whatever blocks and seconds they came in", async () => {
    await fc.assert(
      fc.asyncProperty(blocks, async (history) => {
        const { chainId, db, addLegs } = await network();
        const none = {
          legTotal: 0n,
          amountTotal: 0n,
          issuerFeeTotalWad: 0n,
          spreadFeeTotalWad: 0n,
          lpFeeTotalWad: 0n,
        };
        const expected = new Map<string, typeof none & { seriesId: number }>();
        const totals = new Map<string, object>();
        const heads = new Map<string, object>();
        let second = 1_700_000_000;
        for (const [blockNumber, [pause, blockLegs]] of history.entries()) {
          second += pause;
          await addLegs(blockNumber, second, blockLegs);
          for (const [lp, asset, amount] of blockLegs) {
            const name = `${LPS[lp]} ${ASSETS[asset]}`;
            const before = expected.get(name) ?? { ...none, seriesId: expected.size };
            const fees = feesOf(amount);
            const after = {
              seriesId: before.seriesId,
              legTotal: before.legTotal + 1n,
              amountTotal: before.amountTotal + amount,
              issuerFeeTotalWad: before.issuerFeeTotalWad + fees.issuerFeeWad,
              spreadFeeTotalWad: before.spreadFeeTotalWad + fees.spreadFeeWad,
              lpFeeTotalWad: before.lpFeeTotalWad + fees.lpFeeWad,
            };
            expected.set(name, after);
            totals.set(`${name} ${second}`, { chainId, second: BigInt(second), ...after });
            heads.set(name, { seriesId: after.seriesId, newestSecond: BigInt(second) });
          }
        }

        for (const lpAddress of LPS) {
          for (const assetId of ASSETS) {
            const name = `${lpAddress} ${assetId}`;
            const head = await db.find(schema.volumeSeries, { chainId, lpAddress, assetId });
            expect(head && { seriesId: head.seriesId, newestSecond: head.newestSecond }).toEqual(
              heads.get(name) ?? null,
            );
            if (head === null) continue;
            for (let at = 1_700_000_000n; at <= BigInt(second); at += 1n) {
              const row = await db.find(schema.volumeTotal, { chainId, seriesId: head.seriesId, second: at });
              expect(row && { ...row }).toEqual(totals.get(`${name} ${at}`) ?? null);
            }
          }
        }
      }),
    );
  });

  it("are never restarted for a series that lacks its totals", async () => {
    const { chainId, db, addLegs } = await network();
    await addLegs(1, 100, [[0, 0, 5n]]);
    expect(await db.delete(schema.volumeTotal, { chainId, seriesId: 0, second: 100n })).toBe(true);
    await expect(addLegs(2, 112, [[0, 0, 5n]])).rejects.toThrow("series 0 has no totals at its newest second, 100");
  });
});
