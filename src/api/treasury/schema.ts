/** Answers of `/v1/treasury/rates` and `/v1/treasury/accounts/{wallet}`. */
import { z } from "@hono/zod-openapi";
import { address, bytes32, chainId, coverage, integerText, networkName, readBlock, time } from "../shared/fields.ts";
import { delegateFields, rate, units } from "./fields.ts";
import { position } from "./position.schema.ts";

const correction = z
  .strictObject({
    oldRateWad: rate("Net APY before the correction"),
    newRateWad: rate("Net APY after the correction"),
    corrector: address("Account that corrected the rate"),
    correctedAt: time("When the rate was corrected"),
    transactionHash: bytes32("Transaction of the correction"),
  })
  .openapi("RateCorrection", { description: "A correction of a day's rate" });

const dailyRate = z
  .strictObject({
    dayNumber: integerText("Number of whole days since 1970", "20454"),
    startsAt: time("When the day begins"),
    rateWad: rate("Current net APY"),
    growthWad: integerText(
      "Growth of the day at that rate, a WAD fraction (times 10^18), rounded down",
      "120601478394943",
    ),
    growthIndexE36: integerText(
      "Product of all daily growth from the first posted day up to and including this one, times 10^36, rounded down each day",
      "1000120601478394943000000000000000000",
    ),
    postedRateWad: rate("Net APY as it was first posted"),
    poster: address("Account that posted the rate"),
    postedAt: time("When the rate was posted"),
    transactionHash: bytes32("Transaction in which the rate was posted"),
    corrections: z.array(correction).openapi({ description: "Corrections, oldest first; the newest one applies" }),
  })
  .openapi("DailyRate", { description: "Rate of a day" });

const delegateRates = z
  .strictObject({
    ...delegateFields,
    firstRateDay: integerText(
      "First day with a posted rate; null if there is none. Earlier days never earn yield",
      "20420",
    ).nullable(),
    rates: z
      .array(dailyRate)
      .openapi({ description: "Days with a posted rate that begin in the range, in ascending order" }),
  })
  .openapi("TreasuryDelegateRates", { description: "Rates of a delegate" });

/** The rates of one delegate in answers. */
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

const withheldCredits = z
  .strictObject({
    tokenAddress: address("Token that was deposited"),
    credits: units("Credits of the record"),
    releaseTimestamp: integerText("Unix time from which the credits can merge", "1767225600"),
    earningStartTimestamp: integerText("Unix time from which whole days earn yield", "1767225600"),
    isRwa: z.boolean().openapi({ description: "Whether the deposited token is an RWA" }),
  })
  .openapi("WithheldCredits", { description: "Credits that have not merged into main credits yet" });

const treasuryAccount = z
  .strictObject({
    ...delegateFields,
    tokenBalance: units("Tokens that the wallet holds"),
    mainCredits: units("Main credits, as stored"),
    totalWithheldCredits: units("Withheld credits, as stored"),
    withheldCredits: z.array(withheldCredits).openapi({
      description: "Records of withheld credits in the order in which they merge. Redemptions use the last ones first",
    }),
    yieldMultiplierWad: integerText(
      "Value of a main credit up to and including lastAccrualDay, times 10^18",
      "1012300000000000000",
    ),
    lastAccrualDay: integerText("Last day that the multiplier includes; 0 without main credits", "20454"),
    redeemableTokens: units("Tokens that can be redeemed now: the balance, limited by the credits"),
    redeemableValueInStablecoin: units(
      "Value of these tokens with their yield before the leg's fees, if paid in a stablecoin",
    ),
    redeemableValueInRwa: units(
      "Value of these tokens with their yield before the leg's fees, if paid in an RWA, which includes no part of a day",
    ),
    position,
    yieldEarnedInStablecoin: units(
      "Yield earned so far",
      ": what was claimed, and what all credits would yield now if they were redeemed for a stablecoin, whether or " +
        "not the wallet holds the tokens. Yield of main credits moves with them from account to account",
    ),
    yieldEarnedInRwa: units("The same if the credits were redeemed for an RWA, which includes no part of a day"),
  })
  .openapi("TreasuryAccount", { description: "A wallet's account with a yield-bearing delegate" });

/** Answer of `/v1/treasury/accounts/{wallet}`. */
export const treasuryAccountsAnswer = z
  .strictObject({
    network: networkName,
    chainId,
    wallet: address("Wallet of the request"),
    block: readBlock,
    accounts: z.array(treasuryAccount).openapi({
      description:
        "One account per registered yield-bearing delegate, ordered by address. Credits with a delegate that was replaced " +
        "are in none of them",
    }),
  })
  .openapi("TreasuryAccounts", { description: "A wallet's credits and their value" });

/** Answer of `/v1/treasury/accounts/{wallet}`. */
export type TreasuryAccountsAnswer = z.output<typeof treasuryAccountsAnswer>;
