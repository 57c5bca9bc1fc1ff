/** The quote of a purchase, with the bound to send it with. */
import { useQuoteLeg, useSwapAssets } from "@coreswap/react";
import { boundedLegs, ContractRevertError, type LegQuote } from "@coreswap/sdk";
import { useEffect, useState } from "react";
import { type Address, zeroAddress } from "viem";
import { useBlockNumber } from "wagmi";
import type { Loaded, Market, Pair } from "./market.ts";
import { messageOf } from "./retrying.ts";

/** How much less than quoted the buyer accepts. */
export const SLIPPAGE_BPS = 50n;

/** A quote as of a block. */
export interface BoundedQuote extends LegQuote {
  readonly blockNumber: bigint;
  /** The least amount out: the bound of the swap, in units of the RWA. */
  readonly minimumOut: bigint;
}

/**
 * Quotes what an amount of the pair's stablecoin buys, anew with each block. The amount is in units of the stablecoin;
 * without one, or without a pair, there is no quote.
 */
export function useQuote(
  { coreSwap }: Market,
  pair: Pair | undefined,
  amountIn: bigint | null,
  user: Address | undefined,
): Loaded<BoundedQuote> {
  const { data: blockNumber, error: blockError } = useBlockNumber({ watch: true });
  const ids = pair && [pair.stablecoinId, pair.rwaId];
  const assets = useSwapAssets({ coreSwap, ids });
  const [assetIn, assetOut] = assets.data ?? [];
  const quote = useQuoteLeg({
    ...{ coreSwap, assetIn, assetOut, blockNumber },
    // Who pays makes no difference for a plain stablecoin.
    user: user ?? zeroAddress,
    amountIn: amountIn ?? undefined,
    query: { enabled: blockNumber !== undefined },
  });
  // Keep the previous quote until that of the next block arrives.
  const [latest, setLatest] = useState<Loaded<BoundedQuote> & { pair?: Pair; amountIn?: bigint | null }>({});
  useEffect(() => {
    if (pair === undefined) return;
    if (quote.data !== undefined && blockNumber !== undefined) {
      setLatest({ pair, amountIn, value: bounded(quote.data, blockNumber) });
    }
    const reason = quote.error ?? assets.error ?? blockError;
    if (reason !== null) setLatest({ pair, amountIn, problem: reasonOf(reason) });
  }, [pair, amountIn, quote.data, blockNumber, quote.error, assets.error, blockError]);
  return latest.pair === pair && latest.amountIn === amountIn ? latest : {};
}

function bounded(quote: LegQuote, blockNumber: bigint): BoundedQuote {
  const [leg] = boundedLegs([quote], SLIPPAGE_BPS);
  if (leg === undefined) throw new Error("the quote has no leg");
  return { ...quote, blockNumber, minimumOut: leg.assetOutAmt };
}

/** Why there is no quote: what the contract's error asks for, or what the node said. */
export function reasonOf(reason: unknown): string {
  if (reason instanceof ContractRevertError) return reason.message;
  return messageOf(reason);
}
