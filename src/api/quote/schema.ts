/** Answer of `/v1/quote`. */
import { z } from "@hono/zod-openapi";
import { address, bytes32, chainId, integerText, networkName, readBlock } from "../shared/fields.ts";

const fee = (description: string) =>
  integerText(`${description}, in smallest units of the settling stablecoin`, "2500");

/** Body of `/v1/quote`. */
export const quoteAnswer = z
  .strictObject({
    network: networkName,
    chainId,
    block: readBlock,
    user: address("Account that would pay"),
    routeId: integerText("Route of the leg", "1"),
    assetInId: bytes32("ID of the asset that the user would pay"),
    assetOutId: bytes32("ID of the asset that the receiver would get"),
    stablecoinDelegateId: bytes32("ID of the stablecoin whose delegate would settle"),
    delegateAddress: address("That delegate: the contract that the user has to approve for the asset in"),
    amountIn: integerText("Amount in, in smallest units of the asset in", "1000000000"),
    amountOut: integerText("Amount out after all fees, in smallest units of the asset out", "9975000000000000000"),
    issuerFee: fee("Protocol fee on the gross value"),
    spreadFee: fee("Protocol's part of the LP's spread"),
    lpFee: fee("LP's part of the spread"),
  })
  .openapi("Quote", { description: "What a swap of one leg would settle at a block" });

/** Body of `/v1/quote`. */
export type QuoteAnswer = z.output<typeof quoteAnswer>;
