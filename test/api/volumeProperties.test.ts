/** Relations between volume figures over random ranges. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Random } from "../../localnet/random.ts";
import { bucketBounds, INTERVALS } from "../../src/api/http/interval.ts";
import { formatTime } from "../../src/api/shared/time.ts";
import { volumeAnswer, volumeSeriesAnswer } from "../../src/api/volume/schema.ts";
import { checkedRequest } from "./support/checked.ts";
import { openEngine, pricesOf, type TestEngine } from "./support/engine.ts";
import { GOLD, insertLegs, insertPricedAssets, type Leg, LP_1, LP_2, TBILL, tbillPrice } from "./support/legs.ts";
import { addressOf, appOver, NOW } from "./support/world.ts";

const DAY = 86_400n;
const LEG_COUNT = 300;
const RUNS = 40;
const LPS = [LP_1, LP_2, addressOf("lp 3")];

/** Legs over 300 days, many of them at round seconds, where buckets meet. */
const LEGS: readonly Leg[] = madeLegs();
const FIRST = LEGS[0]?.[0] ?? 0n;
const LAST = LEGS.at(-1)?.[0] ?? 0n;

function madeLegs(): Leg[] {
  const random = new Random(7n);
  const amounts = [1n, 999_999_999_999n, 10n ** 18n + 1n, 123_456_789_012_345_678n, 2n ** 200n + 1n];
  return Array.from({ length: LEG_COUNT }, (_, index): Leg => {
    const day = NOW - (NOW % DAY) - 300n * DAY + BigInt(index) * DAY;
    const second = day + random.pick([0n, 1n, 3_599n, 3_600n, 43_200n, DAY - 1n]);
    return [second, random.pick(LPS), random.pick(["", "", TBILL, GOLD]), random.pick(amounts)];
  });
}

let engine: TestEngine;
let api: ReturnType<typeof appOver>;
beforeAll(async () => {
  engine = await openEngine("volume_properties_test");
  await insertLegs(engine, LEGS);
  await insertPricedAssets(engine);
  await pricesOf(engine, tbillPrice);
  api = appOver(engine);
});
afterAll(() => engine.close());

interface Range {
  readonly from: bigint;
  readonly to: bigint;
}

async function get(path: string, { from, to }: Range, more: Record<string, string> = {}) {
  const query = new URLSearchParams({ network: "evm-mainnet", from: formatTime(from), to: formatTime(to), ...more });
  const { response, body } = await checkedRequest(api, `${path}?${query}`);
  expect(api.errors).toEqual([]);
  expect(response.status, JSON.stringify(body)).toBe(200);
  return body;
}
const volume = async (range: Range, more?: Record<string, string>) =>
  volumeAnswer.parse(await get("/v1/volume", range, more));
const series = async (range: Range, more: Record<string, string>) =>
  volumeSeriesAnswer.parse(await get("/v1/volume/series", range, more));

type Line = Pick<
  Awaited<ReturnType<typeof volume>>["lpVolumes"][number],
  | "pricedVolumeUsd"
  | "totalLegCount"
  | "pricedLegCount"
  | "unpricedLegCount"
  | "issuerFeeWad"
  | "spreadFeeWad"
  | "lpFeeWad"
>;
const micro = ({ pricedVolumeUsd }: Pick<Line, "pricedVolumeUsd">) => BigInt(pricedVolumeUsd.replace(".", ""));
/** The figures that add up exactly: counts and fees. */
const countsOf = (line: Line) =>
  [
    line.totalLegCount,
    line.pricedLegCount,
    line.unpricedLegCount,
    line.issuerFeeWad,
    line.spreadFeeWad,
    line.lpFeeWad,
  ].map(BigInt);
const sumCounts = (lines: readonly Line[]) =>
  lines
    .map(countsOf)
    .reduce((sum, counts) => sum.map((count, index) => count + (counts[index] ?? 0n)), Array<bigint>(6).fill(0n));
const sumMicro = (lines: readonly Line[]) => lines.reduce((sum, line) => sum + micro(line), 0n);

/** Bounds at legs, next to legs and between them. */
const second = fc.oneof(
  fc.constantFrom(...LEGS.map(([at]) => at)),
  fc.constantFrom(...LEGS.map(([at]) => at + 1n)),
  fc.bigInt(FIRST - DAY, LAST + DAY),
);
const range = fc
  .tuple(second, second)
  .filter(([one, other]) => one !== other)
  .map(([one, other]): Range => (one < other ? { from: one, to: other } : { from: other, to: one }));

const checked = <Args extends [unknown, ...unknown[]]>(property: fc.IAsyncProperty<Args>) =>
  fc.assert(property, { numRuns: RUNS, seed: 4 });

describe("volume", () => {
  it("a leg exactly at from is included, and a leg exactly at to is not", async () => {
    for (const [at] of LEGS.slice(0, 20)) {
      const here = LEGS.filter(([other]) => other === at).length;
      expect((await volume({ from: at, to: at + 1n })).totalLegCount).toBe(here);
      expect((await volume({ from: at - 1n, to: at })).totalLegCount).toBe(
        LEGS.filter(([other]) => other === at - 1n).length,
      );
    }
  });

  it("the total is the sum of the LP lines, and lpAddress selects one of them", () =>
    checked(
      fc.asyncProperty(range, async (bounds) => {
        const { lpVolumes, ...total } = await volume(bounds);
        expect(sumMicro(lpVolumes)).toBe(micro(total));
        expect(sumCounts(lpVolumes)).toEqual(countsOf(total));
        expect(total.missingPriceAssetIds).toEqual(
          [...new Set(lpVolumes.flatMap((line) => line.missingPriceAssetIds))].sort(),
        );
        for (const lpAddress of LPS) {
          const alone = await volume(bounds, { lpAddress });
          expect(alone.lpVolumes).toEqual(lpVolumes.filter((line) => line.lpAddress === lpAddress));
          const { lpAddress: _lp, ...line } = alone.lpVolumes[0] ?? { lpAddress };
          if (alone.lpVolumes.length > 0) expect(alone).toMatchObject(line);
          else expect(countsOf(alone)).toEqual(Array(6).fill(0n));
        }
      }),
    ));

  it("adjacent ranges add up to the whole, exactly for counts and fees, and within a unit of the sixth USD digit per LP and part", () =>
    checked(
      fc.asyncProperty(range, fc.array(second, { minLength: 1, maxLength: 3 }), async ({ from, to }, cuts) => {
        const inner = [...new Set(cuts.filter((cut) => cut > from && cut < to))].sort((a, b) => (a < b ? -1 : 1));
        const bounds = [from, ...inner, to];
        const whole = await volume({ from, to });
        const parts = await Promise.all(
          bounds.slice(0, -1).map((bound, index) => volume({ from: bound, to: bounds[index + 1] ?? to })),
        );
        expectAddsUp(whole, parts);
      }),
    ));
});

describe("volume series", () => {
  it.each(INTERVALS)("by %s has the volumes of its buckets, without gaps, and adds up to the range", (interval) =>
    checked(
      fc.asyncProperty(range, fc.constantFrom(undefined, ...LPS), async (given, lpAddress) => {
        // The number of hours that an answer may have.
        const bounds =
          interval === "hour" && given.to - given.from > 41n * DAY ? { ...given, to: given.from + 41n * DAY } : given;
        const filter = lpAddress === undefined ? {} : { lpAddress };
        const { buckets, usedPrices } = await series(bounds, { interval, ...filter });
        const seconds = bucketBounds(bounds, interval).map(formatTime);
        expect(buckets.map(({ from }) => from)).toEqual(seconds.slice(0, -1));
        expect(buckets.map(({ to }) => to)).toEqual(seconds.slice(1));

        const whole = await volume(bounds, filter);
        expectAddsUp(whole, buckets);
        expect(usedPrices).toEqual(whole.usedPrices);
        const busiest = [...buckets].sort((a, b) => b.totalLegCount - a.totalLegCount)[0];
        for (const bucket of [buckets[0], buckets.at(-1), busiest]) {
          if (bucket === undefined) throw new Error("there are no buckets");
          const { from, to, ...figures } = bucket;
          const alone = await volume({ from: secondOf(from), to: secondOf(to) }, filter);
          expect(alone).toMatchObject(figures);
        }
      }),
    ),
  );

  it("an interval that makes too many buckets is a 400 that names the interval and the bound", async () => {
    const path = (to: string) =>
      `/v1/volume/series?network=evm-mainnet&interval=hour&from=2026-01-01T00:00:00Z&to=${to}`;
    expect((await checkedRequest(api, path("2026-02-11T16:00:00Z"))).response.status).toBe(200);
    const { response, body } = await checkedRequest(api, path("2026-02-11T16:00:01Z"));
    expect(response.status).toBe(400);
    expect(body).toEqual({
      error: "interval: hour makes 1001 buckets; at most 1000 are allowed",
      status: 400,
    });
  });
});

function expectAddsUp(
  whole: Awaited<ReturnType<typeof volume>>,
  parts: readonly (Line & { readonly lpVolumes: typeof whole.lpVolumes })[],
) {
  expect(sumCounts(parts)).toEqual(countsOf(whole));
  const lines = parts.flatMap(({ lpVolumes }) => lpVolumes);
  for (const line of whole.lpVolumes) {
    const own = lines.filter(({ lpAddress }) => lpAddress === line.lpAddress);
    expect(sumCounts(own)).toEqual(countsOf(line));
    // Each part is rounded down by less than a unit.
    const missing = micro(line) - sumMicro(own);
    expect(missing >= 0n && missing < BigInt(Math.max(own.length, 1))).toBe(true);
  }
  expect(new Set(lines.map(({ lpAddress }) => lpAddress))).toEqual(
    new Set(whole.lpVolumes.map(({ lpAddress }) => lpAddress)),
  );
}

function secondOf(time: string): bigint {
  return BigInt(Date.parse(time) / 1000);
}
