import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "../api/client.ts";
import { revertQuery } from "../api/queries.ts";
import { Answer, Empty } from "../components/Answer.tsx";
import { Copy } from "../components/Copy.tsx";
import { Fact, Panel } from "../components/Panel.tsx";
import { useNetwork } from "../shell/context.ts";

/** Why a transaction failed. A node is asked for it, so it comes after the rest, and below it. */
export function Failure({ hash }: { readonly hash: string }) {
  const reason = useQuery(revertQuery(useNetwork(), hash));
  return (
    <Panel title="Why it failed">
      <Answer query={reason}>
        {({ revert }) =>
          revert === null ? (
            <Empty>The API no longer lists this transaction as failed.</Empty>
          ) : (
            <Reason reason={revert} />
          )
        }
      </Answer>
    </Panel>
  );
}

function Reason({ reason: { source, text, advice, data } }: { readonly reason: Schemas["RevertReason"] }) {
  return (
    <dl className="facts">
      <Fact name="Error" isWide>
        {text === null ? <span className="muted">the replay did not fail</span> : <code className="long">{text}</code>}
      </Fact>
      {advice !== null && (
        <Fact name="What to do" isWide>
          {advice}
        </Fact>
      )}
      {data !== null && data !== "0x" && (
        <Fact name="Revert data">
          <Copy text={data} what="revert data">
            <code>{data.length > 22 ? `${data.slice(0, 20)}…` : data}</code>
          </Copy>
        </Fact>
      )}
      <Fact name="Source">
        {source === "trace"
          ? "the node's trace of the transaction"
          : "replayed on the state before its block, since the node offers no trace: transactions before it in the block are left out, so the reason may be another one"}
      </Fact>
    </dl>
  );
}
