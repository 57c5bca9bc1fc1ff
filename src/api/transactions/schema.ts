/** Answer of `/v1/transactions`. */
import { z } from "@hono/zod-openapi";
import { ENTRYPOINTS } from "../../indexing/filterClass.ts";
import {
  address,
  blockReference,
  bytes32,
  chainId,
  coverage,
  integerText,
  networkName,
  selector,
} from "../shared/fields.ts";

const [swapEntrypoint, ...allowlistEntrypoints] = ENTRYPOINTS;

const submittedSwapLeg = z
  .strictObject({
    routeId: integerText("Route as submitted", "1"),
    assetInId: bytes32("ID of the asset in"),
    assetOutId: bytes32("ID of the asset out"),
    stablecoinDelegateId: bytes32("Stablecoin whose delegate settles the leg"),
    assetInAmount: integerText("Amount or bound of the asset in, as submitted"),
    assetOutAmount: integerText("Amount or bound of the asset out, as submitted"),
  })
  .openapi("SubmittedSwapLeg", { description: "A leg as submitted: bounds, never realized amounts" });

const swapCall = z
  .strictObject({
    contract: address("Contract called"),
    entrypoint: z.literal(swapEntrypoint).openapi({ description: "Function called" }),
    submittedSwapLegs: z.array(submittedSwapLeg).openapi({ description: "Legs in the order of the calldata" }),
    user: address("User named in the call"),
    receiver: address("Receiver named in the call"),
  })
  .openapi("SwapCall", { description: "A decoded call of swap" });

const allowlistCall = z
  .strictObject({
    contract: address("Contract called"),
    entrypoint: z.enum(allowlistEntrypoints).openapi({ description: "Function called" }),
    submittedSwapLegs: z.null().openapi({ description: "Always null; this call is not a swap" }),
    wallet: address("Wallet named in the call"),
  })
  .openapi("AllowlistCall", { description: "A decoded call that changes the treasury allowlist" });

const swapActivity = z
  .strictObject({
    type: z.literal("swap").openapi({ description: "Kind of activity" }),
    logIndex: integerText("Index of the event in its block", "7"),
    contract: address("Contract that emitted the event"),
    user: address("Account that paid the asset in"),
    operator: address("Caller of the swap"),
    receiver: address("Account that received the asset out"),
    routeId: integerText("Route of the leg", "1"),
    assetInId: bytes32("ID of the asset in"),
    assetOutId: bytes32("ID of the asset out"),
    stablecoinDelegateId: bytes32("Stablecoin whose delegate settled the leg"),
    lpAddress: address("Delegate that settled the leg"),
    amountIn: integerText("Realized amount in, in smallest units"),
    amountOut: integerText("Realized amount out, in smallest units"),
    issuerFee: integerText("Issuer-paid protocol fee, in smallest units of the settling stablecoin"),
    spreadFee: integerText("Protocol's part of the spread, in smallest units of the settling stablecoin"),
    lpFee: integerText("LP's part of the spread, in smallest units of the settling stablecoin"),
  })
  .openapi("SwapActivity", { description: "A realized swap leg" });

const allowlistActivity = z
  .strictObject({
    type: z.literal("allowlist").openapi({ description: "Kind of activity" }),
    logIndex: integerText("Index of the event in its block", "7"),
    contract: address("Contract that emitted the event"),
    action: z.enum(["added", "removed"]).openapi({ description: "Whether the wallet was added or removed" }),
    wallet: address("Wallet whose entry changed"),
  })
  .openapi("AllowlistActivity", { description: "A realized change of the treasury allowlist" });

/** A transaction of the history in `/v1/transactions`. */
const historyTransaction = z
  .strictObject({
    transactionHash: bytes32("Transaction hash"),
    inclusion: z
      .strictObject({
        ...blockReference.shape,
        transactionIndex: integerText("Index in the block", "3"),
        timestamp: integerText("Block timestamp, seconds since 1970", "1767225600"),
      })
      .openapi({ description: "Position of the transaction in the chain" }),
    sender: address("Sender"),
    recipient: address("Recipient; null for a contract creation").nullable(),
    nonce: integerText("Nonce of the sender", "41"),
    value: integerText("Native amount sent with the transaction, in wei", "0"),
    selector: selector("First four bytes of the calldata; null if there are fewer").nullable(),
    receipt: z
      .strictObject({
        outcome: z.enum(["success", "revert"]).openapi({
          description: "Execution status of the receipt; it does not say whether the transaction is final",
        }),
        gasUsed: integerText("Gas used"),
        effectiveGasPrice: integerText("Price paid, in wei per unit of gas"),
      })
      .openapi({ description: "Result of the execution" }),
    directCall: z.union([swapCall, allowlistCall, z.null()]).openapi({
      description: "Decoded top-level call: what was requested, not what happened; null if it cannot be decoded",
    }),
    activities: z
      .array(z.discriminatedUnion("type", [swapActivity, allowlistActivity]))
      .openapi({ description: "What happened in the transaction, ordered by logIndex" }),
  })
  .openapi("Transaction", { description: "A transaction of the history" });

/** A transaction of the history in `/v1/transactions`. */
export type HistoryTransaction = z.output<typeof historyTransaction>;

/** Answer of `/v1/transactions`. */
export const historyAnswer = z
  .strictObject({
    network: networkName,
    chainId,
    transactions: z.array(historyTransaction).openapi({ description: "Newest first" }),
    nextCursor: z
      .string()
      .nullable()
      .openapi({ description: "Cursor of the next page, which has older rows; null on the last page" }),
    coverage,
  })
  .openapi("TransactionHistory", { description: "A page of the history" });

/** Answer of `/v1/transactions`. */
export type HistoryAnswer = z.output<typeof historyAnswer>;
