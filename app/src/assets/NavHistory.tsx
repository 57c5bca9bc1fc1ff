import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { Schemas } from "../api/client.ts";
import { navsQuery } from "../api/queries.ts";
import { Figure } from "../components/Amount.tsx";
import { Answer, Empty } from "../components/Answer.tsx";
import { Chart } from "../components/Chart.tsx";
import { Address, Identifier, TransactionLink } from "../components/Identifier.tsx";
import { Fact, Panel, Table } from "../components/Panel.tsx";
import { RangePicker, rangeOf } from "../components/RangePicker.tsx";
import { Age, Time } from "../components/Time.tsx";
import { chartHeight, exactText } from "../format/amount.ts";
import { assetIdText } from "../format/names.ts";
import { placeText, secondsOf, utcText } from "../format/time.ts";
import { useNetwork } from "../shell/context.ts";

const route = getRouteApi("/assets");

type Change = Schemas["NavChange"];

const navOf = (wad: string) => ({ units: BigInt(wad), decimals: 18 });

/** The NAVs of one RWA over time, which the reader selects. */
export function NavHistory({ rwas }: { readonly rwas: readonly Schemas["RwaTerms"][] }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const rwaId = search.rwa ?? rwas[0]?.rwaId;
  if (rwaId === undefined) return null;
  return (
    <Panel title="NAV history">
      <div className="controls">
        <label>
          <span>RWA</span>
          <select
            value={rwaId}
            onChange={({ target }) => void navigate({ search: (before) => ({ ...before, rwa: target.value }) })}
          >
            {rwas.map((asset) => (
              <option key={asset.rwaId} value={asset.rwaId}>
                {asset.symbol ?? assetIdText(asset.rwaId)}
              </option>
            ))}
          </select>
        </label>
        <RangePicker search={search} />
      </div>
      <Navs rwaId={rwaId} />
    </Panel>
  );
}

function Navs({ rwaId }: { readonly rwaId: string }) {
  const navs = useQuery(navsQuery(useNetwork(), rwaId, rangeOf(route.useSearch())));
  return (
    <Answer query={navs}>
      {({ before, changes, hasMore }) => {
        const all = before === null ? changes : [...changes, before];
        const newest = all[0];
        if (newest === undefined) return <Empty>The RWA had no price adapter by the end of the range.</Empty>;
        return (
          <>
            <dl className="facts">
              <Fact name="Newest NAV in the range">
                {newest.navWad === null ? (
                  "none posted"
                ) : (
                  <Figure value={navOf(newest.navWad)} sign="$" minimumDigits={2} />
                )}
              </Fact>
              <Fact name="Posted">{newest.navPostedAt === null ? "–" : <Age value={newest.navPostedAt} />}</Fact>
            </dl>
            {hasMore && (
              <div className="notice stale" role="status">
                <strong>Not all of the range.</strong> Only the newest {changes.length} changes are shown.
              </div>
            )}
            <NavChart changes={all.toReversed()} />
            <NavTable changes={all} />
          </>
        );
      }}
    </Answer>
  );
}

/** @param changes oldest first */
function NavChart({ changes }: { readonly changes: readonly Change[] }) {
  const posted = changes.flatMap(({ navWad, ...change }) => (navWad === null ? [] : [{ ...change, navWad }]));
  if (posted.length === 0) return <Empty>Its price adapter takes the price from elsewhere and posts no NAV.</Empty>;
  // A single NAV makes no line.
  if (posted.length === 1) return null;
  return (
    <Chart
      name="NAV in US dollars, by post"
      kind="steps"
      places={posted.map(({ at }) => placeText(secondsOf(at), "day"))}
      series={[{ name: "NAV", colour: "--series-1", heights: posted.map(({ navWad }) => chartHeight(navOf(navWad))) }]}
      tick={(height) => `$${Number(height.toFixed(4))}`}
      valueText={(index) => {
        const post = posted[index];
        return post === undefined ? "" : `${utcText(secondsOf(post.at))}: ${exactText(navOf(post.navWad))} USD`;
      }}
    >
      {(index) => {
        const post = posted[index];
        return (
          post !== undefined && (
            <ul className="legend">
              <li>
                <Time value={post.at} />
              </li>
              <li>
                <i className="series-1" /> NAV <Figure value={navOf(post.navWad)} sign="$" minimumDigits={2} />
              </li>
            </ul>
          )
        );
      }}
    </Chart>
  );
}

/** @param changes newest first */
function NavTable({ changes }: { readonly changes: readonly Change[] }) {
  return (
    <Table
      caption="NAVs, newest first"
      head={["From", "Event", "USD per token", "Posted", "Poster", "Price adapter", "Transaction"]}
      numeric={[2]}
    >
      {changes.map(
        ({ kind, at, navWad, navPostedAt, poster, priceAdapter, transactionHash, blockNumber, logIndex }) => (
          <tr key={`${blockNumber}/${logIndex}`}>
            <th scope="row">
              <Time value={at} />
            </th>
            <td>{kind === "post" ? "NAV posted" : "adapter set"}</td>
            <td className="number">
              {navWad === null ? "–" : <Figure value={navOf(navWad)} sign="$" minimumDigits={2} />}
            </td>
            <td>{navPostedAt === null ? "–" : <Age value={navPostedAt} />}</td>
            <td>{poster === null ? "–" : <Address value={poster} />}</td>
            <td>
              {priceAdapter === null ? "none" : <Identifier value={priceAdapter} what="address of the price adapter" />}
            </td>
            <td>
              <TransactionLink hash={transactionHash} />
            </td>
          </tr>
        ),
      )}
    </Table>
  );
}
