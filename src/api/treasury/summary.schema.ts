/** Answer of `/v1/treasury/summary`. */
import { z } from "@hono/zod-openapi";
import {
  address,
  bytes32,
  chainId,
  count,
  coverage,
  decimals,
  integerText,
  networkName,
  readBlock,
  signedIntegerText,
  time,
} from "../shared/fields.ts";
import { delegateFields, rate, units } from "./fields.ts";

/** `rest` follows the unit in the description. */
const usdWad = (description: string, rest = "") =>
  integerText(`${description}, in USD times 10^18${rest}`, "2500000000000000000000000");
const assetUnits = (description: string) => integerText(`${description}, in smallest units of the asset`);

const reserveAccount = z
  .strictObject({
    account: address("Custody or cold storage of the delegate"),
    isShared: z.boolean().openapi({
      description: "Whether another delegate also names the account as custody or cold storage",
    }),
  })
  .openapi("ReserveAccount", { description: "An account of the reserve" });

const reserveAsset = z
  .strictObject({
    assetId: bytes32("ID of the asset"),
    kind: z.enum(["rwa", "stablecoin"]).openapi({ description: "Kind of the asset" }),
    tokenAddress: address("Token of the asset"),
    decimals,
    amount: assetUnits("In all accounts of the reserve"),
    sharedAmount: assetUnits("The part in accounts that are shared"),
    priceUsdWad: usdWad(
      "CoreSwap's price of a whole token at the block",
      "; null if it has none or the price adapter refuses to give one",
    ).nullable(),
    valueUsdWad: usdWad("Value of the amount, rounded down", "; null if there is an amount and no price").nullable(),
    balances: z
      .array(
        z
          .strictObject({ account: address("Account of the reserve"), amount: assetUnits("What it holds") })
          .openapi("ReserveBalance", { description: "What an account holds of an asset" }),
      )
      .openapi({ description: "What each account of the reserve holds" }),
  })
  .openapi("ReserveAsset", { description: "An asset that the delegate lists" });

const solvency = z
  .strictObject({
    isSolvent: z.boolean().nullable().openapi({
      description:
        "Whether the reserve covers the liabilities; null if that depends on the value of assets without a price",
    }),
    liabilities: units(
      "What all credits are worth",
      ": withheld credits one to one, main credits times their multiplier, after accrual of all posted days. It " +
        "excludes the yield since the last posted day, which a redemption for a stablecoin also pays",
    ),
    liabilitiesUsdWad: usdWad("The liabilities, rounded up"),
    assetsUsdWad: usdWad("Value of the reserve, without assets that have no price"),
    sharedAssetsUsdWad: usdWad("The part in accounts that are shared with other delegates"),
    surplusUsdWad: signedIntegerText(
      "Assets less liabilities, in USD times 10^18; negative if they do not cover them",
      "-1000000000000000000",
    ),
    ratioWad: rate("Assets per liabilities, rounded down", "; null without liabilities").nullable(),
    unpricedAssetIds: z
      .array(bytes32("ID of an asset"))
      .openapi({ description: "Assets in the reserve that have no price; assets, surplus and ratio leave them out" }),
  })
  .openapi("TreasurySolvency", { description: "What the delegate owes against its reserve" });

const averageApy = (days: number) =>
  rate(
    `Net APY of the newest ${days} posted days`,
    `: the largest rate for which (1 + rate)^${days} is at most the growth of these days to the power of 365; null ` +
      "if fewer are posted",
  ).nullable();

const yields = z
  .strictObject({
    currentApyWad: rate("Net APY of the newest posted day, corrections included", "; null before the first").nullable(),
    apy7DaysWad: averageApy(7),
    apy30DaysWad: averageApy(30),
    apy90DaysWad: averageApy(90),
    lastPostedDay: integerText(
      "Newest posted day, in whole days since 1970; null before the first",
      "20454",
    ).nullable(),
    nextDayEndsAt: time(
      "End of the first day without a rate, when its rate is due",
      "; null before the first",
    ).nullable(),
    unpostedDays: count("Days after the newest posted one that had ended at the block; 0 before the first"),
  })
  .openapi("TreasuryYield", { description: "Posted rates, net of the management fee" });

const delegateSummary = z
  .strictObject({
    ...delegateFields,
    decimals,
    supply: units("Supply of the token on this network"),
    credits: units("Credits of all accounts, main and withheld"),
    withheldCredits: units("The part of the credits that has not merged yet, as stored"),
    creditedAccounts: count("Accounts with credits"),
    reserveAccounts: z.array(reserveAccount).openapi({
      description: "RWA custody, stablecoin custody, RWA cold storage, stablecoin cold storage; each account once",
    }),
    reserveAssets: z.array(reserveAsset).openapi({ description: "Assets that the delegate lists, ordered by id" }),
    solvency,
    yield: yields,
  })
  .openapi("TreasuryDelegateSummary", { description: "A yield-bearing delegate and its token" });

/** Answer of `/v1/treasury/summary`. */
export const treasurySummaryAnswer = z
  .strictObject({
    network: networkName,
    chainId,
    block: readBlock,
    delegates: z.array(delegateSummary).openapi({
      description:
        "Registered yield-bearing delegates, ordered by address. A delegate that was replaced is left out, although its " +
        "accounts keep their credits with it",
    }),
    coverage,
  })
  .openapi("TreasurySummary", { description: "Supply, reserve, solvency and yield of the treasury token" });

/** Answer of `/v1/treasury/summary`. */
export type TreasurySummaryAnswer = z.output<typeof treasurySummaryAnswer>;

/** One delegate in the answer. */
export type TreasuryDelegateSummary = TreasurySummaryAnswer["delegates"][number];
