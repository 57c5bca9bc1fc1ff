import { queryOptions, useQuery } from "@tanstack/react-query";
import { BlockNotFoundError } from "viem";
import { getBlock } from "viem/actions";
import { type Network, statusQuery } from "../api/queries.ts";
import { useNetwork } from "../shell/context.ts";
import { withNodeTimeout } from "./nodeTimeout.ts";
import type { WalletClient } from "./preview.ts";

/** Whether the wallet's node is on the chain that the index is of: two chains can have one id, as local ones do. */
type ChainMatch = "same" | "other" | "behind" | "unknown";

const COMPARE_MS = 4_000;

const matchQuery = (client: WalletClient, network: Network) =>
  queryOptions({
    queryKey: ["chainMatch", client.uid],
    queryFn: async ({ client: queries }): Promise<ChainMatch> => {
      const status = queries.getQueryData(statusQuery.queryKey);
      const head = status?.networks.find((each) => each.network === network)?.head ?? null;
      if (head === null) return "unknown";
      try {
        const { hash } = await withNodeTimeout(getBlock(client, { blockNumber: BigInt(head.blockNumber) }));
        return hash === head.blockHash ? "same" : "other";
      } catch (error) {
        if (error instanceof BlockNotFoundError) return "behind";
        throw error;
      }
    },
    refetchInterval: COMPARE_MS,
    retry: false,
  });

/** Compares the newest block that the index knows with the wallet's block of that number, again and again. */
export function useChainMatch(client: WalletClient) {
  return useQuery(matchQuery(client, useNetwork()));
}

/** Why nothing can be sent through this wallet; nothing to say while it is on the same chain. */
export function ChainMismatch({ match }: { readonly match: ChainMatch }) {
  if (match === "same") return null;
  if (match === "other") {
    return (
      <div className="notice error" role="alert">
        <strong>Another chain.</strong> The wallet's chain has the same number as the one shown here, but other blocks.
        Choose the right node (RPC URL) in the wallet; nothing can be sent until then.
      </div>
    );
  }
  return (
    <div className="notice stale" role="status">
      {match === "behind" ? (
        <>
          <strong>The wallet's node is behind,</strong> or on another chain with the same number: it lacks the newest
          block that is shown here. Nothing can be sent until it has it.
        </>
      ) : (
        <>
          <strong>The chain cannot be compared.</strong> The server does not know the newest block of the network, so
          the page cannot tell whether the wallet is on the same chain.
        </>
      )}
    </div>
  );
}
