/** Properties of the model itself, because an oracle with a systematic error could agree with wrong contracts. */
import fc from "fast-check";
import { type Address, getAddress, maxUint96, pad, toHex } from "viem";
import { describe, expect, test } from "vitest";
import { DAY_SECONDS, dayOf, E36, MAX_UINT256, MAX_WAD, WAD } from "./arithmetic.ts";
import {
  accrue,
  availableCredits,
  type CreditAccount,
  creditsForTarget,
  EMPTY_ACCOUNT,
  moveCredits,
  redeemable,
  withhold,
} from "./credits.ts";
import { EMPTY_SUM, leak, roomFor } from "./dailyLimit.ts";
import { splitGross, splitNet } from "./fees.ts";
import { dailyGrowth, power365 } from "./growth.ts";
import { DailyRates } from "./rates.ts";
import { State } from "./state.ts";
import { isLegAmount, worthDown, worthUp } from "./value.ts";

const MAX_RATE = (99n * WAD) / 100n;
const TOKEN: Address = "0x00000000000000000000000000000000000000A1";
const START_DAY = 20_000n;
const UNLIMITED = { maxDays: MAX_UINT256, maxRecords: MAX_UINT256 };

const rates = fc.record({
  issuerPaid: fc.bigInt(0n, MAX_RATE),
  take: fc.bigInt(0n, WAD),
  first: fc.bigInt(0n, MAX_RATE),
  second: fc.bigInt(0n, MAX_RATE),
});
const amount = fc.bigInt(1n, 10n ** 30n);
const valued = fc.record({ decimals: fc.constantFrom(0, 6, 8, 18), usdWad: fc.bigInt(1n, 10n ** 24n) });

describe("the fee split", () => {
  test("S5: the gross value is the sum of the net value and the fees in both directions", () => {
    fc.assert(
      fc.property(amount, rates, (value, rate) => {
        for (const { gross, net, issuerFee, spreadFee, lpFee } of [splitGross(value, rate), splitNet(value, rate)]) {
          expect(gross).toBe(net + issuerFee + spreadFee + lpFee);
          for (const part of [net, issuerFee, spreadFee, lpFee]) expect(part).toBeGreaterThanOrEqual(0n);
        }
      }),
    );
  });

  test("S6: the gross value for a net value yields at least that net value, and a net value requires at most its gross value", () => {
    fc.assert(
      fc.property(amount, rates, (value, rate) => {
        expect(splitGross(splitNet(value, rate).gross, rate).net).toBeGreaterThanOrEqual(value);
        expect(splitNet(splitGross(value, rate).net, rate).gross).toBeLessThanOrEqual(value);
      }),
    );
  });

  test("S6: values are rounded against the taker in both directions", () => {
    fc.assert(
      fc.property(amount, valued, valued, (value, from, to) => {
        expect(worthUp(worthDown(value, from, to), to, from)).toBeLessThanOrEqual(value);
        expect(worthDown(worthUp(value, from, to), to, from)).toBeGreaterThanOrEqual(value);
      }),
    );
  });
});

describe("the bound of an amount", () => {
  test.each([18, 8, 6, 0])(
    "S24: an amount of a token of %i decimals is bounded by 2^128 - 1 at 18 decimals",
    (decimals) => {
      const largest = MAX_WAD / 10n ** BigInt(18 - decimals);
      expect(isLegAmount(0n, decimals)).toBe(false);
      expect(isLegAmount(1n, decimals)).toBe(true);
      expect(isLegAmount(largest, decimals)).toBe(true);
      expect(isLegAmount(largest + 1n, decimals)).toBe(false);
      expect(isLegAmount(MAX_UINT256, decimals)).toBe(false);
    },
  );
});

describe("growth", () => {
  test("D5: daily growth is the largest integer that does not exceed the rate over a year", () => {
    expect(dailyGrowth(0n)).toBe(0n);
    expect(dailyGrowth(45n * 10n ** 15n)).toBe(120_601_478_394_943n);
    fc.assert(
      fc.property(fc.bigInt(0n, WAD), (apy) => {
        const growth = dailyGrowth(apy);
        const year = (WAD + apy) * WAD;
        expect(power365((WAD + growth) * WAD)).toBeLessThanOrEqual(year);
        expect(power365((WAD + growth + 1n) * WAD)).toBeGreaterThan(year);
      }),
    );
  });
});

/** Deposits on different days, rates of each day, and the time at which the account is examined. */
const histories = fc
  .record({
    deposits: fc.array(
      fc.record({
        day: fc.integer({ min: 0, max: 20 }),
        credits: fc.bigInt(1n, 10n ** 27n),
        isRWA: fc.boolean(),
        isOthers: fc.boolean(),
      }),
      { minLength: 1, maxLength: 8 },
    ),
    apys: fc.array(fc.bigInt(0n, WAD / 5n), { minLength: 21, maxLength: 40 }),
    secondOfDay: fc.bigInt(0n, DAY_SECONDS - 1n),
  })
  .map(({ deposits, apys, secondOfDay }) => {
    const state = new State();
    const initial = { rateWad: 0n, managementFeeWad: 0n, timestamp: START_DAY * DAY_SECONDS };
    const dailyRates = new DailyRates(state, TOKEN, initial);
    let account = EMPTY_ACCOUNT;
    for (const deposit of [...deposits].sort((left, right) => left.day - right.day)) {
      const now = (START_DAY + BigInt(deposit.day)) * DAY_SECONDS + 36_000n;
      account = withhold(account, { ...deposit, tokenAddress: TOKEN, now, isProtocolFee: false });
    }
    const now = (START_DAY + BigInt(apys.length)) * DAY_SECONDS + secondOfDay;
    state.now = now;
    for (const [index, apy] of apys.entries()) dailyRates.post(START_DAY + BigInt(index), apy);
    return { account, dailyRates, now };
  });

describe("credits", () => {
  test("D11: the credits for a target are the fewest that reach it", () => {
    fc.assert(
      fc.property(
        histories,
        fc.bigInt(1n, 1_000n),
        fc.boolean(),
        ({ account, dailyRates, now }, part, isStablecoin) => {
          const merged = accrue(account, dailyRates, now, UNLIMITED).account;
          const worth = (credits: bigint) => redeemable(merged, credits, dailyRates, now, isStablecoin);
          const target = (worth(availableCredits(merged)) * part) / 1_000n + 1n;
          fc.pre(target <= worth(availableCredits(merged)));
          const needed = creditsForTarget(merged, target, dailyRates, now, isStablecoin);
          expect(worth(needed)).toBeGreaterThanOrEqual(target);
          expect(worth(needed - 1n)).toBeLessThan(target);
        },
      ),
    );
  });

  test("D6: accrual in several calls differs from a single call by at most one unit per merge", () => {
    fc.assert(
      fc.property(histories, fc.array(fc.bigInt(1n, 9n), { minLength: 1 }), ({ account, dailyRates, now }, limits) => {
        const whole = accrue(account, dailyRates, now, UNLIMITED).account;
        let split: CreditAccount = account;
        for (const limit of [...limits, ...Array.from({ length: 60 }, () => 1n)]) {
          split = accrue(split, dailyRates, now, { maxDays: limit, maxRecords: limit }).account;
        }
        expect({ ...split, multiplierE36: 0n }).toEqual({ ...whole, multiplierE36: 0n });
        const value = ({ credits, multiplierE36 }: CreditAccount) => (credits * multiplierE36) / E36;
        const difference = value(split) - value(whole);
        expect(difference < 0n ? -difference : difference).toBeLessThanOrEqual(BigInt(account.queue.length));
      }),
    );
  });

  test("D21: merging creates no value, and yield accrues for whole days only", () => {
    fc.assert(
      fc.property(histories, ({ account, dailyRates, now }) => {
        const merged = accrue(account, dailyRates, now, UNLIMITED).account;
        const perfect = account.queue.reduce((total, record) => {
          const day = (record.earningStartTimestamp + DAY_SECONDS - 1n) / DAY_SECONDS - 1n;
          const isMerged = !merged.queue.includes(record);
          const growth = isMerged ? (E36 * dailyRates.indexAt(dayOf(now) - 1n)) / dailyRates.indexAt(day) : E36;
          return total + record.credits * (growth + 1n);
        }, 0n);
        const paid = redeemable(merged, availableCredits(merged), dailyRates, now, false);
        expect(paid * E36).toBeLessThanOrEqual(perfect);
      }),
    );
  });

  // An RWA deposit exactly at midnight earns one day more than later deposits, and stays apart from them.
  test("others' deposits of 40 assets on 30 days without rates never cause an own deposit to be refused", () => {
    fc.assert(
      fc.property(fc.bigInt(1n, DAY_SECONDS - 1n), fc.boolean(), (secondOfDay, isRWA) => {
        let account = EMPTY_ACCOUNT;
        for (let day = 0n; day < 30n; day++) {
          const now = (START_DAY + day) * DAY_SECONDS + secondOfDay;
          const deposit = { credits: 1n, now, isRWA, isProtocolFee: false };
          for (let asset = 1n; asset <= 40n; asset++) {
            const tokenAddress = getAddress(pad(toHex(asset), { size: 20 }));
            account = withhold(account, { ...deposit, tokenAddress, isOthers: true });
          }
          account = withhold(account, { ...deposit, tokenAddress: TOKEN, isOthers: false });
          const ownRelease = account.queue.findLast(({ isOthers }) => !isOthers)?.releaseTimestamp;
          const later = now + (DAY_SECONDS - secondOfDay) / 2n;
          account = withhold(account, { ...deposit, tokenAddress: TOKEN, isOthers: true, now: later });
          expect(account.queue.findLast(({ isOthers }) => !isOthers)?.releaseTimestamp).toBe(ownRelease);
        }
        expect(account.queue.length).toBeLessThanOrEqual(64);
      }),
      { numRuns: 20 },
    );
  });

  test("a full queue accepts only credits that join one of its records", () => {
    const now = START_DAY * DAY_SECONDS + 36_000n;
    const deposit = { credits: 1n, now, isRWA: false, isOthers: false, isProtocolFee: false };
    const ofToken = (asset: bigint) => ({ ...deposit, tokenAddress: getAddress(pad(toHex(asset), { size: 20 })) });
    let full = EMPTY_ACCOUNT;
    for (let asset = 1n; asset <= 64n; asset++) full = withhold(full, ofToken(asset));

    expect(withhold(full, ofToken(1n)).queue).toHaveLength(64);
    expect(() => withhold(full, ofToken(65n))).toThrow("QueueFull");
    expect(() => withhold(full, { ...ofToken(1n), isOthers: true })).toThrow("QueueFull");
    expect(withhold(full, { ...ofToken(65n), isProtocolFee: true }).queue.at(-1)?.credits).toBe(2n);
    const moved = (asset: bigint) => moveCredits(withhold(EMPTY_ACCOUNT, ofToken(asset)), full, 1n, now).target;
    expect(availableCredits(moved(1n))).toBe(65n);
    expect(() => moved(65n)).toThrow("QueueFull");
  });

  test("a moved record is withheld again, and keeps its token, kind and start of earning", () => {
    const now = START_DAY * DAY_SECONDS + 36_000n;
    const deposit = { tokenAddress: TOKEN, credits: 5n, now, isRWA: true, isOthers: true, isProtocolFee: false };
    const from = withhold(EMPTY_ACCOUNT, deposit);
    const later = now + 3n * DAY_SECONDS;
    const { account, target } = moveCredits(from, EMPTY_ACCOUNT, 3n, later);
    const [original] = from.queue;
    expect(account.queue).toEqual([{ ...original, credits: 2n }]);
    expect(target.queue).toEqual([
      { ...original, credits: 3n, isOthers: false, releaseTimestamp: later + DAY_SECONDS },
    ]);
  });

  test("a move preserves the number of credits and creates no value", () => {
    fc.assert(
      fc.property(histories, histories, fc.bigInt(0n, 1_000n), ({ account, dailyRates, now }, other, part) => {
        const from = accrue(account, dailyRates, now, UNLIMITED).account;
        const to = accrue(other.account, dailyRates, now, UNLIMITED).account;
        const amount = (availableCredits(from) * part) / 1_000n;
        const moved = moveCredits(from, to, amount, now);
        expect(availableCredits(moved.account)).toBe(availableCredits(from) - amount);
        expect(availableCredits(moved.target)).toBe(availableCredits(to) + amount);
        const worth = (one: CreditAccount) => redeemable(one, availableCredits(one), dailyRates, now, false);
        // Each of the values is rounded down.
        expect(worth(moved.account) + worth(moved.target)).toBeLessThanOrEqual(worth(from) + worth(to) + 1n);
      }),
    );
  });
});

describe("a daily limit", () => {
  test("at most twice the limit is allowed within any 24 hours", () => {
    const attempts = fc.array(
      fc.record({ wait: fc.bigInt(0n, DAY_SECONDS), amount: fc.bigInt(0n, maxUint96), takesAll: fc.boolean() }),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 24n), attempts, (limit, history) => {
        let sum = EMPTY_SUM;
        let now = START_DAY * DAY_SECONDS;
        const passed: { readonly time: bigint; readonly amount: bigint }[] = [];
        for (const { wait, amount, takesAll } of history) {
          now += wait;
          const left = leak(sum, limit, now);
          const room = roomFor(left, limit);
          const taken = takesAll || amount > room ? room : amount;
          sum = { ...left, amount: left.amount + taken };
          passed.push({ time: now, amount: taken });
          const recent = passed.filter(({ time }) => time > now - DAY_SECONDS);
          const total = recent.reduce((all, one) => all + one.amount, 0n);
          expect(total).toBeLessThanOrEqual(2n * limit);
        }
      }),
    );
  });

  test("frequent small changes do not keep a sum of a few units from leaking", () => {
    let sum = { amount: 5n, since: 0n };
    for (let now = 0n; now <= DAY_SECONDS; now += 60n) sum = leak(sum, 5n, now);
    expect(sum.amount).toBe(0n);
  });
});
