/** Compares the SDK's arithmetic with the model of the contracts, which is written independently of it. */
import {
  amountForRedemptionValue,
  annualizedGrowthWad,
  convertDown,
  convertUp,
  DAY_SECONDS,
  dailyGrowthWad,
  INDEX_ONE,
  isLegAmount,
  nextIndex,
  redemptionValue,
  splitGross,
  splitNet,
  valueUsdWad,
  WAD,
} from "@coreswap/sdk";
import fc from "fast-check";
import { type Address, maxUint128 } from "viem";
import { describe, expect, it } from "vitest";
import { creditsForTarget, redeemable } from "../../model/credits.ts";
import * as fees from "../../model/fees.ts";
import { dailyGrowth } from "../../model/growth.ts";
import { DailyRates } from "../../model/rates.ts";
import { State } from "../../model/state.ts";
import * as value from "../../model/value.ts";

const MAXIMUM_RATE = (99n * WAD) / 100n;
const amount = fc.oneof(fc.bigInt(0n, 1_000n), fc.bigInt(0n, maxUint128));
const rate = fc.oneof(fc.constantFrom(0n, 1n, MAXIMUM_RATE), fc.bigInt(0n, MAXIMUM_RATE));
const price = fc.oneof(fc.bigInt(1n, 1_000n), fc.bigInt(1n, maxUint128), fc.constant(WAD));
const decimals = fc.integer({ min: 0, max: 18 });
const legRates = fc.record({
  issuerRateWad: rate,
  takeRateWad: fc.bigInt(0n, WAD),
  firstRateWad: rate,
  secondRateWad: rate,
});

describe("fees", () => {
  it("equal the model's in both directions, and add up", () => {
    fc.assert(
      fc.property(amount, legRates, (given, rates) => {
        const ofModel = {
          issuerPaid: rates.issuerRateWad,
          take: rates.takeRateWad,
          first: rates.firstRateWad,
          second: rates.secondRateWad,
        };
        const [ofGross, ofNet] = [splitGross(given, rates), splitNet(given, rates)];
        expect(ofGross).toEqual(fees.splitGross(given, ofModel));
        expect(ofNet).toEqual(fees.splitNet(given, ofModel));
        for (const { gross, net, issuerFee, spreadFee, lpFee } of [ofGross, ofNet]) {
          expect(net + issuerFee + spreadFee + lpFee).toBe(gross);
        }
      }),
    );
  });

  it("refuse rates that CoreSwap refuses, by name", () => {
    const rates = { issuerRateWad: 0n, takeRateWad: 0n, firstRateWad: 0n, secondRateWad: 0n };
    for (const name of ["issuerRateWad", "firstRateWad", "secondRateWad"] as const) {
      expect(() => splitGross(1n, { ...rates, [name]: MAXIMUM_RATE + 1n })).toThrow(name);
      expect(() => splitNet(1n, { ...rates, [name]: -1n })).toThrow(name);
    }
    expect(() => splitNet(1n, { ...rates, takeRateWad: WAD + 1n })).toThrow("takeRateWad");
    expect(splitGross(100n, { ...rates, firstRateWad: WAD / 2n, takeRateWad: WAD }).spreadFee).toBe(50n);
  });
});

describe("values", () => {
  it("equal the model's in both directions of rounding", () => {
    const asset = fc.record({ decimals, usdPerTokenWad: price });
    fc.assert(
      fc.property(amount, asset, asset, (given, from, to) => {
        const ofModel = (one: typeof from) => ({ decimals: one.decimals, usdWad: one.usdPerTokenWad });
        expect(convertDown(given, from, to)).toBe(value.worthDown(given, ofModel(from), ofModel(to)));
        expect(convertUp(given, from, to)).toBe(value.worthUp(given, ofModel(from), ofModel(to)));
        expect(isLegAmount(given, from.decimals)).toBe(value.isLegAmount(given, from.decimals));
        expect(valueUsdWad(given, from)).toBe(value.worthDown(given, ofModel(from), { decimals: 18, usdWad: WAD }));
      }),
    );
  });

  it("refuse prices and decimals that CoreSwap refuses", () => {
    const priced = { decimals: 6, usdPerTokenWad: WAD };
    for (const usdPerTokenWad of [0n, -1n, 2n ** 128n]) {
      expect(() => convertDown(1n, { ...priced, usdPerTokenWad }, priced)).toThrow("price");
      expect(() => convertUp(1n, priced, { ...priced, usdPerTokenWad })).toThrow("price");
    }
    for (const refused of [-1, 19, 1.5]) {
      expect(() => convertDown(1n, { ...priced, decimals: refused }, priced)).toThrow("decimals");
    }
  });
});

describe("growth", () => {
  it("of a day equals the model's", () => {
    fc.assert(
      fc.property(fc.bigInt(0n, WAD), (apyWad) => {
        expect(dailyGrowthWad(apyWad)).toBe(dailyGrowth(apyWad));
      }),
    );
  });

  it("over several days is converted to the largest APY that does not exceed it", () => {
    const days = fc.array(fc.bigInt(0n, WAD), { minLength: 1, maxLength: 90 });
    fc.assert(
      fc.property(days, (rates) => {
        const index = rates.reduce((before, apyWad) => nextIndex(before, dailyGrowthWad(apyWad)), INDEX_ONE);
        const apyWad = annualizedGrowthWad(INDEX_ONE, index, BigInt(rates.length));
        const isWithin = (apy: bigint) =>
          (WAD + apy) ** BigInt(rates.length) * INDEX_ONE ** 365n <= index ** 365n * WAD ** BigInt(rates.length);
        expect(isWithin(apyWad)).toBe(true);
        expect(isWithin(apyWad + 1n)).toBe(false);
      }),
      { numRuns: 20 },
    );
  });

  it("at one rate has that rate as its APY, except for the rounding of a day's growth", () => {
    const apyWad = 45_000_000_000_000_000n;
    let index = INDEX_ONE;
    for (let day = 1n; day <= 365n; day += 1n) {
      index = nextIndex(index, dailyGrowthWad(apyWad));
      if (![1n, 7n, 30n, 90n, 365n].includes(day)) continue;
      const annualized = annualizedGrowthWad(INDEX_ONE, index, day);
      expect(annualized <= apyWad && annualized >= apyWad - 400n).toBe(true);
    }
    expect(annualizedGrowthWad(index, index, 7n)).toBe(0n);
    expect(annualizedGrowthWad(INDEX_ONE, 10n * INDEX_ONE, 365n)).toBe(9n * WAD);
  });

  it("has no APY when the index falls or no day passes", () => {
    expect(() => annualizedGrowthWad(INDEX_ONE, INDEX_ONE, 0n)).toThrow(RangeError);
    expect(() => annualizedGrowthWad(INDEX_ONE, INDEX_ONE - 1n, 1n)).toThrow(RangeError);
    expect(() => annualizedGrowthWad(0n, INDEX_ONE, 1n)).toThrow(RangeError);
  });
});

describe("redemptions", () => {
  const FIRST_DAY = 20_000n;
  const APY_WAD = 45_000_000_000_000_000n;
  const ADDRESS: Address = "0x00000000000000000000000000000000000000A1";

  /** Rates of one posted day, as the model keeps them. */
  function onePostedDay(now: bigint) {
    const state = new State();
    state.now = FIRST_DAY * DAY_SECONDS;
    const rates = new DailyRates(state, ADDRESS, {
      rateWad: APY_WAD,
      managementFeeWad: 0n,
      timestamp: state.now,
    });
    state.now = now;
    rates.post(FIRST_DAY, APY_WAD);
    return rates;
  }

  it("equal the model's, as does the least amount for a value", () => {
    const seconds = fc.bigInt(0n, 6n * DAY_SECONDS);
    const credits = fc.oneof(fc.bigInt(0n, 5n), fc.bigInt(0n, 2n ** 100n));
    const multiplier = fc.bigInt(INDEX_ONE, 10n * INDEX_ONE);
    fc.assert(
      fc.property(
        ...[credits, credits, multiplier, seconds, fc.boolean(), fc.bigInt(0n, 2n ** 104n)],
        (withheldCredits, mainCredits, multiplierE36, elapsed, isInStablecoin, asked) => {
          const now = (FIRST_DAY + 1n) * DAY_SECONDS + elapsed;
          const rates = onePostedDay(now);
          const account = {
            credits: mainCredits,
            multiplierE36: mainCredits === 0n ? INDEX_ONE : multiplierE36,
            lastAccrualDay: mainCredits === 0n ? 0n : FIRST_DAY,
            queue:
              withheldCredits === 0n
                ? []
                : [
                    {
                      tokenAddress: ADDRESS,
                      credits: withheldCredits,
                      releaseTimestamp: now + 1n,
                      earningStartTimestamp: now,
                      isRWA: false,
                      isOthers: false,
                    },
                  ],
          } as const;
          const paidSeconds = elapsed < 3n * DAY_SECONDS ? elapsed : 3n * DAY_SECONDS;
          const position = {
            withheldCredits,
            mainCredits,
            multiplierE36: account.multiplierE36,
            partialWeightWadSeconds: isInStablecoin && mainCredits > 0n ? dailyGrowthWad(APY_WAD) * paidSeconds : 0n,
          };
          const same = (sdk: () => bigint, model: () => bigint) => expect(outcome(sdk)).toBe(outcome(model));
          const amount = asked % (withheldCredits + mainCredits + 2n);
          same(
            () => redemptionValue(amount, position),
            () => redeemable(account, amount, rates, now, isInStablecoin),
          );
          same(
            () => amountForRedemptionValue(asked, position),
            () => creditsForTarget(account, asked, rates, now, isInStablecoin),
          );
        },
      ),
    );
  });

  /** A value, or a lack of credits. */
  function outcome(compute: () => bigint): bigint | string {
    try {
      return compute();
    } catch (error) {
      if (error instanceof Error && /InsufficientCredits/.test(`${error.name} ${error.message}`)) return "too few";
      throw error;
    }
  }
});
