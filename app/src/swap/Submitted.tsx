import { realizedLegs } from "@coreswap/sdk";
import { type UseQueryResult, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect } from "react";
import type { Address, Hash } from "viem";
import { transactionQuery } from "../api/queries.ts";
import { useFailure } from "../components/Answer.tsx";
import { TransactionLink } from "../components/Identifier.tsx";
import { Panel } from "../components/Panel.tsx";
import { Outcome } from "../components/State.tsx";
import { grouped } from "../format/amount.ts";
import { useDirectory, useNetwork } from "../shell/context.ts";
import { LegPanel } from "../transactions/LegPanel.tsx";
import { legsOf } from "../transactions/legs.ts";
import { failureOf } from "./failures.ts";
import { Notice } from "./Notice.tsx";
import type { WalletClient } from "./preview.ts";
import { isReplaced, minedOf, receiptQuery } from "./sent.ts";

const route = getRouteApi("/swap");

interface SubmittedProps {
  readonly hash: Hash;
  readonly client: WalletClient | null;
  /** Lets the page go on without the transaction. */
  readonly forget: () => void;
}

/** A transaction that was sent: until it is mined as the wallet knows it, then as the index has it. */
export function Submitted({ hash, client, forget }: SubmittedProps) {
  const network = useNetwork();
  const receipt = useQueryClient().getQueryData(receiptQuery(network, client, hash).queryKey);
  const { swapContract } = useDirectory();
  const query = useQuery(transactionQuery(network, hash));
  const indexed = query.data;
  const hasReverted = indexed?.receipt.outcome === "revert";
  return (
    <>
      <Panel title="Your transaction" aside={indexed && <Outcome value={indexed.receipt.outcome} />}>
        <p role="status">
          <TransactionLink hash={hash} />{" "}
          {indexed ? (
            <>
              is in block {grouped(indexed.inclusion.blockNumber)}.
              {hasReverted && " The contracts refused it: nothing was swapped, only the gas was paid."}
            </>
          ) : client !== null || receipt !== undefined ? (
            <Waiting hash={hash} client={client} />
          ) : (
            <Absent query={query} forget={forget} />
          )}
        </p>
      </Panel>
      {indexed &&
        legsOf(indexed, swapContract).map((leg, index, legs) => (
          <LegPanel
            key={leg.realized?.logIndex ?? index}
            leg={leg}
            title={`Leg ${index + 1} of ${legs.length}`}
            hasReverted={hasReverted}
          />
        ))}
    </>
  );
}

/** Why there is no transaction of the index, when no wallet can be asked either. */
function Absent({ query, forget }: { readonly query: UseQueryResult<unknown> } & Pick<SubmittedProps, "forget">) {
  const failure = useFailure(query);
  if (query.data === null) {
    return (
      <>
        is not in the index. It may be waiting, dropped, or of another network.{" "}
        <button type="button" className="plain" onClick={forget}>
          Go on without it
        </button>
      </>
    );
  }
  return failure === null ? "Loading …" : `cannot be looked up in the index: ${failure.message}`;
}

/** What the wallet's node knows about a transaction that is not indexed yet. */
function Waiting({ hash, client }: Pick<SubmittedProps, "hash" | "client">) {
  const network = useNetwork();
  const { swapContract } = useDirectory();
  const navigate = route.useNavigate();
  const query = useQuery(receiptQuery(network, client, hash));
  const { data, error } = query;
  const mined = minedOf(query, hash);
  // The user sped it up in the wallet.
  const repriced = isReplaced(data, hash) && data.isOwn ? data.receipt.transactionHash : null;
  useEffect(() => {
    if (repriced !== null) void navigate({ search: (before) => ({ ...before, transaction: repriced }), replace: true });
  }, [repriced, navigate]);
  if (error !== null) return <Notice {...failureOf(error)} />;
  if (mined === undefined) return "was sent, and waits for a block …";
  const { receipt, isOwn } = mined;
  if (!isOwn) return "was cancelled or replaced in the wallet. Nothing was swapped.";
  const inBlock = `is in block ${grouped(String(receipt.blockNumber))} of the wallet's node`;
  if (receipt.status === "reverted") {
    return `${inBlock}: the contracts refused it. Nothing was swapped, only the gas was paid.`;
  }
  // A smart account's call can fail inside a transaction that succeeds (ERC-4337), which then never is in the index.
  if (
    swapContract !== undefined &&
    realizedLegs({ coreSwap: swapContract as Address, logs: receipt.logs }).length === 0
  ) {
    return `${inBlock}, but nothing was swapped: the account's call failed inside it.`;
  }
  return `${inBlock}, and will be in the index in a moment …`;
}
