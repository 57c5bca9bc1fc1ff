import type { Schemas } from "../api/client.ts";
import { Figure } from "../components/Amount.tsx";
import { Identifier } from "../components/Identifier.tsx";
import { Fact, Panel, Table } from "../components/Panel.tsx";

interface SvmNetworkProps {
  readonly chain: string;
  readonly deployment: Schemas["SvmDeployment"];
}

/** Program, assets, LPs and vaults of an SVM network. */
export function SvmNetwork({ chain, deployment }: SvmNetworkProps) {
  const title = `SVM ${chain}`;
  return (
    <Panel title={title}>
      <dl className="facts">
        <Fact name="Program">
          <Identifier value={deployment.program_id} what="program ID" />
        </Fact>
      </dl>
      <h3>Stablecoins and RWAs</h3>
      <Table caption={`${title}: assets`} head={["Name", "Kind", "Mint", "Decimals", "Price sources"]} numeric={[3]}>
        {[
          ...deployment.stable_assets.map((asset) => ({ kind: "stablecoin", asset })),
          ...deployment.rwa_assets.map((asset) => ({ kind: "RWA", asset })),
        ].map(({ kind, asset }) => (
          <tr key={asset.mint}>
            <th scope="row">{asset.name}</th>
            <td>{kind}</td>
            <td>
              <Identifier value={asset.mint} what="mint" />
            </td>
            <td className="number">{asset.decimals}</td>
            <td>
              <ul className="plain-list">
                {asset.price_sources.map((source) => (
                  <li key={JSON.stringify(source)}>
                    <PriceSource source={source} />
                  </li>
                ))}
              </ul>
            </td>
          </tr>
        ))}
      </Table>
      {deployment.lp_info.map((lp) => (
        <Lp key={lp.vault_authority} title={title} lp={lp} nameOf={(mint) => nameOf(deployment, mint)} />
      ))}
    </Panel>
  );
}

interface LpProps {
  readonly title: string;
  readonly lp: Schemas["SvmLp"];
  readonly nameOf: (mint: string) => string;
}

function Lp({ title, lp, nameOf: name }: LpProps) {
  return (
    <>
      <h3>LP</h3>
      <dl className="facts">
        <Fact name="Administrator">
          <Identifier value={lp.administrator} what="address of the administrator" />
        </Fact>
        <Fact name="Vault authority">
          <Identifier value={lp.vault_authority} what="address of the vault authority" />
        </Fact>
      </dl>
      <Table
        caption={`${title}: pairs of ${lp.administrator}`}
        head={["Pair", "Account", "Stablecoin vault", "RWA vault", "Discount", "Redemption fee"]}
        numeric={[4, 5]}
      >
        {lp.pairs.map((pair) => (
          <tr key={pair.pair}>
            <th scope="row">
              {name(pair.stable_mint)} / {name(pair.rwa_mint)}
            </th>
            <td>
              <Identifier value={pair.pair} what="account of the pair" />
            </td>
            <td>
              <Identifier value={pair.stable_vault} what="stablecoin vault" />
            </td>
            <td>
              <Identifier value={pair.rwa_vault} what="RWA vault" />
            </td>
            <td className="number">{pair.discount_rate_bps} bps</td>
            <td className="number">{pair.redemption_fee_bps} bps</td>
          </tr>
        ))}
      </Table>
    </>
  );
}

function PriceSource({ source }: { readonly source: Schemas["SvmPriceSource"] }) {
  switch (source.kind) {
    case "hardcoded":
      return (
        <>
          fixed: <Figure value={{ units: BigInt(source.price), decimals: source.decimals }} sign="$" />
        </>
      );
    case "fixed_address":
      return (
        <>
          account <Identifier value={source.account} what="account of the price" /> at byte {source.offset},{" "}
          {source.decimals} decimals
        </>
      );
    case "pyth_push":
      return (
        <>
          Pyth <Identifier value={source.account} what="account of the price" /> feed{" "}
          <Identifier value={source.feed_id} what="feed ID" />, at most {source.max_age_seconds} s old, within{" "}
          {source.max_confidence_bps} bps
        </>
      );
  }
}

function nameOf({ stable_assets, rwa_assets }: Schemas["SvmDeployment"], mint: string): string {
  return [...stable_assets, ...rwa_assets].find((asset) => asset.mint === mint)?.name ?? mint;
}
