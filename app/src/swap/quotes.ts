/** What a leg would settle, as the API or the wallet's node reads it from the swap contract. */
import { type ExactSide, type LegQuote, routeIdOf } from "@coreswap/sdk";
import { queryOptions } from "@tanstack/react-query";
import { type Address, zeroAddress } from "viem";
import { ApiError, api, dataOf } from "../api/client.ts";
import type { Network } from "../api/queries.ts";
import { debounce } from "./debounce.ts";
import type { Pair } from "./market.ts";

/** A leg with the amount of its exact side, in smallest units. */
export interface Order extends Pair {
  readonly exact: ExactSide;
  readonly amount: bigint;
}

/** Block at which a quote was read. */
export interface QuotedBlock {
  readonly number: bigint;
  /** Seconds since 1970. */
  readonly timestamp: bigint;
}

/** A quote of the API. */
interface ApiQuote {
  readonly quote: LegQuote;
  readonly block: QuotedBlock;
}

const QUOTE_MS = 10_000;

/** The API's quote, for a reader without a wallet. It is of the newest indexed block. */
export const apiQuoteQuery = (network: Network, { assetIn, assetOut, settlement, exact, amount }: Order) => {
  const query = {
    network,
    user: zeroAddress,
    routeId: String(routeIdOf({ assetIn, assetOut }, exact)) as "1",
    assetInId: assetIn.id,
    assetOutId: assetOut.id,
    stablecoinDelegateId: settlement.id,
    ...(exact === "in" ? { amountIn: String(amount) } : { amountOut: String(amount) }),
  };
  return queryOptions({
    queryKey: ["quote", network, query],
    queryFn: async ({ signal }): Promise<ApiQuote> => {
      await debounce(signal);
      const answer = await dataOf(api.GET("/v1/quote", { params: { query }, signal }));
      const { block, delegateAddress } = answer;
      return {
        quote: {
          leg: { assetIn, assetOut, settlement: { ...settlement, delegateAddress: delegateAddress as Address } },
          exact,
          amountIn: BigInt(answer.amountIn),
          amountOut: BigInt(answer.amountOut),
          issuerFee: BigInt(answer.issuerFee),
          spreadFee: BigInt(answer.spreadFee),
          lpFee: BigInt(answer.lpFee),
        },
        block: { number: BigInt(block.blockNumber), timestamp: BigInt(block.timestamp) },
      };
    },
    // A refusal is an answer: asking again changes nothing.
    retry: (failures, error) => failures < 1 && !(error instanceof ApiError && error.status < 500),
    refetchInterval: QUOTE_MS,
  });
};
