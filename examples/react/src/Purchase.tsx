import { useApproveSwap, useSwap, useSwapApprovals } from "@coreswap/react";
import { realizedLegs } from "@coreswap/sdk";
import { keepPreviousData } from "@tanstack/react-query";
import { useConnect, useConnection, useConnectors, useWaitForTransactionReceipt } from "wagmi";
import type { Market } from "./market.ts";
import { type BoundedQuote, reasonOf, SLIPPAGE_BPS } from "./quote.ts";

/** Connects a wallet, approves the delegate for the amount of a quote, and swaps. */
export function Purchase({ market, quote }: { market: Market; quote: BoundedQuote }) {
  const { address } = useConnection();
  const connectors = useConnectors();
  const connect = useConnect();
  const order = { quotes: [quote], slippageBps: SLIPPAGE_BPS };
  const approvals = useSwapApprovals({
    ...order,
    user: address,
    blockNumber: quote.blockNumber,
    query: { placeholderData: keepPreviousData },
  });
  const approve = useApproveSwap();
  const swap = useSwap();
  const approved = useWaitForTransactionReceipt({ hash: approve.data });
  const swapped = useWaitForTransactionReceipt({ hash: swap.data });

  if (address === undefined) {
    if (connectors.length === 0) return <p>No wallet was found.</p>;
    return connectors.map((connector) => (
      <button key={connector.uid} type="button" onClick={() => connect.mutate({ connector })}>
        Connect {connector.name}
      </button>
    ));
  }
  const next = approvals.data?.find(({ isApproved }) => !isApproved);
  const isBusy = approve.isPending || swap.isPending || approved.isLoading || swapped.isLoading;
  const reason = approve.error ?? swap.error ?? approvals.error ?? approved.error ?? swapped.error;
  return (
    <>
      {next !== undefined ? (
        <button type="button" disabled={isBusy} onClick={() => approve.mutate(next)}>
          Approve
        </button>
      ) : (
        <button
          type="button"
          disabled={isBusy || approvals.data === undefined}
          onClick={() => swap.mutate({ coreSwap: market.coreSwap, ...order })}
        >
          Swap
        </button>
      )}
      {swapped.data !== undefined && (
        <p role="status">
          {/* A wallet can replace the transaction, also by an empty one that cancels it. */}
          {realizedLegs({ coreSwap: market.coreSwap, logs: swapped.data.logs }).length > 0
            ? "Swapped in"
            : "Not swapped: replaced by"}{" "}
          {swapped.data.transactionHash}
        </p>
      )}
      {reason !== null && <p role="alert">{reasonOf(reason)}</p>}
    </>
  );
}
