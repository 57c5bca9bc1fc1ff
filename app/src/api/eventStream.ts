/** One stream of `/v1/events`, opened again whenever it ends. Runs in a page, or in the worker that all pages share. */

/** Delay before another stream is requested, as the API tells clients when it has no streams left. */
const REOPEN_MS = 30_000;

/** What happens to a stream. */
export type StreamNews =
  /** It is open: something may have happened between the last answer and its beginning. */
  | { readonly kind: "open" }
  /** It is not open, and nothing is reported until it is. */
  | { readonly kind: "lost" }
  /** A transaction was indexed; `data` is the text of the event. */
  | { readonly kind: "transaction"; readonly data: string }
  /** Transactions that were reported are no longer part of the history. */
  | { readonly kind: "reset" };

/** Reports the changes of a network's history until the returned function is called. */
export function openStream(network: string, onNews: (news: StreamNews) => void): () => void {
  let source: EventSource;
  let reopening: ReturnType<typeof setTimeout> | undefined;
  const open = () => {
    source = new EventSource(`/v1/events?network=${network}`);
    source.addEventListener("open", () => onNews({ kind: "open" }));
    source.addEventListener("transaction", ({ data }: MessageEvent<string>) => onNews({ kind: "transaction", data }));
    source.addEventListener("reset", () => onNews({ kind: "reset" }));
    source.addEventListener("error", () => {
      onNews({ kind: "lost" });
      // The browser reconnects by itself, but not after an answer that is not a stream.
      if (source.readyState === EventSource.CLOSED) reopening = setTimeout(open, REOPEN_MS);
    });
  };
  open();
  return () => {
    source.close();
    clearTimeout(reopening);
  };
}
