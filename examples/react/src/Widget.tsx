import { useState } from "react";
import { formatUnits, parseUnits } from "viem";
import { useConnection } from "wagmi";
import { type Market, type Settings, useMarket } from "./market.ts";
import { Purchase } from "./Purchase.tsx";
import { SLIPPAGE_BPS, useQuote } from "./quote.ts";
import { useNewestTransactions } from "./transactions.ts";

/** Shows what an amount of a stablecoin buys, buys it, and shows the newest transactions of the network. */
export function Widget({ settings }: { settings: Settings }) {
  const { value: market, problem } = useMarket(settings);
  return (
    <main>
      <h1>CoreSwap</h1>
      {problem !== undefined && <p role="alert">{problem}</p>}
      {market !== undefined && (
        <>
          <Quote market={market} />
          <NewestTransactions market={market} />
        </>
      )}
    </main>
  );
}

function Quote({ market }: { market: Market }) {
  const [pairIndex, setPairIndex] = useState(0);
  const [text, setText] = useState("1000");
  const pair = market.pairs[pairIndex];
  const { decimals } = tokenOf(market, pair?.stablecoinId ?? "");
  const { address } = useConnection();
  const amountIn = unitsOf(text, decimals);
  const { value: quote, problem } = useQuote(market, pair, amountIn, address);
  const amount = (units: bigint, id: string) => amountText(market, units, id);
  return (
    <section>
      <h2>Quote</h2>
      <label>
        Pair{" "}
        <select value={pairIndex} onChange={({ target }) => setPairIndex(Number(target.value))}>
          {market.pairs.map(({ stablecoinId, rwaId }, index) => (
            <option key={`${stablecoinId}${rwaId}`} value={index}>
              {tokenOf(market, stablecoinId).symbol} → {tokenOf(market, rwaId).symbol}
            </option>
          ))}
        </select>
      </label>
      <label>
        Amount <input inputMode="decimal" value={text} onChange={({ target }) => setText(target.value)} />
      </label>
      {amountIn === null && (
        <p role="alert">Write the amount as in 1234.5, with at most {decimals} digits after the point.</p>
      )}
      {problem !== undefined && <p role="alert">{problem}</p>}
      {quote !== undefined && (
        <>
          <dl>
            <Fact name="You pay" value={amount(quote.amountIn, quote.leg.assetIn.id)} />
            <Fact name="You receive" value={amount(quote.amountOut, quote.leg.assetOut.id)} />
            <Fact name="At least" value={amount(quote.minimumOut, quote.leg.assetOut.id)} />
            <Fact name="Slippage" value={`${formatUnits(SLIPPAGE_BPS, 2)} %`} />
            <Fact name="Issuer fee" value={amount(quote.issuerFee, quote.leg.settlement.id)} />
            <Fact name="Spread fee" value={amount(quote.spreadFee, quote.leg.settlement.id)} />
            <Fact name="LP fee" value={amount(quote.lpFee, quote.leg.settlement.id)} />
            {/* The delegate of the LP, never CoreSwap. */}
            <Fact name="Approve" value={quote.leg.settlement.delegateAddress} />
            <Fact name="Block" value={String(quote.blockNumber)} />
          </dl>
          <Purchase market={market} quote={quote} />
        </>
      )}
    </section>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}

function NewestTransactions({ market }: { market: Market }) {
  const { value: transactions, problem } = useNewestTransactions(market);
  return (
    <section>
      <h2>Newest transactions</h2>
      {problem !== undefined && <p role="alert">{problem}</p>}
      {transactions !== undefined && (
        <table>
          <thead>
            <tr>
              <th scope="col">Hash</th>
              <th scope="col">Block</th>
              <th scope="col">Time</th>
              <th scope="col">Result</th>
              <th scope="col">Swapped</th>
            </tr>
          </thead>
          <tbody>
            {transactions.map(({ transactionHash, inclusion, receipt, activities }) => (
              <tr key={transactionHash}>
                <th scope="row" title={transactionHash}>
                  {transactionHash.slice(0, 10)}…
                </th>
                <td>{inclusion.blockNumber}</td>
                <td>{new Date(Number(inclusion.timestamp) * 1000).toISOString()}</td>
                <td>{receipt.outcome}</td>
                <td>
                  {activities.flatMap((activity) =>
                    activity.type === "swap" ? (
                      <div key={activity.logIndex}>
                        {amountText(market, BigInt(activity.amountIn), activity.assetInId)} →{" "}
                        {amountText(market, BigInt(activity.amountOut), activity.assetOutId)}
                      </div>
                    ) : (
                      []
                    ),
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

/** An asset that was registered after the page was loaded is not in the market yet. */
function tokenOf({ tokens }: Market, id: string) {
  return tokens.get(id) ?? { symbol: `units of ${id}`, decimals: 0 };
}

/** An amount with all of its digits. */
function amountText(market: Market, units: bigint, id: string): string {
  const { symbol, decimals } = tokenOf(market, id);
  return `${formatUnits(units, decimals)} ${symbol}`;
}

/** The amount that a text states, in smallest units. Null unless it is one: `parseUnits` alone would round it. */
function unitsOf(text: string, decimals: number): bigint | null {
  const [whole, fraction = ""] = text.split(".");
  if (!/^\d+(\.\d+)?$/.test(text) || whole === undefined || fraction.length > decimals) return null;
  return parseUnits(text, decimals);
}
