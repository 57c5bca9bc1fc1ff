import type { Schemas } from "../api/client.ts";
import { Identifier } from "../components/Identifier.tsx";
import { Fact, Panel } from "../components/Panel.tsx";
import { Cell, Row, RowHead, Table } from "../components/Table.tsx";
import { Accepted, Guardrail } from "../components/Terms.tsx";
import { assetIdText } from "../format/names.ts";
import { EvmAccount } from "./ExplorerAccount.tsx";

interface EvmNetworkProps {
  readonly chain: string;
  readonly deployment: Schemas["EvmDeployment"];
}

/** Contracts, LPs and assets of an EVM network. */
export function EvmNetwork({ chain, deployment }: EvmNetworkProps) {
  const title = `EVM ${chain}`;
  return (
    <Panel title={title} aside={<span className="muted">chain {deployment.chain_id}</span>}>
      <dl className="facts">
        <Fact name="Swap contract">
          <EvmAccount chain={chain} value={deployment.swap_contract} what="address of the swap contract" />
        </Fact>
        <Fact name="Treasury token">
          <EvmAccount chain={chain} value={deployment.treasury_contract} what="address of the treasury token" />
        </Fact>
      </dl>
      <h3>LPs: users approve the delegate</h3>
      <Table
        caption={`${title}: LPs`}
        head={["Stablecoin", "Delegate", "Token", "Yield-bearing", "Swaps", "Administrators", "Guardrail"]}
      >
        {deployment.stablecoin_delegate_contracts.map((lp) => (
          <Row key={lp.delegate_address}>
            <RowHead>{assetIdText(lp.stablecoin_id)}</RowHead>
            <Cell>
              <EvmAccount chain={chain} value={lp.delegate_address} what="address of the delegate" />
            </Cell>
            <Cell>
              <EvmAccount chain={chain} value={lp.token_address} what="address of the token" />
            </Cell>
            <Cell>{lp.yield_bearing ? "yes" : "no"}</Cell>
            <Cell>
              <Accepted value={lp.accepted} />
            </Cell>
            <Cell>
              {lp.administrators.map((address) => (
                <EvmAccount key={address} chain={chain} value={address} what="address of the administrator" />
              ))}
            </Cell>
            <Cell>
              {lp.guardrail === null ? (
                <span className="muted">none</span>
              ) : (
                <Guardrail
                  bandWad={lp.guardrail.band_wad}
                  enabled={lp.guardrail.enabled}
                  priceAdapter={lp.guardrail.price_adapter}
                />
              )}
            </Cell>
          </Row>
        ))}
      </Table>
      <h3>Stablecoins</h3>
      <Table
        caption={`${title}: stablecoins`}
        head={["Symbol", "Name", "Token", "ID", "Decimals", "Swaps"]}
        numeric={[4]}
      >
        {deployment.stable_assets.map((asset) => (
          <Row key={asset.stablecoin_id}>
            <RowHead>{asset.symbol ?? "–"}</RowHead>
            <Cell>{asset.name ?? "–"}</Cell>
            <Cell>
              <EvmAccount chain={chain} value={asset.token_address} what="address of the token" />
            </Cell>
            <Cell>
              <Identifier value={asset.stablecoin_id} what="asset ID" />
            </Cell>
            <Cell isNumber>{asset.decimals}</Cell>
            <Cell>
              <Accepted value={asset.accepted} />
            </Cell>
          </Row>
        ))}
      </Table>
      <h3>RWAs</h3>
      <Table
        caption={`${title}: RWAs`}
        head={["Symbol", "Name", "Token", "ID", "Decimals", "Price adapter", "Swaps"]}
        numeric={[4]}
      >
        {deployment.rwa_assets.map((asset) => (
          <Row key={asset.rwa_id}>
            <RowHead>{asset.symbol ?? "–"}</RowHead>
            <Cell>{asset.name ?? "–"}</Cell>
            <Cell>
              <EvmAccount chain={chain} value={asset.token_address} what="address of the token" />
            </Cell>
            <Cell>
              <Identifier value={asset.rwa_id} what="asset ID" />
            </Cell>
            <Cell isNumber>{asset.decimals}</Cell>
            <Cell>
              {asset.price_adapter === null ? (
                "none"
              ) : (
                <EvmAccount chain={chain} value={asset.price_adapter} what="address of the price adapter" />
              )}
            </Cell>
            <Cell>
              <Accepted value={asset.accepted} />
            </Cell>
          </Row>
        ))}
      </Table>
    </Panel>
  );
}
