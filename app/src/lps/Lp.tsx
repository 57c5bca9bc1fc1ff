import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { maxUint96 } from "viem";
import type { Schemas } from "../api/client.ts";
import { assetsQuery, lpQuery } from "../api/queries.ts";
import { LpRates, RatesNote } from "../assets/LpRates.tsx";
import { pricesById } from "../assets/prices.ts";
import { Figure, Usd } from "../components/Amount.tsx";
import { Answer, isFirstLoad, Loading } from "../components/Answer.tsx";
import { Heading } from "../components/Heading.tsx";
import { Address, Identifier } from "../components/Identifier.tsx";
import { Fact, Panel } from "../components/Panel.tsx";
import { Cell, Row, RowHead, Table } from "../components/Table.tsx";
import { ReadBlock } from "../components/Time.tsx";
import { fromWad, grouped, WAD_DECIMALS } from "../format/amount.ts";
import { networkText } from "../format/names.ts";
import { useDirectory, useNetwork } from "../shell/context.ts";
import { Allowance, DerivedLegs } from "./DerivedLegs.tsx";
import { uncountedIntakeOf } from "./uncountedIntake.ts";

const route = getRouteApi("/lps/$address");

const NO_PRICES: ReadonlyMap<string, bigint> = new Map();

/** The largest cap of what comes in, which means no cap. */
const NO_CAP = maxUint96;

/** One LP: what it settled and earned, what its custody holds and allows, and what it charges. */
export function Lp(): ReactNode {
  const address = route.useParams().address.toLowerCase();
  const network = useNetwork();
  const { contractName, symbolOf } = useDirectory();
  const lp = useQuery(lpQuery(network, address));
  const assets = useQuery(assetsQuery(network));
  const settlesIn = termsOf(assets.data, address)?.stablecoinId;
  const heading = <Heading text={`${contractName(address) ?? "LP"} on ${networkText(network)}`} />;
  // Shows both together, so that neither moves the other when it arrives.
  if (isFirstLoad(lp, assets)) {
    return (
      <>
        {heading}
        <Loading />
      </>
    );
  }
  return (
    <>
      {heading}
      <p>
        <Identifier value={address} what="address of the LP" isLong />
      </p>
      <Answer query={lp}>
        {({ volume, liquidity }) => (
          <>
            <Earnings
              volume={volume}
              address={address}
              symbol={settlesIn === undefined ? undefined : symbolOf(settlesIn)}
            />
            {liquidity === null ? (
              <NotAnLp isFormer={volume.totalLegCount > 0} />
            ) : (
              <Liquidity liquidity={liquidity} address={address} assets={assets.data} />
            )}
          </>
        )}
      </Answer>
      <Answer query={assets}>
        {(all) => {
          const terms = termsOf(all, address);
          if (terms === undefined) return null;
          return (
            <>
              <LpRates lp={terms} />
              <RatesNote />
            </>
          );
        }}
      </Answer>
    </>
  );
}

/** The stablecoin that an LP settles in, with its rates. Undefined for an address that is no LP now. */
function termsOf(assets: Schemas["Assets"] | undefined, address: string) {
  return assets?.stablecoins.find(({ lpAddress }) => lpAddress === address);
}

/** Why there is no more to say about an address than the legs that it settled, if any. */
function NotAnLp({ isFormer }: { readonly isFormer: boolean }) {
  return (
    <div className="notice" role="status">
      {isFormer ? (
        <>
          <strong>A former LP.</strong> CoreSwap has replaced this delegate. It settles no more swaps.
        </>
      ) : (
        <>
          <strong>Not an LP.</strong> No registered stablecoin of this network has this delegate.
        </>
      )}
    </div>
  );
}

interface EarningsProps {
  readonly volume: Schemas["Lp"]["volume"];
  readonly address: string;
  /** Of the stablecoin in which the fees are. Undefined when it is not known. */
  readonly symbol: string | undefined;
}

function Earnings({ volume, address, symbol }: EarningsProps) {
  return (
    <>
      <dl className="figures">
        <Fact name="Volume since its first leg">
          <Usd value={volume.pricedVolumeUsd} />
        </Fact>
        <Fact name="Swap legs">
          {grouped(String(volume.totalLegCount))}
          {volume.unpricedLegCount > 0 && <span className="warning"> {volume.unpricedLegCount} without a price</span>}
        </Fact>
        <Fact name="LP fees earned">
          <Nominal wad={volume.lpFeeWad} symbol={symbol} />
        </Fact>
        <Fact name="Spread fees to the protocol">
          <Nominal wad={volume.spreadFeeWad} symbol={symbol} />
        </Fact>
        <Fact name="Issuer fees to the protocol">
          <Nominal wad={volume.issuerFeeWad} symbol={symbol} />
        </Fact>
      </dl>
      <p className="muted">
        Fees are in units of the LP's stablecoin. Volume and legs include derived legs: the prefunds and sweeps that
        CoreSwap adds for the reserve of an LP.{" "}
        <Link to="/" search={(before) => ({ network: before.network, lp: address })}>
          Volume and fees over time
        </Link>
      </p>
    </>
  );
}

/** Fees in nominal units of the settling stablecoin. */
function Nominal({ wad, symbol }: { readonly wad: string; readonly symbol: string | undefined }) {
  return <Figure value={fromWad(wad)} minimumDigits={2} {...(symbol !== undefined && { unit: symbol })} />;
}

interface LiquidityProps {
  readonly liquidity: Schemas["LpLiquidity"];
  readonly address: string;
  /** With their prices. Undefined when they are not known. */
  readonly assets: Schemas["Assets"] | undefined;
}

function Liquidity({ liquidity, address, assets }: LiquidityProps) {
  const { isPausedByGuardian, isPausedByIssuer, yieldBearing, holdings, derivedLegs, block } = liquidity;
  const pausedBy = [...(isPausedByGuardian ? ["the guardian"] : []), ...(isPausedByIssuer ? ["its issuer"] : [])];
  return (
    <>
      {pausedBy.length > 0 && (
        <div className="notice stale" role="status">
          <strong>Paused by {pausedBy.join(" and ")}.</strong> No leg of this LP goes through meanwhile.
        </div>
      )}
      <Panel title="Custody" aside={<ReadBlock block={block} />}>
        <Holdings
          holdings={holdings}
          uncounted={uncountedIntakeOf(liquidity, address)}
          prices={assets === undefined ? NO_PRICES : pricesById(assets)}
        />
        <p className="muted">
          A payout needs a balance and an approval. The intake cap limits how much of each asset can still come in.
          {!yieldBearing &&
            " The cap of the LP's own stablecoin counts only what pays for RWAs; payouts free no room, and it does not apply while one account other than the LP is both custodies."}{" "}
          Values are at the USD value of a stablecoin, and at the newest NAV or price of an RWA.
        </p>
      </Panel>
      {derivedLegs !== null && <DerivedLegs liquidity={liquidity} derivedLegs={derivedLegs} />}
    </>
  );
}

interface HoldingsProps {
  readonly holdings: readonly Schemas["LpHolding"][];
  /** The stablecoin whose cap does not apply; null if there is none. */
  readonly uncounted: string | null;
  /** USD per whole token times 10^18, by asset. */
  readonly prices: ReadonlyMap<string, bigint>;
}

function Holdings({ holdings, uncounted, prices }: HoldingsProps) {
  const { symbolOf } = useDirectory();
  return (
    <Table
      caption="Custody of the LP"
      head={["Asset", "Balance", "Value", "Approved for the LP", "Available intake", "Daily cap", "Custody"]}
      numeric={[1, 2, 3, 4, 5]}
    >
      {holdings.map(({ assetId, decimals, custody, balance, approval, intakeCapPerDay, intakeAvailable }) => {
        const price = prices.get(assetId);
        return (
          <Row key={assetId}>
            <RowHead>{symbolOf(assetId)}</RowHead>
            <Cell isNumber>
              {balance === null ? "–" : <Figure value={{ units: BigInt(balance), decimals }} minimumDigits={2} />}
            </Cell>
            <Cell isNumber>
              {balance === null || price === undefined ? (
                "–"
              ) : (
                <Figure
                  value={{ units: BigInt(balance) * price, decimals: decimals + WAD_DECIMALS }}
                  sign="$"
                  maximumDigits={2}
                  minimumDigits={2}
                />
              )}
            </Cell>
            <Cell isNumber>
              {custody === null ? (
                "–"
              ) : approval === null ? (
                <span className="muted">not needed</span>
              ) : (
                <Allowance value={approval} decimals={decimals} />
              )}
            </Cell>
            <Cell isNumber>
              {assetId === uncounted && intakeCapPerDay !== String(NO_CAP) ? (
                <span className="muted">not counted</span>
              ) : (
                <Intake amount={intakeAvailable} cap={intakeCapPerDay} decimals={decimals} />
              )}
            </Cell>
            <Cell isNumber>
              <Intake amount={intakeCapPerDay} cap={intakeCapPerDay} decimals={decimals} />
            </Cell>
            <Cell>{custody === null ? <span className="warning">not set</span> : <Address value={custody} />}</Cell>
          </Row>
        );
      })}
    </Table>
  );
}

interface IntakeProps {
  readonly amount: string | null;
  readonly cap: string | null;
  readonly decimals: number;
}

/** An amount under an intake cap. The API has none for treasury tokens at their own LP, which burns them. */
function Intake({ amount, cap, decimals }: IntakeProps) {
  if (amount === null || cap === null) return <span className="muted">own token</span>;
  if (BigInt(cap) === NO_CAP) return <span className="muted">no cap</span>;
  return <Figure value={{ units: BigInt(amount), decimals }} minimumDigits={2} />;
}
