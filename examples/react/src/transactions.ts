/** The newest transactions of a network, right across interruptions and reorganizations. */
import { eventIdOf, followHistory, type Schemas } from "@coreswap/client";
import { useEffect, useState } from "react";
import type { Loaded, Market } from "./market.ts";
import { messageOf, retrying } from "./retrying.ts";

type Transaction = Schemas["Transaction"];

/** How many transactions are shown. */
const SHOWN_COUNT = 5;

/** Follows the newest transactions, newest first. */
export function useNewestTransactions(market: Market): Loaded<readonly Transaction[]> {
  const [newest, setNewest] = useState<Loaded<readonly Transaction[]>>({});
  useEffect(() => {
    const stopping = new AbortController();
    void retrying(
      stopping.signal,
      () => follow(market, stopping.signal, (value) => setNewest({ value })),
      // What was shown stays, with the reason why nothing new comes.
      (reason) => setNewest(({ value }) => ({ value, problem: messageOf(reason) })),
    );
    return () => stopping.abort();
  }, [market]);
  return newest;
}

/** Reports the newest transactions, again whenever they change. Ends by the signal, or by the error of a request. */
async function follow(
  market: Market,
  signal: AbortSignal,
  report: (newest: readonly Transaction[]) => void,
): Promise<void> {
  let newest = await readNewest(market, signal);
  report(newest);
  // An empty history has no event to continue from: it begins with a reset.
  const lastEventId = newest[0] ? eventIdOf(newest[0]) : null;
  for await (const event of followHistory(market.api, { network: market.network, lastEventId, signal })) {
    // A reorganization replaced blocks, or more happened than is streamed.
    if (event.type === "reset") newest = await readNewest(market, signal);
    else if (event.type === "transaction")
      newest = [event.transaction, ...others(newest, event.transaction)].slice(0, SHOWN_COUNT);
    report(newest);
  }
}

async function readNewest({ api, network }: Market, signal: AbortSignal): Promise<readonly Transaction[]> {
  const query = { network, limit: SHOWN_COUNT };
  // After a reset, a cache between could still answer with the removed transactions. It passes on this header.
  const header = { "Min-Indexed-Block": "0" };
  const { data, error } = await api.GET("/v1/transactions", { params: { query, header }, signal });
  if (error) throw new Error(error.error);
  return data.transactions;
}

/** After a reset, an event can report a transaction that was just read. */
function others(transactions: readonly Transaction[], { transactionHash }: Transaction): readonly Transaction[] {
  return transactions.filter((each) => each.transactionHash !== transactionHash);
}
