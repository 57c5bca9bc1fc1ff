import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { seriesFilePath, seriesQuery, statusQuery, transactionsQuery, volumeQuery } from "../api/queries.ts";
import { Answer, Empty, isFirstLoad, Loading } from "../components/Answer.tsx";
import { Heading } from "../components/Heading.tsx";
import { defaultInterval, IntervalChoice } from "../components/IntervalChoice.tsx";
import { Panel } from "../components/Panel.tsx";
import { RangePicker, rangeOf } from "../components/RangePicker.tsx";
import { networkText, shortened } from "../format/names.ts";
import { useDirectory, useNetwork } from "../shell/context.ts";
import { HistoryTable } from "../transactions/HistoryTable.tsx";
import { FeeTable } from "./Fees.tsx";
import { Freshness } from "./Freshness.tsx";
import { LpVolumes } from "./LpVolumes.tsx";
import { Prices } from "./Prices.tsx";
import { Totals } from "./Totals.tsx";
import { TreasuryFigures } from "./TreasuryFigures.tsx";
import { VolumeChart } from "./VolumeChart.tsx";

const route = getRouteApi("/");
const NEWEST = 8;

/** Volume by LP over time, the treasury, the fees paid, the prices behind it, how fresh the index is, and what happened last. */
export function Overview(): ReactNode {
  const search = route.useSearch();
  const network = useNetwork();
  const range = rangeOf(search);
  const interval = search.interval ?? defaultInterval(range);
  const volume = useQuery(volumeQuery(network, range, search.lp));
  const series = useQuery(seriesQuery(network, range, interval, search.lp));
  const status = useQuery(statusQuery);
  const newest = useQuery(transactionsQuery({ network, limit: NEWEST }));
  // All parts appear at once, so that none moves another.
  if (isFirstLoad(volume, series, newest)) return <Loading />;
  return (
    <>
      <Heading text={`Overview of ${networkText(network)}`} isHidden />
      <div className="controls">
        <RangePicker search={search} />
        <IntervalChoice interval={interval} range={range} />
        <LpChoice chosen={search.lp} />
      </div>
      <Answer query={volume}>{(data) => <Totals volume={data} />}</Answer>
      <Panel
        title={`Volume by ${interval}`}
        aside={
          <a href={seriesFilePath(network, range, interval, search.lp)} download>
            Download CSV
          </a>
        }
      >
        <Answer query={series}>{(data) => <VolumeChart series={data} />}</Answer>
      </Panel>
      <TreasuryFigures />
      <div className="columns">
        <Panel title="Volume by LP">
          <Answer query={volume}>{(data) => <LpVolumes volume={data} isOfAll={search.lp === undefined} />}</Answer>
        </Panel>
        <Panel title="Prices used">
          <Answer query={volume}>{(data) => <Prices prices={data.usedPrices} />}</Answer>
        </Panel>
      </div>
      <Panel title="Fees by LP">
        <Answer query={volume}>{(data) => <FeeTable volume={data} />}</Answer>
      </Panel>
      <Panel title="Freshness" aside={<Link to="/status">Status</Link>}>
        <Answer query={status}>
          {(data) => <Freshness networks={data.networks} isStale={status.error !== null} />}
        </Answer>
      </Panel>
      <Panel title="Newest activity" aside={<Link to="/transactions">All transactions</Link>}>
        <Answer query={newest}>
          {({ transactions }) =>
            transactions.length === 0 ? (
              <Empty>No transaction is indexed yet.</Empty>
            ) : (
              <HistoryTable caption="Newest activity" transactions={transactions} />
            )
          }
        </Answer>
      </Panel>
    </>
  );
}

function LpChoice({ chosen }: { readonly chosen: string | undefined }) {
  const navigate = route.useNavigate();
  const { lpAddresses, contractName } = useDirectory();
  return (
    <label>
      <span>LP</span>
      <select
        value={chosen ?? ""}
        onChange={({ target }) => {
          const lp = target.value === "" ? undefined : target.value;
          void navigate({ search: (before) => ({ ...before, lp }) });
        }}
      >
        <option value="">all</option>
        {[...new Set([...lpAddresses, ...(chosen === undefined ? [] : [chosen])])].map((address) => (
          <option key={address} value={address}>
            {contractName(address) ?? shortened(address)}
          </option>
        ))}
      </select>
    </label>
  );
}
