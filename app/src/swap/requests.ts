import { type MutationState, useMutation, useMutationState, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect } from "react";
import { AtomicReadyWalletRejectedUpgradeError, type Hash } from "viem";
import { approve, atomicQuery, send } from "./actions.ts";
import { hasCause } from "./failures.ts";
import type { Preview, WalletClient } from "./preview.ts";

const route = getRouteApi("/swap");

/** What the page asks the connected wallet for, and the state of the newest request of this account. */
export interface WalletRequests {
  /** True while the wallet has the request, or the block of an approval is missing. */
  readonly isOpen: boolean;
  /** The newest transaction that this account has sent, or the one that the URL names after the page was loaded again. */
  readonly sent: Hash | undefined;
  /** Why the request failed; null if it did not. */
  readonly error: Error | null;
  approve(client: WalletClient, preview: Preview): void;
  /** Once the wallet has sent it, the page shows the transaction; after it was left, when it is opened again. */
  swap(client: WalletClient, preview: Preview): void;
  /** Lets the page go on without the transaction that was sent. */
  forget(): void;
}

/**
 * Makes requests to the wallet and keeps how they ended while the page is open: another quote, another view or another
 * account can be on the page when the user answers.
 */
export function useWalletRequests(client: WalletClient | null): WalletRequests {
  const navigate = route.useNavigate();
  const queries = useQueryClient();
  const mutationKey = ["wallet", client?.chain.id, client?.account.address];
  const { mutate } = useMutation({
    mutationKey,
    gcTime: Number.POSITIVE_INFINITY,
    mutationFn: (request: () => Promise<Hash | null>) => request(),
    onSettled: () => void queries.invalidateQueries({ queryKey: ["preview"] }),
  });
  const newest = useMutationState({
    filters: { mutationKey, exact: true },
    select: ({ state }) => state as MutationState<Hash | null>,
  }).at(-1);
  // As the URL has it.
  const transaction = newest?.data?.toLowerCase() ?? null;
  const named = route.useSearch().transaction;
  useEffect(() => {
    if (transaction !== null) void navigate({ search: (before) => ({ ...before, transaction }), replace: true });
  }, [transaction, navigate]);
  return {
    isOpen: newest?.status === "pending",
    // The URL names it some moments after the wallet has answered, and no more once it is in a block and the order is changed.
    sent: (transaction ?? named) as Hash | undefined,
    error: newest?.error ?? null,
    approve: (sender, preview) =>
      mutate(async () => {
        await approve(sender, preview);
        return null;
      }),
    swap: (sender, preview) =>
      mutate(() => send(sender, preview), {
        onError: (error) => {
          // The account stays as it is, so the wallet takes call after call.
          if (hasCause(error, AtomicReadyWalletRejectedUpgradeError)) {
            queries.setQueryData(atomicQuery(sender).queryKey, false);
          }
        },
      }),
    forget: () => {
      const requests = queries.getMutationCache();
      for (const request of requests.findAll({ mutationKey, exact: true })) requests.remove(request);
      void navigate({ search: (before) => ({ ...before, transaction: undefined }), replace: true });
    },
  };
}
