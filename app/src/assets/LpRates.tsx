import type { Schemas } from "../api/client.ts";
import { Empty } from "../components/Answer.tsx";
import { Panel } from "../components/Panel.tsx";
import { Cell, Row, RowHead, Table } from "../components/Table.tsx";
import { Rate } from "../components/Terms.tsx";
import { shortened } from "../format/names.ts";
import { useDirectory } from "../shell/context.ts";

/** What the rates of an LP are. */
export function RatesNote() {
  return (
    <p className="muted">
      The protocol fee is deducted first. The LP's rates apply to the remainder: on the asset in, the discount of an RWA
      or the acceptance fee of a stablecoin, and on the asset out its redemption fee. Together they are the LP's spread,
      of which the protocol takes a part.
    </p>
  );
}

/** What the LP of a stablecoin charges for each asset, by the direction in which the asset moves. */
export function LpRates({ lp }: { readonly lp: Schemas["StablecoinTerms"] }) {
  const { symbolOf, assetByToken } = useDirectory();
  const title = `Rates of the ${symbolOf(lp.stablecoinId)} LP`;
  const rates = [
    ...lp.rwaRates.map(({ rwaId, discountRateWad, redemptionFeeWad }) => ({
      key: rwaId,
      symbol: symbolOf(rwaId),
      inWad: discountRateWad,
      outWad: redemptionFeeWad,
    })),
    ...lp.stablecoinRates.map(({ tokenAddress, acceptanceFeeWad, redemptionFeeWad }) => ({
      key: tokenAddress,
      symbol: assetByToken(tokenAddress)?.symbol ?? shortened(tokenAddress),
      inWad: acceptanceFeeWad,
      outWad: redemptionFeeWad,
    })),
  ];
  return (
    <Panel title={title}>
      {rates.length === 0 ? (
        <Empty>This LP has set no rate.</Empty>
      ) : (
        <Table
          caption={title}
          head={["Asset", "In: discount or acceptance fee", "Out: redemption fee"]}
          numeric={[1, 2]}
        >
          {rates.map(({ key, symbol, inWad, outWad }) => (
            <Row key={key}>
              <RowHead>{symbol}</RowHead>
              <Cell isNumber>
                <Rate wad={inWad} />
              </Cell>
              <Cell isNumber>
                <Rate wad={outWad} />
              </Cell>
            </Row>
          ))}
        </Table>
      )}
    </Panel>
  );
}
