/** What is known about a transaction that the page has sent. */
import { queryOptions, skipToken, type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { Hash } from "viem";
import { type Network, transactionQuery } from "../api/queries.ts";
import { useNetwork } from "../shell/context.ts";
import type { WalletClient } from "./preview.ts";
import { type Mined, receiptOf } from "./receipt.ts";

/**
 * No node knows a transaction any more that another one has replaced, so that is kept. Other receipts are read again at
 * each return to the page, since their block can be replaced.
 */
export const receiptQuery = (network: Network, client: WalletClient | null, hash: Hash) =>
  queryOptions({
    // Without the client, of which wagmi makes another one at each return, and which a disconnected wallet lacks.
    queryKey: ["receipt", network, hash],
    queryFn: client === null ? skipToken : () => receiptOf(client, hash),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    refetchOnMount: ({ state: { data } }) => data?.receipt.transactionHash === hash && "always",
    retry: false,
  });

/** Whether another transaction took the nonce of the one that was sent, or this one at a higher fee did. */
export function isReplaced(mined: Mined | undefined, hash: Hash): mined is Mined {
  return mined !== undefined && mined.receipt.transactionHash !== hash;
}

/** The receipt, unless it is read again, because its block may have been replaced. */
export function minedOf({ data, isFetching }: UseQueryResult<Mined>, hash: Hash): Mined | undefined {
  return isFetching && !isReplaced(data, hash) ? undefined : data;
}

/** A transaction in no block may still be executed, so nothing else is sent: `unknown` until the index has answered. */
export type SentState = "none" | "unknown" | "waiting" | "mined";

/** Whether nothing that was sent can still be executed, as far as this page knows. */
export function isSettled(sent: SentState): boolean {
  return sent === "none" || sent === "mined";
}

/** What the index, and the wallet's node if there is one, know about the sent transaction. */
export function useSentState(hash: Hash | undefined, client: WalletClient | null): SentState {
  const network = useNetwork();
  const sought = hash ?? "0x";
  const indexed = useQuery({ ...transactionQuery(network, sought), enabled: hash !== undefined });
  const receipt = useQuery({ ...receiptQuery(network, client, sought), enabled: hash !== undefined && !indexed.data });
  if (hash === undefined) return "none";
  if (indexed.data || minedOf(receipt, hash) !== undefined) return "mined";
  return indexed.isFetched ? "waiting" : "unknown";
}
