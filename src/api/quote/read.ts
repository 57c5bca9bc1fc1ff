/** Reads quotes of the swap contract at a block. */
import { type AtBlock, decodeRevert, revertData } from "@coreswap/sdk";
import type { Address, Hex, PublicClient } from "viem";
import { coreSwapAbi } from "../../../abis/index.ts";
import { Refused } from "../http/errors.ts";
import type { QuoteAnswer } from "./schema.ts";

/** One leg as the contract takes it. The amount of the other side is 0, because quotes ignore the bound. */
interface QuotedLeg {
  readonly routeId: bigint;
  readonly assetInID: Hex;
  readonly assetOutID: Hex;
  readonly stablecoinDelegateID: Hex;
  readonly assetInAmt: bigint;
  readonly assetOutAmt: bigint;
}

interface QuoteRequest {
  readonly client: PublicClient;
  readonly coreSwap: Address;
  readonly user: Address;
  readonly leg: QuotedLeg;
  readonly at: AtBlock;
}

type Quote = Pick<QuoteAnswer, "delegateAddress" | "amountIn" | "amountOut" | "issuerFee" | "spreadFee" | "lpFee">;

/**
 * Reads what a leg would settle.
 * @throws Refused with the error of the contract, or of a contract that it calls, when it refuses the leg; Error when
 * the node fails
 */
export async function readQuote({ client, coreSwap, user, leg, at }: QuoteRequest): Promise<Quote> {
  const contract = { abi: coreSwapAbi, address: coreSwap, ...at } as const;
  const [amounts, [, , , delegate]] = await Promise.all([
    client.readContract({ ...contract, functionName: "quoteSwap", args: [user, leg] }),
    client.readContract({ ...contract, functionName: "stablecoinInfo", args: [leg.stablecoinDelegateID] }),
  ]).catch((error: unknown) => {
    throw refusalOf(error) ?? error;
  });
  return {
    delegateAddress: delegate.toLowerCase(),
    amountIn: amounts.tokenInAmt.toString(),
    amountOut: amounts.tokenOutAmt.toString(),
    issuerFee: amounts.issuerFeeAmt.toString(),
    spreadFee: amounts.spreadFeeAmt.toString(),
    lpFee: amounts.lpFeeAmt.toString(),
  };
}

/** Returns the refusal behind an error, or null when no contract refused. */
function refusalOf(error: unknown): Refused | null {
  const data = revertData(error);
  if (data === null) return null;
  const { text, advice } = decodeRevert(data);
  return new Refused(`the swap contract refuses this leg: ${advice === null ? text : `${text}. ${advice}`}`);
}
