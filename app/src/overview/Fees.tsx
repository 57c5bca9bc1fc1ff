import type { Schemas } from "../api/client.ts";
import { Figure } from "../components/Amount.tsx";
import { Empty } from "../components/Answer.tsx";
import { lpColor } from "../components/colors.ts";
import { Address } from "../components/Identifier.tsx";
import { Cell, Row, RowHead, Table } from "../components/Table.tsx";
import { fromWad } from "../format/amount.ts";
import { useDirectory } from "../shell/context.ts";
import { byVolume } from "./LpVolumes.tsx";

type Fees = Pick<Schemas["Volume"], "issuerFeeWad" | "spreadFeeWad" | "lpFeeWad">;

/** What the legs of each LP and of all LPs paid, by the kind of fee. */
export function FeeTable({ volume }: { readonly volume: Schemas["Volume"] }) {
  const { lpAddresses } = useDirectory();
  if (volume.lpVolumes.length === 0) return <Empty>No fee was paid in this range.</Empty>;
  return (
    <>
      <Table
        caption="Fees by LP"
        head={["LP", "Issuer fee (stablecoins)", "Spread fee (stablecoins)", "LP fee (stablecoins)"]}
        numeric={[1, 2, 3]}
      >
        {byVolume(volume.lpVolumes).map((lp) => (
          <Row key={lp.lpAddress}>
            <RowHead>
              <i className={lpColor(lpAddresses, lp.lpAddress)} /> <Address value={lp.lpAddress} isLp />
            </RowHead>
            <FeeCells fees={lp} />
          </Row>
        ))}
        <Row>
          <RowHead>all</RowHead>
          <FeeCells fees={volume} />
        </Row>
      </Table>
      <p className="muted">
        Fees are in units of the settling stablecoins, each of which counts as 1. Issuer fee and spread fee go to the
        protocol, the LP fee to the LP.
      </p>
    </>
  );
}

function FeeCells({ fees }: { readonly fees: Fees }) {
  return (["issuerFeeWad", "spreadFeeWad", "lpFeeWad"] as const).map((kind) => (
    <Cell key={kind} isNumber>
      <Figure value={fromWad(fees[kind])} minimumDigits={2} />
    </Cell>
  ));
}
