import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Schemas } from "../api/client.ts";
import { Figure } from "../components/Amount.tsx";
import { Answer } from "../components/Answer.tsx";
import { Address } from "../components/Identifier.tsx";
import { Fact, Panel } from "../components/Panel.tsx";
import { Cell, Row, RowHead, Table } from "../components/Table.tsx";
import { Rate } from "../components/Terms.tsx";
import { ReadBlock } from "../components/Time.tsx";
import { fromWad } from "../format/amount.ts";
import { apiTime, DAY_SECONDS } from "../format/time.ts";
import { useDirectory, useNetwork } from "../shell/context.ts";
import { isShortfallUnknown, withoutText } from "./missingPrices.ts";
import { NextRate } from "./NextRate.tsx";
import { useKnownUntil } from "./summaryAge.ts";

type Delegate = Schemas["TreasuryDelegateSummary"];

/** What the treasury token owes and holds, and what it yields, as of the newest indexed block. */
export function Summary({ query }: { readonly query: UseQueryResult<Schemas["TreasurySummary"]> }): ReactNode {
  const knownUntil = useKnownUntil(query, useNetwork());
  return (
    <Answer query={query}>
      {({ delegates, block }) =>
        delegates.map((delegate) => (
          <DelegateSummary key={delegate.delegateAddress} delegate={delegate} block={block} knownUntil={knownUntil} />
        ))
      }
    </Answer>
  );
}

interface DelegateSummaryProps {
  readonly delegate: Delegate;
  readonly block: Schemas["TreasurySummary"]["block"];
  /** The time up to which the summary has every rate, in seconds. */
  readonly knownUntil: number;
}

function DelegateSummary({ delegate, block, knownUntil }: DelegateSummaryProps) {
  const { symbolOf } = useDirectory();
  const { decimals, solvency, yield: yields } = delegate;
  const symbol = symbolOf(delegate.stablecoinId);
  const tokens = (value: string) => (
    <Figure value={{ units: BigInt(value), decimals }} unit={symbol} maximumDigits={2} minimumDigits={2} />
  );
  return (
    <>
      <dl className="figures">
        <Fact name="Supply">{tokens(delegate.supply)}</Fact>
        <Fact name="Credits with yield">{tokens(solvency.liabilities)}</Fact>
        <Fact name="Reserve">
          <Reserve solvency={solvency} />
        </Fact>
        <Fact name="Surplus">
          {isShortfallUnknown(solvency) && <span className="badge warning">unknown</span>}{" "}
          <AtLeast solvency={solvency}>
            <UsdWad value={solvency.surplusUsdWad} />
          </AtLeast>
        </Fact>
        <Fact name="Solvency">
          <Verdict solvency={solvency} />
        </Fact>
      </dl>
      <dl className="figures">
        <Fact name="Net APY, newest day">
          <Apy wad={yields.currentApyWad} />
          {yields.lastPostedDay !== null && (
            <span className="small muted">
              {apiTime(Number(yields.lastPostedDay) * DAY_SECONDS).slice(0, 10)} (UTC)
            </span>
          )}
        </Fact>
        <Fact name="Net APY, 7 days">
          <Apy wad={yields.apy7DaysWad} />
        </Fact>
        <Fact name="Net APY, 30 days">
          <Apy wad={yields.apy30DaysWad} />
        </Fact>
        <Fact name="Net APY, 90 days">
          <Apy wad={yields.apy90DaysWad} />
        </Fact>
        <Fact name="Next rate">
          <NextRate yields={yields} knownUntil={knownUntil} />
        </Fact>
      </dl>
      <p className="muted">
        Read at <ReadBlock block={block} />. A treasury delegate that was replaced is left out, with the credits that
        accounts still have there; the supply includes their tokens.
      </p>
      <Panel title="Reserve by asset">
        <ReserveTable delegate={delegate} />
      </Panel>
    </>
  );
}

interface SolvencyProps {
  readonly solvency: Delegate["solvency"];
}

/** The value of the reserve. */
export function Reserve({ solvency }: SolvencyProps) {
  return (
    <AtLeast solvency={solvency}>
      <UsdWad value={solvency.assetsUsdWad} />
    </AtLeast>
  );
}

/** Whether the reserve covers what the treasury token owes, how much of it, and what of it may also back others. */
export function Verdict({ solvency }: SolvencyProps) {
  const { isSolvent, ratioWad, sharedAssetsUsdWad } = solvency;
  return (
    <>
      <Covered value={isSolvent} />{" "}
      {ratioWad !== null && (
        <AtLeast solvency={solvency}>
          <Rate wad={ratioWad} />
        </AtLeast>
      )}
      {sharedAssetsUsdWad !== "0" && (
        <>
          {" "}
          <span className="small">
            <UsdWad value={sharedAssetsUsdWad} /> of the reserve is shared with other LPs
          </span>
        </>
      )}
    </>
  );
}

/** A figure that depends on the reserve. It is a lower bound while the API leaves out assets that have no price. */
function AtLeast({ solvency, children }: SolvencyProps & { readonly children: ReactNode }) {
  const { symbolOf } = useDirectory();
  const without = withoutText(solvency, symbolOf);
  if (without === null) return children;
  return (
    <>
      at least {children} <span className="small warning">{without}</span>
    </>
  );
}

function Covered({ value }: { readonly value: boolean | null }) {
  if (value === null) return <span className="badge warning">unknown: prices are missing</span>;
  if (value) return <span className="badge good">covered</span>;
  return <span className="badge bad">not covered</span>;
}

function ReserveTable({ delegate }: { readonly delegate: Delegate }) {
  const { symbolOf } = useDirectory();
  const shared = new Set(delegate.reserveAccounts.flatMap(({ account, isShared }) => (isShared ? [account] : [])));
  return (
    <Table caption="Reserve by asset" head={["Asset", "Amount", "Price", "Value", "Held by"]} numeric={[1, 2, 3]}>
      {delegate.reserveAssets.map((asset) => (
        <Row key={asset.assetId}>
          <RowHead>{symbolOf(asset.assetId)}</RowHead>
          <Cell isNumber>
            <Figure value={{ units: BigInt(asset.amount), decimals: asset.decimals }} minimumDigits={2} />
          </Cell>
          <Cell isNumber>
            {asset.priceUsdWad === null ? (
              <span className="muted">none</span>
            ) : (
              <Figure value={fromWad(asset.priceUsdWad)} sign="$" minimumDigits={2} />
            )}
          </Cell>
          <Cell isNumber>
            {asset.valueUsdWad === null ? <span className="muted">unknown</span> : <UsdWad value={asset.valueUsdWad} />}
          </Cell>
          <Cell>
            <ul className="plain-list">
              {asset.balances
                .filter(({ amount }) => amount !== "0")
                .map(({ account, amount }) => (
                  <li key={account}>
                    <Address value={account} />{" "}
                    <Figure value={{ units: BigInt(amount), decimals: asset.decimals }} minimumDigits={2} />{" "}
                    {shared.has(account) && <span className="badge warning">shared</span>}
                  </li>
                ))}
            </ul>
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

/** US dollars times 10^18. */
function UsdWad({ value }: { readonly value: string }) {
  return <Figure value={fromWad(value)} sign="$" maximumDigits={2} minimumDigits={2} />;
}

/** A net APY as a percentage; none while too few days are posted. */
export function Apy({ wad }: { readonly wad: string | null }) {
  return wad === null ? <span className="muted">too few days</span> : <Rate wad={wad} />;
}
