import type { Schemas } from "../api/client.ts";
import { Figure } from "../components/Amount.tsx";
import { Identifier } from "../components/Identifier.tsx";
import { Fact, Panel } from "../components/Panel.tsx";
import { Cell, Row, RowHead, Table } from "../components/Table.tsx";
import { SvmAccount } from "./ExplorerAccount.tsx";

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
          <SvmAccount chain={chain} value={deployment.program_id} what="program ID" />
        </Fact>
      </dl>
      <h3>Stablecoins and RWAs</h3>
      <Table caption={`${title}: assets`} head={["Name", "Kind", "Mint", "Decimals", "Price sources"]} numeric={[3]}>
        {[
          ...deployment.stable_assets.map((asset) => ({ kind: "stablecoin", asset })),
          ...deployment.rwa_assets.map((asset) => ({ kind: "RWA", asset })),
        ].map(({ kind, asset }) => (
          <Row key={asset.mint}>
            <RowHead>{asset.name}</RowHead>
            <Cell>{kind}</Cell>
            <Cell>
              <SvmAccount chain={chain} value={asset.mint} what="mint" />
            </Cell>
            <Cell isNumber>{asset.decimals}</Cell>
            <Cell>
              <ul className="plain-list">
                {asset.price_sources.map((source) => (
                  <li key={JSON.stringify(source)}>
                    <PriceSource chain={chain} source={source} />
                  </li>
                ))}
              </ul>
            </Cell>
          </Row>
        ))}
      </Table>
      {deployment.lp_info.map((lp) => (
        <Lp key={lp.vault_authority} chain={chain} title={title} lp={lp} nameOf={(mint) => nameOf(deployment, mint)} />
      ))}
    </Panel>
  );
}

interface LpProps {
  readonly chain: string;
  readonly title: string;
  readonly lp: Schemas["SvmLp"];
  readonly nameOf: (mint: string) => string;
}

function Lp({ chain, title, lp, nameOf: name }: LpProps) {
  return (
    <>
      <h3>LP of {[...new Set(lp.pairs.map(({ stable_mint }) => name(stable_mint)))].join(" and ") || "no pair"}</h3>
      <dl className="facts">
        <Fact name="Administrator">
          <SvmAccount chain={chain} value={lp.administrator} what="address of the administrator" />
        </Fact>
        <Fact name="Vault authority">
          <SvmAccount chain={chain} value={lp.vault_authority} what="address of the vault authority" />
        </Fact>
      </dl>
      <Table
        caption={`${title}: pairs of ${lp.administrator}`}
        head={["Pair", "Account", "Stablecoin vault", "RWA vault", "Discount", "Redemption fee"]}
        numeric={[4, 5]}
      >
        {lp.pairs.map((pair) => (
          <Row key={pair.pair}>
            <RowHead>
              {name(pair.stable_mint)} / {name(pair.rwa_mint)}
            </RowHead>
            <Cell>
              <SvmAccount chain={chain} value={pair.pair} what="account of the pair" />
            </Cell>
            <Cell>
              <SvmAccount chain={chain} value={pair.stable_vault} what="stablecoin vault" />
            </Cell>
            <Cell>
              <SvmAccount chain={chain} value={pair.rwa_vault} what="RWA vault" />
            </Cell>
            <Cell isNumber>
              <BasisPoints value={pair.discount_rate_bps} />
            </Cell>
            <Cell isNumber>
              <BasisPoints value={pair.redemption_fee_bps} />
            </Cell>
          </Row>
        ))}
      </Table>
    </>
  );
}

interface PriceSourceProps {
  readonly chain: string;
  readonly source: Schemas["SvmPriceSource"];
}

function PriceSource({ chain, source }: PriceSourceProps) {
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
          account <SvmAccount chain={chain} value={source.account} what="account of the price" /> at byte{" "}
          {source.offset}, {source.decimals} decimals
        </>
      );
    case "pyth_push":
      return (
        <>
          Pyth <SvmAccount chain={chain} value={source.account} what="account of the price" /> feed{" "}
          <Identifier value={source.feed_id} what="feed ID" />, at most {source.max_age_seconds} s old, within{" "}
          <BasisPoints value={source.max_confidence_bps} />
        </>
      );
  }
}

/** Whole basis points as a percentage. */
function BasisPoints({ value }: { readonly value: number }) {
  return <Figure value={{ units: BigInt(value), decimals: 2 }} unit="%" />;
}

function nameOf({ stable_assets, rwa_assets }: Schemas["SvmDeployment"], mint: string): string {
  return [...stable_assets, ...rwa_assets].find((asset) => asset.mint === mint)?.name ?? mint;
}
