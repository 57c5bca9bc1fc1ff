/** The newest transactions of a network, right across interruptions and reorganizations. */
import { allTransactions, followHistory, type Schemas } from "@coreswap/client";
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
    // What was shown stays, with the reason why nothing new comes.
    const onProblem = (reason: unknown) => setNewest(({ value }) => ({ value, problem: messageOf(reason) }));
    void retrying(
      stopping.signal,
      () => follow(market, stopping.signal, (value) => setNewest({ value }), onProblem),
      onProblem,
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
  onProblem: (reason: unknown) => void,
): Promise<void> {
  /** Null at first and after a reset, until the position that follows says what there is to read. */
  let newest: readonly Transaction[] | null = null;
  const onInterruption = (reason: unknown) => {
    if (newest === null) onProblem(reason);
  };
  for await (const event of followHistory(market.api, { network: market.network, signal, onInterruption })) {
    // A reorganization replaced blocks, or more than 500 transactions arrived at once.
    if (event.type === "reset") newest = null;
    else if (event.type === "position") newest ??= await readNewest(market, event.id, signal);
    else if (newest !== null) newest = [event.transaction, ...others(newest, event.transaction)].slice(0, SHOWN_COUNT);
    if (newest !== null) report(newest);
  }
}

/** @param lastEventId tells a reading of a server that is behind, or of a cache */
async function readNewest(
  { api, network }: Market,
  lastEventId: string,
  signal: AbortSignal,
): Promise<readonly Transaction[]> {
  const newest: Transaction[] = [];
  for await (const transaction of allTransactions(api, { network, limit: 100 }, { signal, lastEventId })) {
    newest.push(transaction);
    if (newest.length === SHOWN_COUNT) break;
  }
  return newest;
}

/** After a reset, an event can report a transaction that was just read. */
function others(transactions: readonly Transaction[], { transactionHash }: Transaction): readonly Transaction[] {
  return transactions.filter((each) => each.transactionHash !== transactionHash);
}
