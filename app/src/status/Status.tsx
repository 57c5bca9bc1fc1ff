import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Schemas } from "../api/client.ts";
import { assetsQuery, type Network, statusQuery, summaryQuery } from "../api/queries.ts";
import { Answer, useIsStale } from "../components/Answer.tsx";
import { Heading } from "../components/Heading.tsx";
import { Identifier } from "../components/Identifier.tsx";
import { Fact, Panel } from "../components/Panel.tsx";
import { isHeadKnown, NoAnswer, State } from "../components/State.tsx";
import { Age, Time } from "../components/Time.tsx";
import { grouped } from "../format/amount.ts";
import { namesOfTerms, networkText } from "../format/names.ts";
import { durationText } from "../format/time.ts";
import { NextRate } from "../treasury/NextRate.tsx";
import { useKnownUntil } from "../treasury/summaryAge.ts";

/** The progress of the index of each network, and whether prices and daily rates come in time. */
export function Status(): ReactNode {
  const status = useQuery(statusQuery);
  return (
    <>
      <Heading text="Status of the index" />
      <Answer query={status}>
        {({ networks }) =>
          networks.map((network) => (
            <NetworkStatus key={network.network} status={network} isStale={status.error !== null} />
          ))
        }
      </Answer>
    </>
  );
}

interface NetworkStatusProps {
  readonly status: Schemas["IndexingStatus"];
  /** Whether the API gives no newer one. */
  readonly isStale: boolean;
}

function NetworkStatus({ status, isStale }: NetworkStatusProps) {
  const { head, newestIndexedBlock, newestFinalBlock, lagSeconds, lagBlocks, audit } = status;
  return (
    <Panel
      title={`${networkText(status.network)} (chain ${status.chainId})`}
      aside={isStale ? <NoAnswer /> : <State value={status.state} />}
    >
      {status.reason !== null && <p className="warning">{status.reason}</p>}
      <dl className="facts">
        <Fact name="State since">{status.stateSince === null ? "–" : <Age value={status.stateSince} />}</Fact>
        <Fact name="Newest block that the node last reported">
          {head === null ? (
            "not known"
          ) : (
            <>
              {grouped(head.blockNumber)}{" "}
              <span className="muted">
                asked <Age value={head.asOf} />
              </span>
            </>
          )}
        </Fact>
        <Fact name="Time of that block">{head === null ? "–" : <Time value={head.timestamp} />}</Fact>
        <Fact name="Hash of that block">
          {head === null ? "–" : <Identifier value={head.blockHash} what="block hash" />}
        </Fact>
        <Fact name="Newest indexed block">
          {newestIndexedBlock === null ? "none yet" : grouped(newestIndexedBlock.blockNumber)}
        </Fact>
        <Fact name="Time of the indexed block">
          {newestIndexedBlock === null ? "–" : <Time value={newestIndexedBlock.timestamp} />}
        </Fact>
        <Fact name="Newest final block">{newestFinalBlock === null ? "none yet" : grouped(newestFinalBlock)}</Fact>
        <Fact name="Lag">
          {lagSeconds === null || !isHeadKnown(status.state) ? (
            "unknown"
          ) : (
            <>
              {durationText(lagSeconds)}
              {lagBlocks !== null && <span className="muted">, {grouped(lagBlocks.blocks)} blocks</span>}
            </>
          )}
        </Fact>
        <Fact name="Reorganizations">{grouped(String(status.reorganizations))}</Fact>
        <Fact name="Last audit">
          {audit === null ? (
            "none yet"
          ) : (
            <>
              <span className={`badge ${audit.result === "passed" ? "good" : "bad"}`}>{audit.result}</span>{" "}
              <Age value={audit.finishedAt} />
            </>
          )}
        </Fact>
        <Fact name="Audited blocks">
          {audit === null ? "–" : `${grouped(audit.fromBlock)} to ${grouped(audit.toBlock)}`}
        </Fact>
        <Fact name="Last written">{status.writtenAt === null ? "never" : <Age value={status.writtenAt} />}</Fact>
        <Fact name="Oldest price reading">
          <span className="comes-later">
            <OldestReading network={status.network} />
          </span>
        </Fact>
        <Fact name="Oldest NAV">
          <span className="comes-later">
            <OldestNav network={status.network} />
          </span>
        </Fact>
        <Fact name="Next daily rate">
          <span className="comes-later">
            <NextRates network={status.network} />
          </span>
        </Fact>
      </dl>
      {audit !== null && audit.difference !== null && <p className="warning">{audit.difference}</p>}
    </Panel>
  );
}

/** In place of an answer that has not arrived yet. */
function Pending() {
  return <span className="muted">loading …</span>;
}

/** The accepted RWA whose price was read longest ago, or one whose current adapter was never read. */
function OldestReading({ network }: { readonly network: Network }) {
  const query = useQuery(assetsQuery(network));
  const { data } = query;
  if (useIsStale(query)) return <NoAnswer />;
  if (data === undefined) return <Pending />;
  const readings = data.rwas.flatMap(({ accepted, priceAdapter, price, ...rwa }) =>
    accepted && priceAdapter !== null
      ? [{ ...rwa, readAt: price?.priceAdapter === priceAdapter ? price.fetchedAt : null }]
      : [],
  );
  const [oldest] = readings.toSorted((one, other) => ((one.readAt ?? "") < (other.readAt ?? "") ? -1 : 1));
  if (oldest === undefined) return "none";
  return (
    <>
      {namesOfTerms(data).get(oldest.rwaId)}{" "}
      {oldest.readAt === null ? <span className="badge warning">not read</span> : <Age value={oldest.readAt} />}
    </>
  );
}

/** The accepted RWA whose NAV was posted longest ago. Those whose price adapter posts none do not count. */
function OldestNav({ network }: { readonly network: Network }) {
  const query = useQuery(assetsQuery(network));
  const { data } = query;
  if (useIsStale(query)) return <NoAnswer />;
  if (data === undefined) return <Pending />;
  const posted = data.rwas.flatMap(({ nav, ...rwa }) =>
    nav === null || !rwa.accepted ? [] : [{ ...rwa, postedAt: nav.postedAt }],
  );
  const [oldest] = posted.toSorted((one, other) => (one.postedAt < other.postedAt ? -1 : 1));
  if (oldest === undefined) return "none";
  return (
    <>
      {namesOfTerms(data).get(oldest.rwaId)} <Age value={oldest.postedAt} />
    </>
  );
}

/** When each yield-bearing LP needs its next daily rate. */
function NextRates({ network }: { readonly network: Network }) {
  const query = useQuery(summaryQuery(network));
  const { data } = query;
  const knownUntil = useKnownUntil(query, network);
  if (useIsStale(query)) return <NoAnswer />;
  if (data === undefined) return <Pending />;
  if (data.delegates.length === 0) return "none";
  return data.delegates.map((delegate) => (
    <NextRate key={delegate.delegateAddress} yields={delegate.yield} knownUntil={knownUntil} />
  ));
}
