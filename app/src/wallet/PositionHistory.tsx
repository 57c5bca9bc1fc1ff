import type { Schemas } from "../api/client.ts";
import { Amount } from "../components/Amount.tsx";
import { Empty } from "../components/Answer.tsx";
import { Chart } from "../components/Chart.tsx";
import { Panel } from "../components/Panel.tsx";
import { Cell, Row, RowHead, Table } from "../components/Table.tsx";
import { Period } from "../components/Time.tsx";
import { chartHeight, exactText, tickText } from "../format/amount.ts";
import { periodText, placeText, secondsOf, timeText, utcText } from "../format/time.ts";
import { useDirectory } from "../shell/context.ts";

/** Amounts of a bucket, in the order of the table's columns. */
const FLOWS = [
  { name: "Deposited", of: (bucket) => bucket.deposited },
  { name: "Redeemed", of: (bucket) => bucket.redeemed },
  { name: "Yield claimed", of: (bucket) => bucket.yieldClaimed },
  { name: "Moved in", of: (bucket) => bucket.creditsMovedIn },
  { name: "Moved out", of: (bucket) => bucket.creditsMovedOut },
  { name: "Deposits less redemptions", of: ({ atEnd }) => atEnd.netDeposits },
  { name: "Yield claimed so far", of: ({ atEnd }) => atEnd.yieldClaimed },
  { name: "Credits", of: ({ atEnd }) => atEnd.credits },
] as const satisfies readonly { name: string; of: (bucket: Schemas["TreasuryPositionBucket"]) => string }[];

interface PositionHistoryProps {
  readonly account: Schemas["TreasuryAccountHistory"];
  readonly interval: Schemas["TreasuryHistory"]["interval"];
}

/** A wallet's deposits less redemptions with one delegate over time, and every change, as a chart and as a table. */
export function PositionHistory({ account: { stablecoinId, atStart, buckets }, interval }: PositionHistoryProps) {
  const { assetById, symbolOf } = useDirectory();
  const asset = assetById(stablecoinId);
  const symbol = symbolOf(stablecoinId);
  const token = { asset, symbol };
  const unit = asset === undefined ? `smallest units of ${symbol}` : symbol;
  const decimalOf = (units: string) => ({ units: BigInt(units), decimals: asset?.decimals ?? 0 });
  const hasAny = [atStart, ...buckets.map(({ atEnd }) => atEnd)].some(
    ({ deposited, creditsMovedIn }) => deposited !== "0" || creditsMovedIn !== "0",
  );
  return (
    <Panel title="Net deposits over time">
      {hasAny ? (
        <>
          <Chart
            name={`Deposits less redemptions in ${unit}`}
            kind="steps"
            axis={{ labels: buckets.map(({ from }) => placeText(secondsOf(from), interval)) }}
            series={[
              {
                name: "Deposits less redemptions",
                color: "--series-1",
                heights: buckets.map(({ atEnd }) => chartHeight(decimalOf(atEnd.netDeposits))),
              },
            ]}
            tick={(height, step) => tickText(height, step, "compact")}
            valueText={(index) => {
              const bucket = buckets[index];
              return bucket === undefined
                ? ""
                : `${timeText(secondsOf(bucket.to))}: ${exactText(decimalOf(bucket.atEnd.netDeposits))} ${unit}`;
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
                        <i className="series-1" /> Deposits less redemptions{" "}
                        <Amount value={bucket.atEnd.netDeposits} {...token} />
                      </li>
                      <li>
                        Deposited <Amount value={bucket.deposited} {...token} />
                      </li>
                      <li>
                        Redeemed <Amount value={bucket.redeemed} {...token} />
                      </li>
                      <li>
                        Yield claimed <Amount value={bucket.yieldClaimed} {...token} />
                      </li>
                    </ul>
                  </>
                )
              );
            }}
          </Chart>
          <details>
            <summary>Show as a table</summary>
            <Table
              caption="Position by interval"
              head={["From (UTC)", ...FLOWS.map(({ name }) => name)]}
              numeric={FLOWS.map((_, index) => index + 1)}
            >
              {buckets.map((bucket) => (
                <Row key={bucket.from}>
                  <RowHead title={periodText(secondsOf(bucket.from), secondsOf(bucket.to))}>
                    {utcText(secondsOf(bucket.from)).slice(0, 16)}
                  </RowHead>
                  {FLOWS.map(({ name, of }) => (
                    <Cell key={name} isNumber>
                      <Amount value={of(bucket)} {...token} />
                    </Cell>
                  ))}
                </Row>
              ))}
            </Table>
          </details>
        </>
      ) : (
        <Empty>This wallet had no credits of {symbol} by the end of the range.</Empty>
      )}
    </Panel>
  );
}
