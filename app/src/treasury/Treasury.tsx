import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Schemas } from "../api/client.ts";
import { ratesQuery, summaryQuery } from "../api/queries.ts";
import { Figure } from "../components/Amount.tsx";
import { Answer, Empty, isFirstLoad, Loading } from "../components/Answer.tsx";
import { Chart } from "../components/Chart.tsx";
import { Heading } from "../components/Heading.tsx";
import { Address, TransactionLink } from "../components/Identifier.tsx";
import { Fact, Panel } from "../components/Panel.tsx";
import { RangePicker, rangeOf } from "../components/RangePicker.tsx";
import { Cell, Row, RowHead, Table } from "../components/Table.tsx";
import { Time } from "../components/Time.tsx";
import { chartHeight, exactText, percentOfWad, tickText } from "../format/amount.ts";
import { networkText } from "../format/names.ts";
import { DAY_SECONDS, periodText, placeText, secondsOf } from "../format/time.ts";
import { useDirectory, useNetwork } from "../shell/context.ts";
import { Summary } from "./Summary.tsx";

const route = getRouteApi("/treasury");

/** The treasury token: what it owes and holds, its daily rates and what they make of a credit. */
export function Treasury(): ReactNode {
  const search = route.useSearch();
  const network = useNetwork();
  const summary = useQuery(summaryQuery(network));
  const rates = useQuery(ratesQuery(network, rangeOf(search)));
  // Shows both together, so that neither moves the other when it arrives.
  if (isFirstLoad(summary, rates)) {
    return (
      <>
        <Heading text={`Treasury on ${networkText(network)}`} />
        <Loading />
      </>
    );
  }
  return (
    <>
      <Heading text={`Treasury on ${networkText(network)}`} />
      <Summary query={summary} />
      <div className="controls">
        <RangePicker search={search} />
      </div>
      <Answer query={rates}>
        {({ delegates }) =>
          delegates.length === 0 ? (
            <Empty>No yield-bearing delegate is registered on this network.</Empty>
          ) : (
            delegates.map((delegate) => <Delegate key={delegate.delegateAddress} delegate={delegate} />)
          )
        }
      </Answer>
    </>
  );
}

function Delegate({ delegate }: { readonly delegate: Schemas["TreasuryDelegateRates"] }) {
  const { symbolOf } = useDirectory();
  const { rates, stablecoinId } = delegate;
  const newest = rates.at(-1);
  if (newest === undefined) return <Empty>No day with a posted rate begins in this range.</Empty>;
  const places = rates.map(({ startsAt }) => placeText(secondsOf(startsAt), "day"));
  return (
    <>
      <dl className="figures">
        <Fact name="Token">{symbolOf(stablecoinId)}</Fact>
        <Fact name="Newest posted day of the range">
          <span className="small">{newest.startsAt.slice(0, 10)} (UTC)</span>
        </Fact>
        <Fact name="Net APY of that day">
          <Percent wad={newest.rateWad} />
        </Fact>
        <Fact name="Growth index of that day">
          <Index value={newest.growthIndexE36} />
        </Fact>
      </dl>
      <div className="columns">
        <Panel title="Net APY by day">
          <Chart
            name="Net APY by day in percent"
            kind="steps"
            axis={{ labels: places }}
            series={[
              {
                name: "Net APY",
                color: "--series-1",
                heights: rates.map(({ rateWad }) => chartHeight(percentOfWad(BigInt(rateWad)))),
              },
            ]}
            tick={(height, step) => `${tickText(height, step)} %`}
            valueText={(index) =>
              dayText(rates[index], ({ rateWad }) => `${exactText(percentOfWad(BigInt(rateWad)))} %`)
            }
          >
            {(index) => {
              const day = rates[index];
              return (
                day !== undefined && (
                  <ul className="legend">
                    <li className="place">{hoursOf(day)}</li>
                    <li>
                      <i className="series-1" /> Net APY <Percent wad={day.rateWad} />
                    </li>
                    {day.corrections.length > 0 && (
                      <li>
                        posted as <Percent wad={day.postedRateWad} />, corrected
                      </li>
                    )}
                  </ul>
                )
              );
            }}
          </Chart>
        </Panel>
        <Panel title="Growth index">
          <Chart
            name="Growth index by day"
            kind="line"
            axis={{ labels: places }}
            series={[
              {
                name: "Growth index",
                color: "--series-2",
                heights: rates.map(({ growthIndexE36 }) =>
                  chartHeight({ units: BigInt(growthIndexE36), decimals: 36 }),
                ),
              },
            ]}
            tick={tickText}
            valueText={(index) =>
              dayText(rates[index], ({ growthIndexE36 }) => exactText({ units: BigInt(growthIndexE36), decimals: 36 }))
            }
          >
            {(index) => {
              const day = rates[index];
              return (
                day !== undefined && (
                  <ul className="legend">
                    <li className="place">{hoursOf(day)}</li>
                    <li>
                      <i className="series-2" /> Growth index <Index value={day.growthIndexE36} />
                    </li>
                  </ul>
                )
              );
            }}
          </Chart>
          <p className="muted">
            The growth of all posted days, multiplied: between two days, credits grow by its ratio.
          </p>
        </Panel>
      </div>
      <Panel title="Posted days" aside={<Address value={delegate.delegateAddress} />}>
        <RateTable rates={rates} />
      </Panel>
    </>
  );
}

function RateTable({ rates }: { readonly rates: readonly Schemas["DailyRate"][] }) {
  return (
    <Table
      caption="Posted days, newest first"
      head={[
        "Day (UTC)",
        "Net APY in force",
        "Growth of the day",
        "Growth index",
        "Posted",
        "Transaction",
        "Corrections",
      ]}
      numeric={[1, 2, 3]}
    >
      {rates.toReversed().map((rate) => (
        <Row key={rate.dayNumber}>
          <RowHead title={`day ${rate.dayNumber}, ${hoursOf(rate)}`}>{rate.startsAt.slice(0, 10)}</RowHead>
          <Cell isNumber>
            <Percent wad={rate.rateWad} />
          </Cell>
          <Cell isNumber>
            <Figure value={percentOfWad(BigInt(rate.growthWad))} unit="%" />
          </Cell>
          <Cell isNumber>
            <Index value={rate.growthIndexE36} />
          </Cell>
          <Cell>
            <Time value={rate.postedAt} />
          </Cell>
          <Cell>
            <TransactionLink hash={rate.transactionHash} />
          </Cell>
          <Cell>
            {rate.corrections.length === 0 ? (
              <span className="muted">none</span>
            ) : (
              <ul className="plain-list">
                {rate.corrections.map((correction) => (
                  <li key={correction.transactionHash}>
                    <Percent wad={correction.oldRateWad} /> to <Percent wad={correction.newRateWad} />,{" "}
                    <Time value={correction.correctedAt} />
                  </li>
                ))}
              </ul>
            )}
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

function Percent({ wad }: { readonly wad: string }) {
  return <Figure value={percentOfWad(BigInt(wad))} unit="%" maximumDigits={4} />;
}

function Index({ value }: { readonly value: string }) {
  return <Figure value={{ units: BigInt(value), decimals: 36 }} maximumDigits={8} />;
}

/** The beginning and the end of a day, which is one of UTC. */
function hoursOf({ startsAt }: Schemas["DailyRate"]): string {
  const from = secondsOf(startsAt);
  return periodText(from, from + DAY_SECONDS);
}

function dayText(day: Schemas["DailyRate"] | undefined, textOf: (day: Schemas["DailyRate"]) => string): string {
  return day === undefined ? "" : `${hoursOf(day)}: ${textOf(day)}`;
}
