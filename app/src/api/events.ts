/** Follows `/v1/events`, so that the page shows a change of the history when the API does. */
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Network } from "./queries.ts";

/** Views that show the history of a network, by the first part of their queries' keys. */
const HISTORY_VIEWS: readonly unknown[] = ["transactions", "transaction", "volume", "series"];

/** Events of one block come together; one question answers them all. */
const GATHER_MS = 200;
/** How often to ask while there is no stream. */
const POLL_MS = 4_000;
/** How long to wait before another stream is asked for, as the API does when it has none left. */
const REOPEN_MS = 30_000;

/**
 * Asks again for what the views show of a network's history whenever the API reports a change of it, and every few
 * seconds while there is no stream of events. A hidden page follows nothing: a browser has few connections to a server,
 * and every tab would take one.
 */
export function useEvents(network: Network): void {
  const queries = useQueryClient();
  useEffect(() => {
    let stop: (() => void) | null = null;
    const update = () => {
      if (document.visibilityState === "hidden") {
        stop?.();
        stop = null;
      } else stop ??= follow(queries, network);
    };
    update();
    document.addEventListener("visibilitychange", update);
    return () => {
      document.removeEventListener("visibilitychange", update);
      stop?.();
    };
  }, [queries, network]);
}

/** Follows a network until the returned function is called. */
function follow(queries: QueryClient, network: Network): () => void {
  let source: EventSource;
  let gathering: number | undefined;
  let reopening: number | undefined;
  let changes: string[] = [];

  const refresh = () => {
    const texts = changes;
    changes = [];
    gathering = undefined;
    void queries.invalidateQueries({
      predicate: ({ queryKey: [view, of, wallet] }) =>
        of === network &&
        (HISTORY_VIEWS.includes(view) ||
          // Reading accounts costs a node requests: only for a wallet that the change mentions.
          (view === "accounts" && texts.some((text) => text.includes(String(wallet))))),
    });
  };
  const note = ({ data }: MessageEvent<string>) => {
    changes.push(data);
    gathering ??= window.setTimeout(refresh, GATHER_MS);
  };
  const open = () => {
    source = new EventSource(`/v1/events?network=${network}`);
    // Something may have happened between the last answer and the beginning of the stream.
    source.addEventListener("open", refresh);
    source.addEventListener("transaction", note);
    source.addEventListener("reset", note);
    source.addEventListener("error", () => {
      // The browser connects again by itself, but not after an answer that is no stream.
      if (source.readyState === EventSource.CLOSED) reopening = window.setTimeout(open, REOPEN_MS);
    });
  };
  open();
  const polling = window.setInterval(() => {
    if (source.readyState !== EventSource.OPEN) refresh();
  }, POLL_MS);
  return () => {
    source.close();
    window.clearTimeout(gathering);
    window.clearTimeout(reopening);
    window.clearInterval(polling);
  };
}
