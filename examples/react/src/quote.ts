/** The quote of a purchase, with the bound to send it with. */
import { boundedLegs, ContractRevertError, type LegQuote } from "@coreswap/sdk";
import { useEffect, useState } from "react";
import { zeroAddress } from "viem";
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
export function useQuote(market: Market, pair: Pair | undefined, amountIn: bigint | null): Loaded<BoundedQuote> {
  const [quote, setQuote] = useState<Loaded<BoundedQuote>>({});
  useEffect(() => {
    setQuote({});
    if (pair === undefined || amountIn === null) return;
    // An answer can come after that of a later block, or after the amount was changed.
    let newest = -1n;
    let isCurrent = true;
    const show = (blockNumber: bigint, shown: Loaded<BoundedQuote>) => {
      if (!isCurrent || blockNumber < newest) return;
      newest = blockNumber;
      setQuote(shown);
    };
    const stop = market.node.watchBlockNumber({
      emitOnBegin: true,
      onBlockNumber: (blockNumber) => {
        readQuote(market, pair, amountIn, blockNumber).then(
          (value) => show(blockNumber, { value }),
          (reason: unknown) => show(blockNumber, { problem: reasonOf(reason) }),
        );
      },
      onError: (reason) => show(newest, { problem: messageOf(reason) }),
    });
    return () => {
      isCurrent = false;
      stop();
    };
  }, [market, pair, amountIn]);
  return quote;
}

async function readQuote(
  { node }: Market,
  { stablecoinId, rwaId }: Pair,
  amountIn: bigint,
  blockNumber: bigint,
): Promise<BoundedQuote> {
  const [assetIn, assetOut] = await node.getSwapAssets({ ids: [stablecoinId, rwaId], blockNumber });
  if (assetIn === undefined || assetOut === undefined) throw new Error("the pair is not registered");
  // Who pays makes no difference for a plain stablecoin.
  const quote = await node.quoteLeg({ user: zeroAddress, assetIn, assetOut, amountIn, blockNumber });
  const [leg] = boundedLegs([quote], SLIPPAGE_BPS);
  if (leg === undefined) throw new Error("the quote has no leg");
  return { ...quote, blockNumber, minimumOut: leg.assetOutAmt };
}

/** Why there is no quote: what the contract's error asks for, or what the node said. */
function reasonOf(reason: unknown): string {
  if (reason instanceof ContractRevertError) return reason.message;
  return messageOf(reason);
}
