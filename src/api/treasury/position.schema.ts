/** A wallet's position over time: members of `/v1/treasury/accounts/{wallet}`, and the answer of its history. */
import { z } from "@hono/zod-openapi";
import { INTERVALS } from "../http/interval.ts";
import { address, chainId, coverage, networkName, signedIntegerText, time } from "../shared/fields.ts";
import { delegateFields, units } from "./fields.ts";

const flows = {
  deposited: units(
    "Credits that deposits created for the wallet as receiver, one for each token minted to it",
    ". The vault's include protocol fees",
  ),
  redeemed: units("Credits that the wallet redeemed, one for each token burned"),
  yieldClaimed: units(
    "Yield of the redeemed credits",
    ": their value minus the credits themselves. Includes the leg's fees, and what a redemption of an exact amount " +
      "leaves in the reserve by rounding",
  ),
  creditsMovedIn: units("Credits that the delegate's administrator moved to the wallet from other accounts"),
  creditsMovedOut: units(
    "Credits of the wallet that the delegate's administrator moved to other accounts or cancelled",
  ),
};

/** Sums since the first block of the index, of all entries up to a point in time. */
export const position = z
  .strictObject({
    ...flows,
    netDeposits: signedIntegerText(
      "Deposited less redeemed, in smallest units of the token; negative after redemptions of credits that were moved in",
      "1000000",
    ),
    credits: units("Credits that are left: deposited and moved in, less redeemed and moved out"),
  })
  .openapi("TreasuryPosition", {
    description:
      "Sums from the beginning. Transfers of the token are in none of them: they move tokens and leave the credits",
  });

/** A position in answers. */
export type TreasuryPosition = z.output<typeof position>;

const bucket = z
  .strictObject({
    from: time("Lower bound, inclusive"),
    to: time("Upper bound, exclusive"),
    ...flows,
    atEnd: position,
  })
  .openapi("TreasuryPositionBucket", {
    description: "What changed within one interval, clipped to the range, and the position at its end",
  });

const accountHistory = z
  .strictObject({
    ...delegateFields,
    atStart: position,
    buckets: z.array(bucket).openapi({
      description: "Buckets in ascending order, without gaps: each begins where the previous one ends",
    }),
  })
  .openapi("TreasuryAccountHistory", { description: "A wallet's position with a delegate over time" });

/** Answer of `/v1/treasury/accounts/{wallet}/history`. */
export const treasuryHistoryAnswer = z
  .strictObject({
    network: networkName,
    chainId,
    wallet: address("Wallet of the request"),
    from: time("Lower bound, inclusive"),
    to: time("Upper bound, exclusive"),
    interval: z.enum(INTERVALS).openapi({ description: "Interval of the buckets", example: "day" }),
    accounts: z.array(accountHistory).openapi({
      description:
        "One account per registered yield-bearing delegate, ordered by address. Credits with a delegate that was replaced " +
        "are in none of them",
    }),
    coverage,
  })
  .openapi("TreasuryHistory", { description: "A wallet's position over time" });

/** Answer of `/v1/treasury/accounts/{wallet}/history`. */
export type TreasuryHistoryAnswer = z.output<typeof treasuryHistoryAnswer>;
