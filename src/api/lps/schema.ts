/** Answer of `/v1/lps/{address}`. */
import { z } from "@hono/zod-openapi";
import { cachedPrice } from "../shared/cachedPrices.ts";
import {
  address,
  bytes32,
  chainId,
  coverage,
  decimals,
  integerText,
  networkName,
  readBlock,
} from "../shared/fields.ts";
import { volumeFigures } from "../shared/volume/figures.ts";

/** `rest` follows the unit in the description, here and below. */
const units = (description: string, rest = "") => integerText(`${description}, in smallest units of the asset${rest}`);

/** The largest amount means no limit, as in ERC-20. */
const allowance = (description: string, rest = "") =>
  integerText(`${description}, in smallest units of the asset; 2^256 - 1 means no limit${rest}`, "500000000000");

const holding = z
  .strictObject({
    assetId: bytes32("ID of the asset"),
    kind: z.enum(["rwa", "stablecoin"]).openapi({ description: "Kind of the asset" }),
    tokenAddress: address("Token of the asset"),
    decimals,
    custody: address("Custody that holds the asset; null if the LP has set none").nullable(),
    balance: units("What the custody holds", "; null without a custody").nullable(),
    approval: allowance(
      "What the custody approved the LP to take",
      "; null without a custody, or if the LP holds the asset itself",
    ).nullable(),
    intakeCapPerDay: integerText(
      "How much may come in per day, in smallest units, less what was paid out; 2^96 - 1 means no cap. A cap of the own " +
        "stablecoin applies to what comes in for RWAs, unless one account other than the LP is both custodies. Null for " +
        "a yield-bearing own stablecoin",
      "1000000000000",
    ).nullable(),
    intakeAvailable: units("How much may come in at the block", "; null for a yield-bearing own stablecoin").nullable(),
  })
  .openapi("LpHolding", { description: "An asset that an LP deals in" });

const derivedLegAllowances = (description: string) =>
  z
    .strictObject({
      inputAllowance: allowance("How much CoreSwap may spend on such legs for the custody"),
      approval: allowance("What the custody approved the other LP to take"),
    })
    .openapi({ description });

const derivedLegs = z
  .strictObject({
    reserveStablecoinId: bytes32("ID of the yield-bearing stablecoin that holds the reserve"),
    sweep: derivedLegAllowances("Deposits into the reserve, in the LP's stablecoin"),
    prefund: derivedLegAllowances("Redemptions from the reserve, in the yield-bearing stablecoin"),
  })
  .openapi("DerivedLegs", { description: "What the custody allows legs that CoreSwap derives to move" });

const liquidity = z
  .strictObject({
    block: readBlock,
    stablecoinId: bytes32("ID of the LP's stablecoin"),
    tokenAddress: address("Token of the LP's stablecoin"),
    decimals,
    yieldBearing: z.boolean().openapi({ description: "Whether the LP pays yield when its tokens are redeemed" }),
    accepted: z.boolean().openapi({ description: "Whether the LP's stablecoin can be swapped" }),
    isPausedByGuardian: z.boolean().openapi({ description: "Whether the protocol's guardian paused the LP" }),
    isPausedByIssuer: z.boolean().openapi({ description: "Whether the LP paused itself" }),
    holdings: z.array(holding).openapi({
      description: "The LP's own stablecoin, then the listed foreign assets, ordered by id",
    }),
    derivedLegs: z.union([derivedLegs, z.null()]).openapi({
      description: "Null if the LP keeps no reserve in a yield-bearing stablecoin, or has no stablecoin custody",
    }),
  })
  .openapi("LpLiquidity", { description: "What an LP can pay and take in, by its contracts" });

/** Answer of `/v1/lps/{address}`. */
export const lpAnswer = z
  .strictObject({
    network: networkName,
    chainId,
    lpAddress: address("The delegate"),
    volume: z.strictObject(volumeFigures).openapi({
      description: "Volume and fees of all legs that it settled: the range is all time",
    }),
    usedPrices: z.array(cachedPrice).openapi({
      description: "Prices that were used for a counted leg, ordered by asset id",
    }),
    liquidity: z.union([liquidity, z.null()]).openapi({
      description: "Null if no registered stablecoin has this delegate, such as one that was replaced",
    }),
    coverage,
  })
  .openapi("Lp", { description: "A liquidity provider" });

/** Answer of `/v1/lps/{address}`. */
export type LpAnswer = z.output<typeof lpAnswer>;

/** What the contracts of an LP state about it. */
export type LpLiquidity = z.output<typeof liquidity>;
