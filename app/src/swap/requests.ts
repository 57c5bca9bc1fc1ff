import { useIsMutating, useMutation, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { Hash } from "viem";
import { approve, send } from "./actions.ts";
import type { Preview, WalletClient } from "./preview.ts";

const route = getRouteApi("/swap");

/** What the page asks the connected wallet for, and how the newest request ended. */
export interface WalletRequests {
  /** True while the wallet has a request of this account, also one from before the page was left. */
  readonly isOpen: boolean;
  /** Why the newest request failed; null if it did not. */
  readonly error: Error | null;
  approve(client: WalletClient, preview: Preview): void;
  /** Shows the transaction as soon as it is sent, unless the page was left meanwhile. */
  swap(client: WalletClient, preview: Preview): void;
}

/**
 * Makes requests to the wallet that outlive the quote they are made of: another quote can replace it while the wallet's
 * window is open. The error of one account is not shown to another.
 */
export function useWalletRequests(client: WalletClient | null): WalletRequests {
  const navigate = route.useNavigate();
  const queries = useQueryClient();
  const mutationKey = ["wallet", client?.account.address];
  const { error, mutate } = useMutation({
    mutationKey,
    mutationFn: (request: () => Promise<Hash | null>) => request(),
    onSettled: () => queries.invalidateQueries({ queryKey: ["preview"] }),
  });
  const isOpen = useIsMutating({ mutationKey }) > 0;
  return {
    isOpen,
    error: isOpen ? null : error,
    approve: (sender, preview) =>
      mutate(async () => {
        await approve(sender, preview);
        return null;
      }),
    swap: (sender, preview) =>
      mutate(() => send(sender, preview), {
        onSuccess: (transaction) => {
          if (transaction === null) return;
          void navigate({ search: (before) => ({ ...before, transaction }), replace: true });
        },
      }),
  };
}
