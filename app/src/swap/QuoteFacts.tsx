import { type LegQuote, maximumIn, minimumOut } from "@coreswap/sdk";
import { Amount, Figure } from "../components/Amount.tsx";
import { Address } from "../components/Identifier.tsx";
import { Fact } from "../components/Panel.tsx";
import { ReadBlock } from "../components/Time.tsx";
import { ratio } from "../format/amount.ts";
import { useDirectory } from "../shell/context.ts";
import { failureOf } from "./failures.ts";
import type { Order, QuotedBlock } from "./quotes.ts";

interface QuoteFactsProps {
  readonly order: Order;
  readonly quote: LegQuote;
  readonly slippageBps: bigint;
  /** The connected account, which receives the asset out; null without one. */
  readonly receiver: string | null;
}

/** The amounts of a leg, its bound, and its fees taken apart. */
export function QuoteFacts({ order, quote, slippageBps, receiver }: QuoteFactsProps) {
  const { assetById } = useDirectory();
  const { assetIn, assetOut, settlement, exact } = order;
  const unit = ({ id, symbol }: { readonly id: string; readonly symbol: string }) => ({ asset: assetById(id), symbol });
  const fee = (amount: bigint) => <Amount value={String(amount)} {...unit(settlement)} />;
  const rate = ratio(
    { units: quote.amountOut, decimals: assetOut.decimals },
    { units: quote.amountIn, decimals: assetIn.decimals },
  );
  const bound = exact === "in" ? minimumOut(quote.amountOut, slippageBps) : maximumIn(quote.amountIn, slippageBps);
  return (
    <dl className="facts">
      <Fact name="You pay">
        <Amount value={String(quote.amountIn)} {...unit(assetIn)} />
      </Fact>
      <Fact name="You receive">
        <Amount value={String(quote.amountOut)} {...unit(assetOut)} />
      </Fact>
      <Fact name={exact === "in" ? "Minimum received" : "Maximum paid"}>
        <Amount value={String(bound)} {...unit(exact === "in" ? assetOut : assetIn)} />
      </Fact>
      <Fact name="Rate">
        {rate === null ? "–" : <Figure value={rate} unit={`${assetOut.symbol} per ${assetIn.symbol}`} />}
      </Fact>
      <Fact name="Settled by">
        <Address value={quote.leg.settlement.delegateAddress.toLowerCase()} isLp />
      </Fact>
      <Fact name="Receiver">{receiver === null ? "your account" : <Address value={receiver.toLowerCase()} />}</Fact>
      <Fact name="Issuer fee">{fee(quote.issuerFee)}</Fact>
      <Fact name="Spread fee">{fee(quote.spreadFee)}</Fact>
      <Fact name="LP fee">{fee(quote.lpFee)}</Fact>
      <Fact name="Total fees">{fee(quote.issuerFee + quote.spreadFee + quote.lpFee)}</Fact>
    </dl>
  );
}

interface QuoteSourceProps {
  readonly block: QuotedBlock;
  /** Why no newer quote came; null while the quote is current. */
  readonly error: unknown;
}

/** Where the amounts come from. It stands below the buttons, so that they do not move when the quote becomes stale. */
export function QuoteSource({ block, error }: QuoteSourceProps) {
  const readAt = <ReadBlock block={{ blockNumber: String(block.number), timestamp: String(block.timestamp) }} />;
  if (error !== null) {
    const { title, text } = failureOf(error);
    return (
      <p className="quote-source">
        {/* Screen readers would read it again each second with the age in it. */}
        <span role="status">
          <strong className="warning">Stale quote:</strong> no newer one came. {title}: {text}
        </span>{" "}
        The amounts are those of {readAt}.
      </p>
    );
  }
  return (
    <p className="quote-source muted">
      The amounts contain the fees: issuer fee and spread fee go to the protocol, the LP fee stays with the LP. Read
      from the swap contract at {readAt}.
    </p>
  );
}
