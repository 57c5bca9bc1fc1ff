import { useQueries } from "@tanstack/react-query";
import { shownDecimal } from "../format/amount.ts";
import { useNetwork } from "../shell/context.ts";
import { AssetChoice } from "./AssetChoice.tsx";
import type { Settling } from "./market.ts";
import { apiQuoteQuery, type Order } from "./quotes.ts";

/** A client has few quotes a minute, so those that only compare are asked for seldom. */
const COMPARE_MS = 30_000;

interface SettlementChoiceProps {
  readonly settlements: readonly Settling[];
  readonly chosen: string | undefined;
  /** What the LPs are compared by; null without an amount. */
  readonly order: Order | null;
  readonly choose: (id: string) => void;
}

/**
 * The LPs that can settle the pair, each with what it quotes for the other amount. Whether it pays is another question: the
 * API's quote leaves out pauses, custody and approvals.
 */
export function SettlementChoice({ settlements, chosen, order, choose }: SettlementChoiceProps) {
  const network = useNetwork();
  const answers = useQueries({
    queries:
      order === null
        ? []
        : settlements.map((settlement) => ({
            ...apiQuoteQuery(network, { ...order, settlement }),
            refetchInterval: COMPARE_MS,
          })),
  });
  const isExactIn = order?.exact === "in";
  const offers = settlements.flatMap(({ id, symbol }, index) => {
    const quote = answers[index]?.data?.quote;
    return quote === undefined ? [] : [{ id, symbol, amount: isExactIn ? quote.amountOut : quote.amountIn }];
  });
  const isBetter = (one: bigint, other: bigint) => (isExactIn ? one > other : one < other);
  const own = offers.find(({ id }) => id === chosen);
  const best = offers.find(({ amount }) => !offers.some((other) => isBetter(other.amount, amount)));
  // The hint takes the place of the name, so that nothing moves.
  const hint =
    own !== undefined && best !== undefined && isBetter(best.amount, own.amount)
      ? `The ${best.symbol} LP quotes ${isExactIn ? "more" : "less"}`
      : null;
  const asset = isExactIn ? order?.assetOut : order?.assetIn;
  return (
    <AssetChoice
      name={
        <>
          <span className={hint === null ? undefined : "hidden"}>Settled by the LP of</span>
          {hint !== null && <span className="warning"> {hint}</span>}
        </>
      }
      // An amount that is cut off could be read as a smaller one.
      className="double"
      assets={settlements}
      chosen={chosen}
      choose={choose}
      textOf={({ id, symbol }) => {
        const offer = offers.find((each) => each.id === id);
        if (offer === undefined || asset === undefined) return symbol;
        return `${symbol}: ${shownDecimal({ units: offer.amount, decimals: asset.decimals }).text} ${asset.symbol}`;
      }}
    />
  );
}
