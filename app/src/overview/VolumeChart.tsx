import type { Schemas } from "../api/client.ts";
import { Usd } from "../components/Amount.tsx";
import { Empty } from "../components/Answer.tsx";
import { Chart } from "../components/Chart.tsx";
import { lpColor } from "../components/colors.ts";
import { Cell, Row, RowHead, Table } from "../components/Table.tsx";
import { Period } from "../components/Time.tsx";
import { chartHeight, parseDecimal, tickText } from "../format/amount.ts";
import { shortened } from "../format/names.ts";
import { periodText, placeText, secondsOf, utcText } from "../format/time.ts";
import { useDirectory } from "../shell/context.ts";

const NOTHING = "0.000000";

/** Volume by bucket, stacked by LP, and the same as a table. */
export function VolumeChart({ series: { buckets, interval } }: { readonly series: Schemas["VolumeSeries"] }) {
  const { lpAddresses, lpName, symbolOf } = useDirectory();
  const active = new Set(buckets.flatMap(({ lpVolumes }) => lpVolumes.map(({ lpAddress }) => lpAddress)));
  const lps = [...new Set([...lpAddresses, ...active])].filter((address) => active.has(address));
  const nameOf = (address: string) => lpName(address) ?? shortened(address);
  const amountOf = (bucket: Schemas["VolumeBucket"], lp: string) =>
    bucket.lpVolumes.find(({ lpAddress }) => lpAddress === lp)?.pricedVolumeUsd ?? NOTHING;
  if (lps.length === 0) return <Empty>No swap was settled in this range.</Empty>;
  return (
    <>
      <Chart
        name="Volume by LP in US dollars"
        kind="bars"
        axis={{ labels: buckets.map(({ from }) => placeText(secondsOf(from), interval)) }}
        series={lps.map((lp) => ({
          name: nameOf(lp),
          color: `--${lpColor(lpAddresses, lp)}`,
          heights: buckets.map((bucket) => chartHeight(parseDecimal(amountOf(bucket, lp)))),
        }))}
        tick={(height, step) => `$${tickText(height, step, "compact")}`}
        valueText={(index) => {
          const bucket = buckets[index];
          return bucket === undefined ? "" : `${textOf(bucket)}: ${bucket.pricedVolumeUsd} USD`;
        }}
      >
        {(index) => {
          const bucket = buckets[index];
          return (
            bucket !== undefined && (
              <>
                <Period from={bucket.from} to={bucket.to} />
                <ul className="legend">
                  <li>
                    Total <Usd value={bucket.pricedVolumeUsd} />
                  </li>
                  {lps.map((lp) => (
                    <li key={lp}>
                      <i className={lpColor(lpAddresses, lp)} /> {nameOf(lp)} <Usd value={amountOf(bucket, lp)} />
                    </li>
                  ))}
                </ul>
                {!bucket.pricingComplete && (
                  <span className="warning">
                    {bucket.unpricedLegCount} of {bucket.totalLegCount} legs have no price (
                    {bucket.missingPriceAssetIds.map(symbolOf).join(", ")})
                  </span>
                )}
              </>
            )
          );
        }}
      </Chart>
      <p className="muted">
        Stablecoins count as $1; swaps between RWAs count at the newest price read, so past volume changes with it.
        Volume includes derived legs: the prefunds and sweeps that CoreSwap adds for the reserve of an LP.
      </p>
      <details>
        <summary>Show as a table</summary>
        <Table
          caption="Volume by bucket"
          head={["From (UTC)", "Total", ...lps.map(nameOf), "Legs"]}
          numeric={numbers(lps)}
        >
          {buckets.map((bucket) => (
            <Row key={bucket.from}>
              <RowHead title={textOf(bucket)}>{utcText(secondsOf(bucket.from)).slice(0, 16)}</RowHead>
              <Cell isNumber>${bucket.pricedVolumeUsd}</Cell>
              {lps.map((lp) => (
                <Cell key={lp} isNumber>
                  ${amountOf(bucket, lp)}
                </Cell>
              ))}
              <Cell isNumber>{bucket.totalLegCount}</Cell>
            </Row>
          ))}
        </Table>
      </details>
    </>
  );
}

function textOf({ from, to }: Schemas["VolumeBucket"]): string {
  return periodText(secondsOf(from), secondsOf(to));
}

/** Every column but the first. */
function numbers(lps: readonly string[]): number[] {
  return [1, ...lps.map((_, index) => index + 2), lps.length + 2];
}
