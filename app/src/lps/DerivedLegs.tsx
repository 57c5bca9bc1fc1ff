import { useQuery } from "@tanstack/react-query";
import { maxUint256 } from "viem";
import type { Schemas } from "../api/client.ts";
import { accountsQuery } from "../api/queries.ts";
import { Amount, Figure } from "../components/Amount.tsx";
import { useIsStale } from "../components/Answer.tsx";
import { Fact, Panel } from "../components/Panel.tsx";
import { NoAnswer } from "../components/State.tsx";
import { Cell, Row, RowHead, Table } from "../components/Table.tsx";
import { ReadBlock } from "../components/Time.tsx";
import { useDirectory, useNetwork } from "../shell/context.ts";

interface AllowanceProps {
  readonly value: string;
  readonly decimals: number;
}

/** An allowance; the largest number means no limit. */
export function Allowance({ value, decimals }: AllowanceProps) {
  const units = BigInt(value);
  if (units === maxUint256) return <span className="muted">no limit</span>;
  return <Figure value={{ units, decimals }} minimumDigits={2} />;
}

interface DerivedLegsProps {
  readonly liquidity: Schemas["LpLiquidity"];
  readonly derivedLegs: Schemas["DerivedLegs"];
}

/** What the custody has in its reserve, and still allows deposits into it and redemptions from it to move. */
export function DerivedLegs({ liquidity: { stablecoinId, holdings, block }, derivedLegs }: DerivedLegsProps) {
  const { symbolOf, assetById } = useDirectory();
  const custody = holdings.find(({ assetId }) => assetId === stablecoinId)?.custody ?? null;
  const { reserveStablecoinId, sweep, prefund } = derivedLegs;
  const rows = [
    { name: "Sweep into the reserve", assetId: stablecoinId, ...sweep },
    { name: "Prefund from the reserve", assetId: reserveStablecoinId, ...prefund },
  ];
  return (
    <Panel title={`Reserve in ${symbolOf(reserveStablecoinId)}`}>
      {custody !== null && <Reserve custody={custody} stablecoinId={reserveStablecoinId} />}
      <Table
        caption="Allowances of derived legs"
        head={["Derived leg", "Asset", "Allowed to CoreSwap", "Approved for its LP"]}
        numeric={[2, 3]}
      >
        {rows.map(({ name, assetId, inputAllowance, approval }) => {
          const [asset, symbol] = [assetById(assetId), symbolOf(assetId)];
          const allowance = (units: string) =>
            asset === undefined ? (
              <Amount value={units} asset={asset} symbol={symbol} />
            ) : (
              <Allowance value={units} decimals={asset.decimals} />
            );
          return (
            <Row key={name}>
              <RowHead>{name}</RowHead>
              <Cell>{symbol}</Cell>
              <Cell isNumber>{allowance(inputAllowance)}</Cell>
              <Cell isNumber>{allowance(approval)}</Cell>
            </Row>
          );
        })}
      </Table>
      <p className="muted">
        Allowances read at <ReadBlock block={block} />. A sweep deposits into the reserve what the custody receives, and
        a prefund redeems from it what a payout lacks, as far as both allowances reach. The value is that of a
        redemption for a stablecoin, in {symbolOf(reserveStablecoinId)} at face value.
      </p>
    </Panel>
  );
}

interface ReserveProps {
  readonly custody: string;
  readonly stablecoinId: string;
}

/** What the custody holds of the treasury token, and what its redemption would pay. */
function Reserve({ custody, stablecoinId }: ReserveProps) {
  const { symbolOf, assetById } = useDirectory();
  const query = useQuery(accountsQuery(useNetwork(), custody));
  const { data } = query;
  const isStale = useIsStale(query);
  const account = data?.accounts.find((each) => each.stablecoinId === stablecoinId);
  const shown = (value: string | undefined) => (
    // The answer comes after the rest of the page, which it must not move.
    <span className="comes-later">
      {isStale ? (
        <NoAnswer />
      ) : value === undefined ? (
        "–"
      ) : (
        <Amount value={value} asset={assetById(stablecoinId)} symbol={symbolOf(stablecoinId)} />
      )}
    </span>
  );
  return (
    <dl className="facts" aria-busy={data === undefined && !isStale}>
      <Fact name="Held by the custody">{shown(account?.tokenBalance)}</Fact>
      <Fact name="Redeemable">{shown(account?.redeemableTokens)}</Fact>
      <Fact name="Value before fees">{shown(account?.redeemableValueInStablecoin)}</Fact>
      <Fact name="Read at">
        <span className="comes-later">{data === undefined || isStale ? "–" : <ReadBlock block={data.block} />}</span>
      </Fact>
    </dl>
  );
}
