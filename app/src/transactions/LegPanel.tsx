import { Amount, Bound } from "../components/Amount.tsx";
import { Address } from "../components/Identifier.tsx";
import { Fact, Panel } from "../components/Panel.tsx";
import { Cell, Row, RowHead, Table } from "../components/Table.tsx";
import { exactSideOf, routeText } from "../format/names.ts";
import { useDirectory } from "../shell/context.ts";
import { type Leg, slackOf } from "./legs.ts";

interface LegPanelProps {
  readonly leg: Leg;
  readonly title: string;
  readonly hasReverted: boolean;
}

/** A swap leg: the submitted and the realized amounts, the margin to the bound, and the fees. */
export function LegPanel({ leg, title, hasReverted }: LegPanelProps) {
  const { assetById, symbolOf, yieldBearingIds } = useDirectory();
  const { submitted, realized, isDerived } = leg;
  const swap = realized ?? submitted;
  if (swap === null) return null;
  const { assetInId, assetOutId, stablecoinDelegateId, routeId } = swap;
  const exactSide = exactSideOf(routeId);
  const slack = slackOf(leg);
  const unitOf = (id: string) => ({ asset: assetById(id), symbol: symbolOf(id) });
  const line = (side: "in" | "out") => {
    const id = side === "in" ? assetInId : assetOutId;
    const asked = side === "in" ? submitted?.assetInAmount : submitted?.assetOutAmount;
    const got = side === "in" ? realized?.amountIn : realized?.amountOut;
    const isExact = side === exactSide;
    const isUnbounded = !isExact && side === "out" && asked === "0";
    return (
      <Row>
        <RowHead>{side === "in" ? "In" : "Out"}</RowHead>
        <Cell>{isExact ? "exact" : submitted === null ? "" : side === "in" ? "at most" : "at least"}</Cell>
        <Cell isNumber>
          {asked === undefined ? (
            <span className="muted">–</span>
          ) : isUnbounded ? (
            <span className="muted">no limit</span>
          ) : (
            <Bound value={asked} {...unitOf(id)} />
          )}
        </Cell>
        <Cell isNumber>
          {got === undefined ? <span className="muted">–</span> : <Amount value={got} {...unitOf(id)} />}
        </Cell>
        <Cell isNumber>
          {slack?.side === side ? (
            <Amount value={slack.amount.toString()} {...unitOf(id)} />
          ) : (
            <span className="muted">–</span>
          )}
        </Cell>
      </Row>
    );
  };
  const isPrefund = yieldBearingIds.has(assetInId);
  return (
    <Panel
      title={title}
      aside={isDerived ? <span className="badge">derived: {isPrefund ? "prefund" : "sweep"}</span> : undefined}
    >
      {isDerived && (
        <p className="muted">
          CoreSwap added this leg for the LP:{" "}
          {isPrefund
            ? "it redeems from the reserve what the custody lacks for a payout."
            : "it deposits into the reserve what the custody received."}
        </p>
      )}
      <dl className="facts">
        <Fact name="Route">
          {routeId}: {routeText(routeId)}
        </Fact>
        <Fact name="Settling stablecoin">{symbolOf(stablecoinDelegateId)}</Fact>
        {realized !== null && (
          <>
            <Fact name="LP">
              <Address value={realized.lpAddress} isLp />
            </Fact>
            <Fact name="User">
              <Address value={realized.user} />
            </Fact>
            <Fact name="Operator">
              <Address value={realized.operator} />
            </Fact>
            <Fact name="Receiver">
              <Address value={realized.receiver} />
            </Fact>
          </>
        )}
      </dl>
      <Table
        caption={`${title}: amounts`}
        head={["Side", "Kind", "Submitted", "Realized", "Margin to the bound"]}
        numeric={[2, 3, 4]}
      >
        {line("in")}
        {line("out")}
      </Table>
      {realized === null ? (
        hasReverted && <p className="muted">The call reverted: nothing was realized.</p>
      ) : (
        <dl className="facts">
          <Fact name="Issuer fee">
            <Amount value={realized.issuerFee} {...unitOf(stablecoinDelegateId)} />
          </Fact>
          <Fact name="Spread fee">
            <Amount value={realized.spreadFee} {...unitOf(stablecoinDelegateId)} />
          </Fact>
          <Fact name="LP fee">
            <Amount value={realized.lpFee} {...unitOf(stablecoinDelegateId)} />
          </Fact>
        </dl>
      )}
    </Panel>
  );
}
