import type { Schemas } from "../api/client.ts";
import { Empty } from "../components/Answer.tsx";
import { Panel, Table } from "../components/Panel.tsx";
import { Rate } from "../components/Terms.tsx";
import { assetIdText, shortened } from "../format/names.ts";
import { useDirectory } from "../shell/context.ts";

/** What the LP of a stablecoin charges for each asset, by the direction in which the asset moves. */
export function LpRates({ lp }: { readonly lp: Schemas["StablecoinTerms"] }) {
  const { symbolOf, assetByToken } = useDirectory();
  const title = `Rates of the ${lp.symbol ?? assetIdText(lp.stablecoinId)} LP`;
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
        <Table caption={title} head={["Asset", "Taken in", "Paid out"]} numeric={[1, 2]}>
          {rates.map(({ key, symbol, inWad, outWad }) => (
            <tr key={key}>
              <th scope="row">{symbol}</th>
              <td className="number">
                <Rate wad={inWad} />
              </td>
              <td className="number">
                <Rate wad={outWad} />
              </td>
            </tr>
          ))}
        </Table>
      )}
    </Panel>
  );
}
