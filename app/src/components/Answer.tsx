import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { SLOW_MS } from "../api/queries.ts";
import { Time } from "./Time.tsx";

/** An answer of this age is missing several polls. */
const OLD_MS = 3 * SLOW_MS;

/** How long a request may take before an old answer is marked. Most answers arrive before a mark could be read. */
const PATIENCE_MS = 3_000;

interface AnswerProps<Data> {
  readonly query: UseQueryResult<Data>;
  readonly children: (data: Data) => ReactNode;
}

/**
 * What the API answered, in each of its states: loading, failed (also while it is asked again), stale (the last answer
 * while the API does not give a newer one) and current.
 */
export function Answer<Data>({ query, children }: AnswerProps<Data>) {
  const { data, error, isPlaceholderData, dataUpdatedAt, refetch } = query;
  const failure = useFailure(query);
  const isStale = useIsStale(query);
  if (isFirstLoad(query)) return <Loading />;
  const retry = (
    <button type="button" className="plain" onClick={() => void refetch()}>
      Try again
    </button>
  );
  if (data === undefined) {
    return (
      <div className="notice error" role="alert">
        <strong>The request failed.</strong> {failure?.message} {error === null ? "Retrying …" : retry}
      </div>
    );
  }
  return (
    <div className={isPlaceholderData ? "answer before" : "answer"} aria-busy={isPlaceholderData}>
      {isStale && (
        <div className="notice stale" role="status">
          <strong>Stale:</strong> as of <Time value={String(Math.floor(dataUpdatedAt / 1000))} />.{" "}
          {error?.message ?? "The server has not answered yet."} {retry}
        </div>
      )}
      {children(data)}
    </div>
  );
}

/** Why a query has no newer answer, also while it is tried again; null if nothing failed. */
export function useFailure({ error, failureReason }: UseQueryResult): Error | null {
  const [last, setLast] = useState<Error | null>(null);
  const newest = error ?? failureReason ?? last;
  // A request that begins anew forgets why the one before failed.
  if (newest !== last) setLast(newest);
  return newest;
}

/** Whether there is no answer, or only an old one: the request failed, or the one for a newer answer takes long. */
export function useIsStale(query: UseQueryResult): boolean {
  const isOverdue = useIsOverdue(query);
  return query.error !== null || isOverdue;
}

/**
 * Whether an old answer is still shown because the request for a newer one takes long, as after a computer wakes on a
 * network that accepts requests and answers none: such a request fails only at its time limit.
 */
function useIsOverdue({ data, isFetching, isPlaceholderData, dataUpdatedAt }: UseQueryResult): boolean {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    if (!isFetching) return;
    const timer = window.setTimeout(() => setSlow(true), PATIENCE_MS);
    return () => {
      window.clearTimeout(timer);
      setSlow(false);
    };
  }, [isFetching]);
  const isOld = data !== undefined && !isPlaceholderData && Date.now() - dataUpdatedAt > OLD_MS;
  return isSlow && isFetching && isOld;
}

type FirstLoad = Pick<UseQueryResult, "isPending" | "isFetched" | "failureReason">;

/**
 * Whether one of the queries has not ended for the first time. One that failed and is tried again does not count, so that
 * it does not hide the others, nor why it failed.
 */
export function isFirstLoad(...queries: readonly FirstLoad[]): boolean {
  return queries.some(({ isPending, isFetched, failureReason }) => isPending && !isFetched && failureReason === null);
}

/** Placeholder until an answer arrives. */
export function Loading() {
  return (
    <div className="loading" role="status">
      Loading …
    </div>
  );
}

/** Says that an answer is empty, and what to do about it. */
export function Empty({ children }: { readonly children: ReactNode }) {
  return <p className="empty">{children}</p>;
}
