/** A deposit of stablecoins and its yield day by day, computed by the model that the contracts are tested with. */
import { zeroAddress } from "viem";
import { DAY_SECONDS, dayOf, E36, WAD } from "../../../test/model/arithmetic.ts";
import {
  accrue,
  type CreditAccount,
  EMPTY_ACCOUNT,
  redeemable,
  totalWithheld,
  withhold,
} from "../../../test/model/credits.ts";
import { dailyGrowth } from "../../../test/model/growth.ts";
import { DailyRates } from "../../../test/model/rates.ts";
import { State } from "../../../test/model/state.ts";
import { decimal, percent } from "./decimal.ts";

const DEPOSITED = 1_000_000n * WAD;
const FEE = WAD / 200n;
/** Gross rates by the day that they are posted for, the first being that of the deposit. */
const GROSS_RATES = [500n, 500n, 500n, 520n, 520n, 480n].map((basisPoints) => (basisPoints * WAD) / 10_000n);
const FIRST_DAY = BigInt(Date.UTC(2026, 5, 1) / 1000) / DAY_SECONDS;
const HOUR_SECONDS = 3_600n;
const NO_LIMITS = { maxDays: 10_000n, maxRecords: 64n };

/** The numbers of the page, as text. */
export function yieldExample() {
  const state = new State();
  state.now = FIRST_DAY * DAY_SECONDS;
  const rates = new DailyRates(state, zeroAddress, { rateWad: 0n, managementFeeWad: FEE, timestamp: state.now });
  const depositedAt = FIRST_DAY * DAY_SECONDS + 15n * HOUR_SECONDS;
  let account: CreditAccount = withhold(EMPTY_ACCOUNT, {
    tokenAddress: zeroAddress,
    credits: DEPOSITED,
    isRWA: false,
    isOthers: false,
    now: depositedAt,
    isProtocolFee: false,
  });
  const days = GROSS_RATES.map((grossWad, index) => {
    const day = FIRST_DAY + BigInt(index);
    // The rate of a day is posted on the next one, and looked at that evening.
    state.now = (day + 1n) * DAY_SECONDS + 18n * HOUR_SECONDS;
    rates.post(day, grossWad);
    account = accrue(account, rates, state.now, NO_LIMITS).account;
    return {
      date: dateOf(dayOf(state.now)),
      postedDay: dateOf(day),
      netRate: percent(rates.rateOf(day)),
      growth: rates.lastGrowth().toString(),
      withheld: decimal(totalWithheld(account), 18),
      credits: decimal(account.credits, 18),
      multiplier: decimal(account.multiplierE36, 36),
      redeemable: decimal(redeemable(account, DEPOSITED, rates, state.now, false), 18),
      redeemableNow: decimal(redeemable(account, DEPOSITED, rates, state.now, true), 18),
    };
  });
  const last = days.at(-1);
  if (last === undefined) throw new Error("the example has no day");
  const netWad = GROSS_RATES[1] === undefined ? 0n : GROSS_RATES[1] - FEE;
  return {
    deposited: decimal(DEPOSITED, 18),
    depositedOn: dateOf(FIRST_DAY),
    fee: percent(FEE),
    gross: percent(netWad + FEE),
    net: percent(netWad),
    growth: dailyGrowth(netWad).toString(),
    growthOfYear: decimal(growthOfYear(dailyGrowth(netWad)), 36),
    days,
    last,
  };
}

/** 365 days of one growth, at scale 1e36, each rounded down as the index is. */
function growthOfYear(growthWad: bigint): bigint {
  let index = E36;
  for (let day = 0; day < 365; day++) index = (index * (WAD + growthWad)) / WAD;
  return index;
}

function dateOf(day: bigint): string {
  return new Date(Number(day * DAY_SECONDS) * 1000).toISOString().slice(0, 10);
}
