import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { Schemas } from "../api/client.ts";
import { navsQuery } from "../api/queries.ts";
import { Figure } from "../components/Amount.tsx";
import { Answer, Empty } from "../components/Answer.tsx";
import { Chart } from "../components/Chart.tsx";
import { Address, Identifier, TransactionLink } from "../components/Identifier.tsx";
import { Fact, Panel } from "../components/Panel.tsx";
import { RangePicker, rangeOf } from "../components/RangePicker.tsx";
import { Cell, Row, RowHead, Table } from "../components/Table.tsx";
import { Age, Moment, Time } from "../components/Time.tsx";
import { chartHeight, exactText, fromWad, tickText } from "../format/amount.ts";
import { secondsOf, timeText } from "../format/time.ts";
import { useDirectory, useNetwork } from "../shell/context.ts";
import { navSteps } from "./navSteps.ts";

const route = getRouteApi("/assets");

type Change = Schemas["NavChange"];

/** The NAVs of one RWA over time, which the reader selects. */
export function NavHistory({ rwas }: { readonly rwas: readonly Schemas["RwaTerms"][] }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { symbolOf } = useDirectory();
  const rwaId = search.rwa ?? rwas[0]?.rwaId;
  if (rwaId === undefined) return null;
  return (
    <Panel title="NAV history">
      <div className="controls">
        <label>
          <span>RWA</span>
          <select
            value={rwaId}
            onChange={({ target }) => void navigate({ search: (before) => ({ ...before, rwa: target.value }) })}
          >
            {rwas.map((asset) => (
              <option key={asset.rwaId} value={asset.rwaId}>
                {symbolOf(asset.rwaId)}
              </option>
            ))}
            {rwas.every((asset) => asset.rwaId !== rwaId) && <option value={rwaId}>{symbolOf(rwaId)}</option>}
          </select>
        </label>
        <RangePicker search={search} />
      </div>
      <Navs rwaId={rwaId} />
    </Panel>
  );
}

function Navs({ rwaId }: { readonly rwaId: string }) {
  const navs = useQuery(navsQuery(useNetwork(), rwaId, rangeOf(route.useSearch())));
  return (
    <Answer query={navs}>
      {({ from, to, before, changes, hasMore }) => {
        // With more changes than are shown, the one before the range does not precede them.
        const all = before === null || hasMore ? changes : [...changes, before];
        const newest = all[0];
        if (newest === undefined) return <Empty>The RWA had no price adapter by the end of the range.</Empty>;
        return (
          <>
            <dl className="facts">
              <Fact name="Newest NAV in the range">
                {newest.navWad === null ? (
                  "none posted"
                ) : (
                  <Figure value={fromWad(newest.navWad)} sign="$" minimumDigits={2} />
                )}
              </Fact>
              <Fact name="Posted">{newest.navPostedAt === null ? "–" : <Age value={newest.navPostedAt} />}</Fact>
            </dl>
            {hasMore && (
              <div className="notice stale" role="status">
                <strong>Not all of the range.</strong> Only the newest {changes.length} changes are shown.
              </div>
            )}
            <NavChart changes={all.toReversed()} from={from} to={to} />
            <NavTable changes={all} />
          </>
        );
      }}
    </Answer>
  );
}

interface NavChartProps {
  /** Oldest first. */
  readonly changes: readonly Change[];
  /** Bounds of the range. */
  readonly from: string;
  readonly to: string;
}

/** The NAV over time. It has gaps where the adapter in force posts none. */
function NavChart({ changes, from, to }: NavChartProps) {
  if (changes.every(({ navWad }) => navWad === null))
    return <Empty>Its price adapter takes the price from elsewhere and posts no NAV.</Empty>;
  const navs = navSteps(changes, { from, to, now: Math.floor(Date.now() / 1000) });
  return (
    <Chart
      name="NAV in US dollars"
      kind="steps"
      axis={{ times: navs.map(({ at }) => secondsOf(at)) }}
      series={[
        {
          name: "NAV",
          color: "--series-1",
          heights: navs.map(({ navWad }) => (navWad === null ? null : chartHeight(fromWad(navWad)))),
        },
      ]}
      tick={(height, step) => `$${tickText(height, step)}`}
      valueText={(index) => {
        const nav = navs[index];
        if (nav === undefined) return "";
        const shown = nav.navWad === null ? "none posted" : `${exactText(fromWad(nav.navWad))} USD`;
        return `${timeText(secondsOf(nav.at))}: ${shown}`;
      }}
    >
      {(index) => {
        const nav = navs[index];
        return (
          nav !== undefined && (
            <ul className="legend">
              <li>
                <Moment value={nav.at} />
              </li>
              <li>
                <i className="series-1" /> NAV{" "}
                {nav.navWad === null ? (
                  "none posted"
                ) : (
                  <Figure value={fromWad(nav.navWad)} sign="$" minimumDigits={2} />
                )}
              </li>
            </ul>
          )
        );
      }}
    </Chart>
  );
}

/** @param changes newest first */
function NavTable({ changes }: { readonly changes: readonly Change[] }) {
  return (
    <Table
      caption="NAVs, newest first"
      head={["From", "Event", "USD per token", "Posted", "Poster", "Price adapter", "Transaction"]}
      numeric={[2]}
    >
      {changes.map(
        ({ kind, at, navWad, navPostedAt, poster, priceAdapter, transactionHash, blockNumber, logIndex }) => (
          <Row key={`${blockNumber}/${logIndex}`}>
            <RowHead>
              <Time value={at} />
            </RowHead>
            <Cell>{kind === "post" ? "NAV posted" : "adapter set"}</Cell>
            <Cell isNumber>
              {navWad === null ? "–" : <Figure value={fromWad(navWad)} sign="$" minimumDigits={2} />}
            </Cell>
            <Cell>{navPostedAt === null ? "–" : <Age value={navPostedAt} />}</Cell>
            <Cell>{poster === null ? "–" : <Address value={poster} />}</Cell>
            <Cell>
              {priceAdapter === null ? "none" : <Identifier value={priceAdapter} what="address of the price adapter" />}
            </Cell>
            <Cell>
              <TransactionLink hash={transactionHash} />
            </Cell>
          </Row>
        ),
      )}
    </Table>
  );
}
