import type { Schemas } from "../api/client.ts";
import { Identifier } from "../components/Identifier.tsx";
import { Fact, Panel, Table } from "../components/Panel.tsx";
import { Accepted, Guardrail } from "../components/Terms.tsx";
import { assetIdText } from "../format/names.ts";

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
          <Identifier value={deployment.swap_contract} what="address of the swap contract" />
        </Fact>
        <Fact name="Treasury token">
          <Identifier value={deployment.treasury_contract} what="address of the treasury token" />
        </Fact>
      </dl>
      <h3>LPs: users approve the delegate</h3>
      <Table
        caption={`${title}: LPs`}
        head={["Stablecoin", "Delegate", "Token", "Yield", "Swaps", "Administrators", "Guardrail"]}
      >
        {deployment.stablecoin_delegate_contracts.map((lp) => (
          <tr key={lp.delegate_address}>
            <th scope="row">{assetIdText(lp.stablecoin_id)}</th>
            <td>
              <Identifier value={lp.delegate_address} what="address of the delegate" />
            </td>
            <td>
              <Identifier value={lp.token_address} what="address of the token" />
            </td>
            <td>{lp.yield_bearing ? "bearing" : "none"}</td>
            <td>
              <Accepted value={lp.accepted} />
            </td>
            <td>
              {lp.administrators.map((address) => (
                <Identifier key={address} value={address} what="address of the administrator" />
              ))}
            </td>
            <td>
              {lp.guardrail === null ? (
                <span className="muted">none</span>
              ) : (
                <Guardrail
                  bandWad={lp.guardrail.band_wad}
                  enabled={lp.guardrail.enabled}
                  priceAdapter={lp.guardrail.price_adapter}
                />
              )}
            </td>
          </tr>
        ))}
      </Table>
      <h3>Stablecoins</h3>
      <Table
        caption={`${title}: stablecoins`}
        head={["Symbol", "Name", "Token", "ID", "Decimals", "Swaps"]}
        numeric={[4]}
      >
        {deployment.stable_assets.map((asset) => (
          <tr key={asset.stablecoin_id}>
            <th scope="row">{asset.symbol ?? "–"}</th>
            <td>{asset.name ?? "–"}</td>
            <td>
              <Identifier value={asset.token_address} what="address of the token" />
            </td>
            <td>
              <Identifier value={asset.stablecoin_id} what="asset ID" />
            </td>
            <td className="number">{asset.decimals}</td>
            <td>
              <Accepted value={asset.accepted} />
            </td>
          </tr>
        ))}
      </Table>
      <h3>RWAs</h3>
      <Table
        caption={`${title}: RWAs`}
        head={["Symbol", "Name", "Token", "ID", "Decimals", "Price adapter", "Swaps"]}
        numeric={[4]}
      >
        {deployment.rwa_assets.map((asset) => (
          <tr key={asset.rwa_id}>
            <th scope="row">{asset.symbol ?? "–"}</th>
            <td>{asset.name ?? "–"}</td>
            <td>
              <Identifier value={asset.token_address} what="address of the token" />
            </td>
            <td>
              <Identifier value={asset.rwa_id} what="asset ID" />
            </td>
            <td className="number">{asset.decimals}</td>
            <td>
              {asset.price_adapter === null ? (
                "none"
              ) : (
                <Identifier value={asset.price_adapter} what="address of the price adapter" />
              )}
            </td>
            <td>
              <Accepted value={asset.accepted} />
            </td>
          </tr>
        ))}
      </Table>
    </Panel>
  );
}
