import type { Schemas } from "../api/client.ts";
import { Figure, Usd } from "../components/Amount.tsx";
import { Empty } from "../components/Answer.tsx";
import { lpColor } from "../components/colors.ts";
import { Address } from "../components/Identifier.tsx";
import { Cell, Row, RowHead, Table } from "../components/Table.tsx";
import { parseDecimal, share } from "../format/amount.ts";
import { useDirectory } from "../shell/context.ts";

/** LPs with the largest volume first. */
export function byVolume(lps: Schemas["Volume"]["lpVolumes"]): Schemas["Volume"]["lpVolumes"] {
  return lps.toSorted((a, b) => {
    const more = parseDecimal(b.pricedVolumeUsd).units - parseDecimal(a.pricedVolumeUsd).units;
    return more > 0n ? 1 : more < 0n ? -1 : 0;
  });
}

interface LpVolumesProps {
  readonly volume: Schemas["Volume"];
  /** Whether the volume is that of all LPs, so that each has a share of it. */
  readonly isOfAll: boolean;
}

/** Volume of each LP. */
export function LpVolumes({ volume: { lpVolumes, pricedVolumeUsd }, isOfAll }: LpVolumesProps) {
  const { lpAddresses } = useDirectory();
  if (lpVolumes.length === 0) return <Empty>No LP settled a swap in this range.</Empty>;
  return (
    <>
      <Table caption="Volume by LP" head={["LP", "Volume", "Share", "Legs", "Without price"]} numeric={[1, 2, 3, 4]}>
        {byVolume(lpVolumes).map((lp) => (
          <Row key={lp.lpAddress}>
            <RowHead>
              <i className={lpColor(lpAddresses, lp.lpAddress)} /> <Address value={lp.lpAddress} isLp />
            </RowHead>
            <Cell isNumber>
              <Usd value={lp.pricedVolumeUsd} />
            </Cell>
            <Cell isNumber>{isOfAll ? <Share part={lp.pricedVolumeUsd} whole={pricedVolumeUsd} /> : "–"}</Cell>
            <Cell isNumber>{lp.totalLegCount}</Cell>
            <Cell isNumber>{lp.unpricedLegCount}</Cell>
          </Row>
        ))}
      </Table>
      <p className="muted">
        A swap has one or more legs. Each exchanges one asset for another, settled by the LP of one stablecoin.
      </p>
    </>
  );
}

function Share({ part, whole }: { readonly part: string; readonly whole: string }) {
  const percentage = share(parseDecimal(part), parseDecimal(whole));
  return percentage === null ? "–" : <Figure value={percentage} unit="%" maximumDigits={2} minimumDigits={2} />;
}
