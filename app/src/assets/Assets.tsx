import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Schemas } from "../api/client.ts";
import { assetsQuery } from "../api/queries.ts";
import { Figure } from "../components/Amount.tsx";
import { Answer, Empty } from "../components/Answer.tsx";
import { Heading } from "../components/Heading.tsx";
import { Address, Identifier } from "../components/Identifier.tsx";
import { Fact, Panel } from "../components/Panel.tsx";
import { Cell, Row, RowHead, Table } from "../components/Table.tsx";
import { Accepted, Guardrail, Rate } from "../components/Terms.tsx";
import { Age } from "../components/Time.tsx";
import { fromWad } from "../format/amount.ts";
import { networkText } from "../format/names.ts";
import { useDirectory, useNetwork } from "../shell/context.ts";
import { LpRates, RatesNote } from "./LpRates.tsx";
import { NavHistory } from "./NavHistory.tsx";
import { priceOf } from "./prices.ts";

/** Assets of a network with their values and prices, and what each LP charges by pair. */
export function Assets(): ReactNode {
  const network = useNetwork();
  const assets = useQuery(assetsQuery(network));
  return (
    <>
      <Heading text={`Assets and rates on ${networkText(network)}`} />
      <Answer query={assets}>
        {({ paused, spreadProtocolTakeRateWad, stablecoins, rwas }) => (
          <>
            {paused && (
              <div className="notice stale" role="status">
                <strong>CoreSwap is paused.</strong> No swap goes through until its operator ends the pause.
              </div>
            )}
            <Panel title="Stablecoins">
              <Stablecoins stablecoins={stablecoins} />
              <dl className="facts">
                <Fact name="Protocol's part of each LP's spread">
                  <Rate wad={spreadProtocolTakeRateWad} />
                </Fact>
              </dl>
              <p className="muted">
                While a guardrail is on, swaps fail if the price of its adapter is outside the band around the USD
                value.
              </p>
            </Panel>
            <Panel title="RWAs">
              <Rwas rwas={rwas} />
            </Panel>
            <RatesNote />
            {stablecoins.map((lp) => (
              <LpRates key={lp.stablecoinId} lp={lp} />
            ))}
            {/* Last, because it is asked for once the RWAs are known, and must not push the rest away. */}
            <NavHistory rwas={rwas} />
          </>
        )}
      </Answer>
    </>
  );
}

function Stablecoins({ stablecoins }: { readonly stablecoins: readonly Schemas["StablecoinTerms"][] }) {
  const { symbolOf } = useDirectory();
  if (stablecoins.length === 0) return <Empty>No stablecoin is registered.</Empty>;
  return (
    <Table
      caption="Stablecoins"
      head={["Stablecoin", "USD value", "Set", "Protocol fee", "Guardrail", "Token", "LP", "Swaps"]}
      numeric={[1, 3]}
    >
      {stablecoins.map((asset) => (
        <Row key={asset.stablecoinId}>
          <RowHead>{symbolOf(asset.stablecoinId)}</RowHead>
          <Cell isNumber>{asset.usdValueWad === null ? "not set" : <Price usdWad={asset.usdValueWad} />}</Cell>
          <Cell>{asset.usdValueSetAt === null ? "–" : <Age value={asset.usdValueSetAt} />}</Cell>
          <Cell isNumber>{asset.protocolFeeExempt ? "exempt" : <Rate wad={asset.issuerPaidProtocolFeeRateWad} />}</Cell>
          <Cell>
            {asset.guardrail === null ? <span className="muted">none</span> : <Guardrail {...asset.guardrail} />}
          </Cell>
          <Cell>
            <Identifier value={asset.tokenAddress} what="address of the token" />
          </Cell>
          <Cell>
            <Address value={asset.lpAddress} />
          </Cell>
          <Cell>
            <Accepted value={asset.accepted} />
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

function Rwas({ rwas }: { readonly rwas: readonly Schemas["RwaTerms"][] }) {
  const { symbolOf } = useDirectory();
  if (rwas.length === 0) return <Empty>No RWA is registered.</Empty>;
  return (
    <Table caption="RWAs" head={["RWA", "USD per token", "As of", "Price adapter", "Token", "Swaps"]} numeric={[1]}>
      {rwas.map((asset) => {
        const price = priceOf(asset);
        return (
          <Row key={asset.rwaId}>
            <RowHead>{symbolOf(asset.rwaId)}</RowHead>
            <Cell isNumber>{price === null ? "not read" : <Price usdWad={price.usdWad} />}</Cell>
            <Cell>
              {price === null ? (
                "–"
              ) : (
                <>
                  {price.source} <Age value={price.at} />
                </>
              )}
            </Cell>
            <Cell>
              {asset.priceAdapter === null ? (
                "none"
              ) : (
                <Identifier value={asset.priceAdapter} what="address of the price adapter" />
              )}
            </Cell>
            <Cell>
              <Identifier value={asset.tokenAddress} what="address of the token" />
            </Cell>
            <Cell>
              <Accepted value={asset.accepted} />
            </Cell>
          </Row>
        );
      })}
    </Table>
  );
}

function Price({ usdWad }: { readonly usdWad: string }) {
  return <Figure value={fromWad(usdWad)} sign="$" minimumDigits={2} />;
}
