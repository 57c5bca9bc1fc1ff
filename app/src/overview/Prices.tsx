import type { Schemas } from "../api/client.ts";
import { Figure } from "../components/Amount.tsx";
import { Empty } from "../components/Answer.tsx";
import { Identifier } from "../components/Identifier.tsx";
import { Cell, Row, RowHead, Table } from "../components/Table.tsx";
import { Age } from "../components/Time.tsx";
import { fromWad, grouped } from "../format/amount.ts";
import { useDirectory } from "../shell/context.ts";

/** The prices that valued swaps between RWAs, and how old their readings are. */
export function Prices({ prices }: { readonly prices: readonly Schemas["UsedPrice"][] }) {
  const { symbolOf } = useDirectory();
  if (prices.length === 0) return <Empty>No leg of this range needed a price.</Empty>;
  return (
    <Table caption="Prices used" head={["RWA", "USD per token", "Read", "At block", "Adapter"]} numeric={[1, 3]}>
      {prices.map(({ assetId, priceUsdWad, fetchedAt, observation, priceAdapter }) => (
        <Row key={assetId}>
          <RowHead>{symbolOf(assetId)}</RowHead>
          <Cell isNumber>
            <Figure value={fromWad(priceUsdWad)} sign="$" minimumDigits={2} />
          </Cell>
          <Cell>
            <Age value={fetchedAt} />
          </Cell>
          <Cell isNumber>{grouped(observation.blockNumber)}</Cell>
          <Cell>
            <Identifier value={priceAdapter} what="address of the adapter" />
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
