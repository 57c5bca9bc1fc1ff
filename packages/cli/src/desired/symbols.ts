/** Whether a token is the one that the configuration means. */
import { erc20Abi } from "viem";
import { type NodeClient, readFailure } from "../chain/connect.ts";
import type { Token } from "./system.ts";

/**
 * What a token calls itself, unless it is the symbol of the configuration. A wrong address cannot be corrected once it is
 * registered: an ID is bound to its token.
 */
export async function symbolNotes(
  client: NodeClient,
  { symbol, address }: Pick<Token, "symbol" | "address">,
): Promise<string[]> {
  try {
    const own = await client.readContract({ address, abi: erc20Abi, functionName: "symbol" });
    // Quoted, because a token can call itself anything.
    return own === symbol ? [] : [`the token ${address} calls itself ${JSON.stringify(own)}, not ${symbol}`];
  } catch (error) {
    return [`the token ${address} does not say whether it is ${symbol}: ${readFailure(error)}`];
  }
}
