/** Answer of `/v1/transactions/{transactionHash}/revert`. */
import { z } from "@hono/zod-openapi";
import { bytes32, chainId, coverage, networkName } from "../shared/fields.ts";

const revertReason = z
  .strictObject({
    source: z.enum(["trace", "replay"]).openapi({
      description:
        "`trace`: the node traced the transaction itself, so the reason is exact. `replay`: the node offers no trace, and " +
        "the transaction was called again on the state before its block. Transactions before it in the block are then " +
        "left out, so the reason may be another one",
    }),
    data: z
      .string()
      .regex(/^0x([0-9a-f]{2})*$/)
      .nullable()
      .openapi({
        description:
          "Revert data, `0x` if the call reverted without any; null if it failed in another way, such as out of gas, " +
          "if the replay did not fail, or if there are more than 4,096 bytes of them",
        example: "0xf4d678b8",
      }),
    text: z.string().nullable().openapi({
      description: "The error by name with its arguments, or what else ended the call; null if the replay did not fail",
      example: "StaleNav(postedAt: 1795272656, maxAgeSeconds: 86400)",
    }),
    advice: z.string().nullable().openapi({
      description: "What to do about it; null for errors that are not of these contracts",
      example: "Swaps of this RWA wait for a NAV: its poster has to post one, the same value if it still holds.",
    }),
  })
  .openapi("RevertReason", { description: "Why a transaction failed" });

/** Why a transaction failed, as answers show it. */
export type RevertReason = z.output<typeof revertReason>;

/** Answer of `/v1/transactions/{transactionHash}/revert`. */
export const revertAnswer = z
  .strictObject({
    network: networkName,
    chainId,
    transactionHash: bytes32("Transaction of the request"),
    outcome: z.enum(["success", "revert"]).nullable().openapi({
      description: "Execution status of its receipt; null if the history has no such transaction",
    }),
    // Zod's own `nullable` would make the document's RevertReason nullable wherever it is used.
    revert: z.union([revertReason, z.null()]).openapi({ description: "Why it failed; null unless it did" }),
    coverage,
  })
  .openapi("TransactionRevert", { description: "Why a transaction failed, if it did" });

/** Answer of `/v1/transactions/{transactionHash}/revert`. */
export type RevertAnswer = z.output<typeof revertAnswer>;
