import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Time } from "./Time.tsx";

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
  if (isFirstLoad(query)) return <Loading />;
  const retry = (
    <button type="button" className="plain" onClick={() => void refetch()}>
      Try again
    </button>
  );
  if (data === undefined) {
    return (
      <div className="notice error" role="alert">
        <strong>The request failed.</strong>{" "}
        {error === null ? (
          "Retrying …"
        ) : (
          <>
            {error.message} {retry}
          </>
        )}
      </div>
    );
  }
  return (
    <div className={isPlaceholderData ? "answer before" : "answer"} aria-busy={isPlaceholderData}>
      {error !== null && (
        <div className="notice stale" role="status">
          <strong>Stale:</strong> as of <Time value={String(Math.floor(dataUpdatedAt / 1000))} />. {error.message}{" "}
          {retry}
        </div>
      )}
      {children(data)}
    </div>
  );
}

/**
 * Whether one of the queries has not ended for the first time. One that failed and is tried again does not count, so that
 * it does not hide the others.
 */
export function isFirstLoad(...queries: readonly Pick<UseQueryResult, "isPending" | "isFetched">[]): boolean {
  return queries.some(({ isPending, isFetched }) => isPending && !isFetched);
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
