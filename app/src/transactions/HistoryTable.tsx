import type { Schemas } from "../api/client.ts";
import { Amount } from "../components/Amount.tsx";
import { Address, TransactionLink } from "../components/Identifier.tsx";
import { Outcome } from "../components/State.tsx";
import { Cell, Row, RowHead, Table } from "../components/Table.tsx";
import { Time } from "../components/Time.tsx";
import { exactSideOf } from "../format/names.ts";
import { useDirectory } from "../shell/context.ts";
import { legsOf } from "./legs.ts";

type Transaction = Schemas["Transaction"];

interface HistoryTableProps {
  readonly caption: string;
  readonly transactions: readonly Transaction[];
}

/** One line per transaction. */
export function HistoryTable({ caption, transactions }: HistoryTableProps) {
  return (
    <Table caption={caption} head={["Transaction", "Outcome", "What", "In", "Out", "Time", "Sender"]} numeric={[3, 4]}>
      {transactions.map((transaction) => (
        <Row key={transaction.transactionHash}>
          <RowHead>
            <TransactionLink hash={transaction.transactionHash} />
          </RowHead>
          <Cell>
            <Outcome value={transaction.receipt.outcome} />
          </Cell>
          <Summary transaction={transaction} />
          <Cell>
            <Time value={transaction.inclusion.timestamp} />
          </Cell>
          <Cell>
            <Address value={transaction.sender} />
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

/** What a transaction did, in three cells: its first leg that somebody requested represents all of them. */
function Summary({ transaction }: { readonly transaction: Transaction }) {
  const { swapContract, assetById, symbolOf, yieldBearingIds } = useDirectory();
  const legs = legsOf(transaction, swapContract);
  const place = Math.max(
    0,
    legs.findIndex(({ isDerived }) => !isDerived),
  );
  const leg = legs[place];
  const swap = leg?.realized ?? leg?.submitted;
  if (leg === undefined || swap === null || swap === undefined) {
    return (
      <>
        <Cell>
          <AllowlistSummary transaction={transaction} />
        </Cell>
        <Cell isNumber />
        <Cell isNumber />
      </>
    );
  }
  const kind = yieldBearingIds.has(swap.assetOutId)
    ? "Deposit"
    : yieldBearingIds.has(swap.assetInId)
      ? "Redemption"
      : "Swap";
  const { assetInId, assetOutId } = swap;
  const isRealized = leg.realized !== null;
  const exactSide = exactSideOf(swap.routeId);
  const amountIn = leg.realized?.amountIn ?? (exactSide === "in" ? leg.submitted?.assetInAmount : undefined);
  const amountOut = leg.realized?.amountOut ?? (exactSide === "out" ? leg.submitted?.assetOutAmount : undefined);
  return (
    <>
      <Cell>
        {kind} {legs.length > 1 && <span className="muted">{legText(place, legs.length)}</span>}
      </Cell>
      <Cell isNumber>
        <Side value={amountIn} isRealized={isRealized} asset={assetById(assetInId)} symbol={symbolOf(assetInId)} />
      </Cell>
      <Cell isNumber>
        <Side value={amountOut} isRealized={isRealized} asset={assetById(assetOutId)} symbol={symbolOf(assetOutId)} />
      </Cell>
    </>
  );
}

/** Which leg of a transaction is shown. CoreSwap may have added one before it. */
function legText(place: number, count: number): string {
  return `${["first", "second", "third"][place] ?? `${place + 1}th`} of ${count} legs`;
}

type SideProps = Omit<Parameters<typeof Amount>[0], "value" | "symbol"> & {
  readonly value: string | undefined;
  readonly isRealized: boolean;
  readonly symbol: string;
};

/** What was paid or received. A reverted call only requested the amount of one side. */
function Side({ value, isRealized, asset, symbol }: SideProps) {
  if (value === undefined) {
    return (
      <>
        –<span className="unit">{symbol}</span>
      </>
    );
  }
  return (
    <>
      {!isRealized && <span className="muted">requested </span>}
      <Amount value={value} asset={asset} symbol={symbol} />
    </>
  );
}

/** Changes of the allowlist, or the call that attempted one. */
function AllowlistSummary({ transaction: { activities, directCall } }: { readonly transaction: Transaction }) {
  const changes = activities.filter((activity) => activity.type === "allowlist");
  const [first] = changes;
  if (first !== undefined) {
    return (
      <>
        Allowlist: {first.action} <Address value={first.wallet} />{" "}
        {changes.length > 1 && <span className="muted">first of {changes.length}</span>}
      </>
    );
  }
  if (directCall !== null && "wallet" in directCall) {
    return (
      <>
        {directCall.entrypoint} <Address value={directCall.wallet} />
      </>
    );
  }
  return <span className="muted">{directCall?.entrypoint ?? "other"}</span>;
}
