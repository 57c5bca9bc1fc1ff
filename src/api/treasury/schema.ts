/** Answers of `/v1/treasury/rates` and `/v1/treasury/accounts/{wallet}`. */
import { z } from "@hono/zod-openapi";
import {
  address,
  blockReference,
  bytes32,
  chainId,
  coverage,
  integerText,
  networkName,
  time,
} from "../shared/fields.ts";

const rate = (description: string) => integerText(`${description}, a WAD fraction (times 10^18)`, "45000000000000000");

const delegateFields = {
  delegateAddress: address("Yield-bearing delegate"),
  stablecoinId: bytes32("Id of its token"),
  tokenAddress: address("Its token"),
};

const correction = z
  .strictObject({
    oldRateWad: rate("Net APY before"),
    newRateWad: rate("Net APY after"),
    corrector: address("Who corrected"),
    correctedAt: time("When it was corrected"),
    transactionHash: bytes32("Transaction of the correction"),
  })
  .openapi("RateCorrection", { description: "A correction of a day's rate" });

const dailyRate = z
  .strictObject({
    dayNumber: integerText("Day: whole days since 1970", "20454"),
    startsAt: time("When the day begins"),
    rateWad: rate("Net APY in force"),
    growthWad: integerText(
      "Growth of the day at that rate, a WAD fraction (times 10^18), rounded down",
      "120601478394943",
    ),
    growthIndexE36: integerText(
      "Product of all growth from the first posted day through this one, times 10^36, rounded down each day",
      "1000120601478394943000000000000000000",
    ),
    postedRateWad: rate("Net APY as posted"),
    poster: address("Who posted"),
    postedAt: time("When it was posted"),
    transactionHash: bytes32("Transaction of the post"),
    corrections: z.array(correction).openapi({ description: "Oldest first; the newest is in force" }),
  })
  .openapi("DailyRate", { description: "Rate of a day" });

const delegateRates = z
  .strictObject({
    ...delegateFields,
    firstRateDay: integerText("First posted day; null before any. Earlier days never earn", "20420").nullable(),
    rates: z.array(dailyRate).openapi({ description: "Posted days that begin in the range, in ascending order" }),
  })
  .openapi("TreasuryDelegateRates", { description: "Rates of a delegate" });

/** The rates of one delegate, as answers show them. */
export type TreasuryDelegateRates = z.output<typeof delegateRates>;

/** Answer of `/v1/treasury/rates`. */
export const treasuryRatesAnswer = z
  .strictObject({
    network: networkName,
    chainId,
    from: time("Lower bound, inclusive"),
    to: time("Upper bound, exclusive"),
    delegates: z.array(delegateRates).openapi({
      description: "Registered yield-bearing delegates, ordered by address",
    }),
    coverage,
  })
  .openapi("TreasuryRates", { description: "Daily rates of the treasury token" });

/** Answer of `/v1/treasury/rates`. */
export type TreasuryRatesAnswer = z.output<typeof treasuryRatesAnswer>;

const units = (description: string) => integerText(`${description}, in smallest units of the token`);

const withheldCredits = z
  .strictObject({
    tokenAddress: address("Token that came in"),
    credits: units("Credits of the record"),
    releaseTimestamp: integerText("From when on they may merge, seconds since 1970", "1767225600"),
    earningStartTimestamp: integerText("From when on whole days earn, seconds since 1970", "1767225600"),
    isRwa: z.boolean().openapi({ description: "Whether the token that came in is an RWA" }),
  })
  .openapi("WithheldCredits", { description: "Credits that wait to merge into main credits" });

const treasuryAccount = z
  .strictObject({
    ...delegateFields,
    tokenBalance: units("Tokens that the wallet holds"),
    mainCredits: units("Main credits, as stored"),
    totalWithheldCredits: units("Withheld credits, as stored"),
    withheldCredits: z.array(withheldCredits).openapi({ description: "The queue, oldest first" }),
    yieldMultiplierWad: integerText(
      "Value of a main credit through lastAccrualDay, times 10^18",
      "1012300000000000000",
    ),
    lastAccrualDay: integerText("Day through which the multiplier holds; 0 without main credits", "20454"),
    redeemableTokens: units("Tokens that can be redeemed now: the balance, as far as credits cover it"),
    redeemableValueInStablecoin: units("What they are worth with their yield when paid in a stablecoin"),
    redeemableValueInRwa: units(
      "What they are worth with their yield when paid in an RWA, which earns no part of a day",
    ),
  })
  .openapi("TreasuryAccount", { description: "A wallet's account with a yield-bearing delegate" });

/** Answer of `/v1/treasury/accounts/{wallet}`. */
export const treasuryAccountsAnswer = z
  .strictObject({
    network: networkName,
    chainId,
    wallet: address("Wallet asked for"),
    block: z
      .strictObject({
        ...blockReference.shape,
        timestamp: integerText("Block timestamp, seconds since 1970", "1767225600"),
      })
      .openapi({ description: "Block at which the contracts were read" }),
    accounts: z.array(treasuryAccount).openapi({
      description: "One for each registered yield-bearing delegate, ordered by address",
    }),
  })
  .openapi("TreasuryAccounts", { description: "A wallet's credits and what they are worth" });

/** Answer of `/v1/treasury/accounts/{wallet}`. */
export type TreasuryAccountsAnswer = z.output<typeof treasuryAccountsAnswer>;
