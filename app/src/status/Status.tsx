import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Schemas } from "../api/client.ts";
import { statusQuery } from "../api/queries.ts";
import { Answer } from "../components/Answer.tsx";
import { Heading } from "../components/Heading.tsx";
import { Identifier } from "../components/Identifier.tsx";
import { Fact, Panel } from "../components/Panel.tsx";
import { State } from "../components/State.tsx";
import { Age, Time } from "../components/Time.tsx";
import { grouped } from "../format/amount.ts";
import { networkText } from "../format/names.ts";
import { durationText } from "../format/time.ts";

/** The progress of the index of each network. */
export function Status(): ReactNode {
  const status = useQuery(statusQuery);
  return (
    <>
      <Heading text="Status of the index" />
      <Answer query={status}>
        {({ networks }) => networks.map((network) => <NetworkStatus key={network.network} status={network} />)}
      </Answer>
    </>
  );
}

function NetworkStatus({ status }: { readonly status: Schemas["IndexingStatus"] }) {
  const { head, newestIndexedBlock, newestFinalBlock, lagSeconds, lagBlocks, audit } = status;
  return (
    <Panel title={`${networkText(status.network)} (chain ${status.chainId})`} aside={<State value={status.state} />}>
      {status.reason !== null && <p className="warning">{status.reason}</p>}
      <dl className="facts">
        <Fact name="State since">{status.stateSince === null ? "–" : <Age value={status.stateSince} />}</Fact>
        <Fact name="Newest block of the chain">
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
          {lagSeconds === null ? "not known" : durationText(lagSeconds)}
          {lagBlocks !== null && <span className="muted">, {grouped(lagBlocks.blocks)} blocks</span>}
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
        <Fact name="Written">{status.writtenAt === null ? "never" : <Age value={status.writtenAt} />}</Fact>
      </dl>
      {audit !== null && audit.difference !== null && <p className="warning">{audit.difference}</p>}
    </Panel>
  );
}
