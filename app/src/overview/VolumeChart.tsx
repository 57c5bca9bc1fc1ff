import type { Schemas } from "../api/client.ts";
import { Usd } from "../components/Amount.tsx";
import { Empty } from "../components/Answer.tsx";
import { Chart } from "../components/Chart.tsx";
import { lpColour } from "../components/colours.ts";
import { Table } from "../components/Panel.tsx";
import { chartHeight, parseDecimal } from "../format/amount.ts";
import { assetIdText, shortened } from "../format/names.ts";
import { placeText, secondsOf, utcText } from "../format/time.ts";
import { useDirectory } from "../shell/context.ts";

const NOTHING = "0.000000";
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 2 });

/** Volume by bucket, stacked by LP, and the same as a table. */
export function VolumeChart({ series: { buckets, interval } }: { readonly series: Schemas["VolumeSeries"] }) {
  const { lpAddresses, contractName } = useDirectory();
  const active = new Set(buckets.flatMap(({ lpVolumes }) => lpVolumes.map(({ lpAddress }) => lpAddress)));
  const lps = [...new Set([...lpAddresses, ...active])].filter((address) => active.has(address));
  const nameOf = (address: string) => contractName(address) ?? shortened(address);
  const amountOf = (bucket: Schemas["VolumeBucket"], lp: string) =>
    bucket.lpVolumes.find(({ lpAddress }) => lpAddress === lp)?.pricedVolumeUsd ?? NOTHING;
  if (lps.length === 0) return <Empty>No swap was settled in this range.</Empty>;
  return (
    <>
      <Chart
        name="Volume by LP in US dollars"
        kind="bars"
        places={buckets.map(({ from }) => placeText(secondsOf(from), interval))}
        series={lps.map((lp) => ({
          name: nameOf(lp),
          colour: lpColour(lpAddresses, lp),
          heights: buckets.map((bucket) => chartHeight(parseDecimal(amountOf(bucket, lp)))),
        }))}
        tick={(height) => `$${compact.format(height)}`}
        valueText={(index) => {
          const bucket = buckets[index];
          return bucket === undefined ? "" : `${utcText(secondsOf(bucket.from))}: ${bucket.pricedVolumeUsd} USD`;
        }}
      >
        {(index) => {
          const bucket = buckets[index];
          return (
            bucket !== undefined && (
              <>
                <span className="place">
                  {utcText(secondsOf(bucket.from)).slice(0, 16)} to {utcText(secondsOf(bucket.to)).slice(0, 16)} UTC
                </span>
                <ul className="legend">
                  <li>
                    Total <Usd value={bucket.pricedVolumeUsd} />
                  </li>
                  {lps.map((lp) => (
                    <li key={lp}>
                      <i className={lpColour(lpAddresses, lp).slice(2)} /> {nameOf(lp)}{" "}
                      <Usd value={amountOf(bucket, lp)} />
                    </li>
                  ))}
                </ul>
                {!bucket.pricingComplete && (
                  <span className="warning">
                    {bucket.unpricedLegCount} of {bucket.totalLegCount} legs have no price (
                    {bucket.missingPriceAssetIds.map(assetIdText).join(", ")})
                  </span>
                )}
              </>
            )
          );
        }}
      </Chart>
      <details>
        <summary>Show as a table</summary>
        <Table
          caption="Volume by bucket"
          head={["From (UTC)", "Total", ...lps.map(nameOf), "Legs"]}
          numeric={numbers(lps)}
        >
          {buckets.map((bucket) => (
            <tr key={bucket.from}>
              <th scope="row">{utcText(secondsOf(bucket.from)).slice(0, 16)}</th>
              <td className="number">${bucket.pricedVolumeUsd}</td>
              {lps.map((lp) => (
                <td key={lp} className="number">
                  ${amountOf(bucket, lp)}
                </td>
              ))}
              <td className="number">{bucket.totalLegCount}</td>
            </tr>
          ))}
        </Table>
      </details>
    </>
  );
}

/** Every column but the first. */
function numbers(lps: readonly string[]): number[] {
  return [1, ...lps.map((_, index) => index + 2), lps.length + 2];
}
