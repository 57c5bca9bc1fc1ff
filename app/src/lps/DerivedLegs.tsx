import type { Schemas } from "../api/client.ts";
import { Figure } from "../components/Amount.tsx";
import { Panel } from "../components/Panel.tsx";
import { Cell, Row, RowHead, Table } from "../components/Table.tsx";
import { MAX_UINT256 } from "../format/amount.ts";
import { useDirectory } from "../shell/context.ts";

interface AllowanceProps {
  readonly value: string;
  readonly decimals: number;
}

/** An allowance; the largest number means no limit. */
export function Allowance({ value, decimals }: AllowanceProps) {
  const units = BigInt(value);
  if (units === MAX_UINT256) return <span className="muted">no limit</span>;
  return <Figure value={{ units, decimals }} minimumDigits={2} />;
}

interface DerivedLegsProps {
  readonly liquidity: Schemas["LpLiquidity"];
  readonly derivedLegs: Schemas["DerivedLegs"];
}

/** What the custody still allows deposits into its reserve and redemptions from it to move. */
export function DerivedLegs({ liquidity: { stablecoinId }, derivedLegs }: DerivedLegsProps) {
  const { symbolOf, assetById } = useDirectory();
  const { reserveStablecoinId, sweep, prefund } = derivedLegs;
  const rows = [
    { name: "Sweep into the reserve", assetId: stablecoinId, ...sweep },
    { name: "Prefund from the reserve", assetId: reserveStablecoinId, ...prefund },
  ];
  return (
    <Panel title={`Reserve in ${symbolOf(reserveStablecoinId)}`}>
      <Table
        caption="Allowances of derived legs"
        head={["Derived leg", "Asset", "Allowed to CoreSwap", "Approved for its LP"]}
        numeric={[2, 3]}
      >
        {rows.map(({ name, assetId, inputAllowance, approval }) => {
          const decimals = assetById(assetId)?.decimals ?? 0;
          return (
            <Row key={name}>
              <RowHead>{name}</RowHead>
              <Cell>{symbolOf(assetId)}</Cell>
              <Cell isNumber>
                <Allowance value={inputAllowance} decimals={decimals} />
              </Cell>
              <Cell isNumber>
                <Allowance value={approval} decimals={decimals} />
              </Cell>
            </Row>
          );
        })}
      </Table>
      <p className="muted">
        A sweep deposits into the reserve what the custody receives, and a prefund redeems from it what a payout lacks,
        as far as both allowances reach.
      </p>
    </Panel>
  );
}
